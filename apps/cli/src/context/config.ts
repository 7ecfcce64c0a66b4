import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { CliError, exitCodes } from '../errors/errors.ts';
import { configFile, type Environment } from './environment.ts';

/** A service and who calls it. */
export interface Profile {
  url: string;
  key: string;
}

/** What `roster login` keeps. */
export interface Config {
  profiles: Readonly<Record<string, Profile>>;
}

/** The profile that is used where none is named. */
export const PROFILE_DEFAULT = 'default';

function unusable(message: string, remedy: string): CliError {
  return new CliError(message, { exitCode: exitCodes.notAllowed, remedy });
}

const reasonOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error);

/** The text of the file; undefined where there is none. Keys are in it, so one that others can read is refused. */
function textOf(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    // Windows has no such mode: every file there looks open to all.
    const isOpen = process.platform !== 'win32' && (found.mode & 0o077) !== 0;
    if (isOpen) throw unusable(`the keys in ${file} are open to other users`, `Close it: chmod 600 ${file}`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (reasonOf(error) === 'ENOTDIR') return undefined;
    throw unusable(`${file} cannot be read (${reasonOf(error)})`, 'Give url and key by options instead.');
  }
}

function isProfile(value: unknown): value is Profile {
  const { url, key } = (value ?? {}) as Partial<Record<keyof Profile, unknown>>;
  return typeof url === 'string' && typeof key === 'string';
}

function parsed(text: string): Config | undefined {
  try {
    const { profiles } = JSON.parse(text) as Partial<Config>;
    const isWhole = typeof profiles === 'object' && profiles !== null;
    return isWhole && Object.values(profiles).every(isProfile) ? { profiles } : undefined;
  } catch {
    return undefined;
  }
}

/** What is in the config file; no profiles where there is none. Throws for one that cannot be used. */
export function readConfig(env: Environment): Config {
  const file = configFile(env);
  const text = file === undefined ? undefined : textOf(file);
  if (text === undefined) return { profiles: {} };
  const config = parsed(text);
  if (config === undefined) {
    throw unusable(
      `${file} is not a config file of roster`,
      'Delete it, and make it anew with: roster login',
    );
  }
  return config;
}

/**
 * Puts another config file into the place of the one before, all of it or nothing, readable by its owner alone.
 * Answers its path. Throws what a user can mend.
 */
export function writeConfig(env: Environment, config: Config): string {
  const file = configFile(env);
  if (file === undefined) {
    throw new CliError('there is no place for the config file', { remedy: 'Set HOME or XDG_CONFIG_HOME.' });
  }
  const beside = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    rmSync(beside, { force: true });
    const handle = openSync(beside, 'wx', 0o600);
    try {
      writeFileSync(handle, `${JSON.stringify(config, undefined, 2)}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new CliError(`${file} cannot be written (${reasonOf(error)})`);
  }
  return file;
}

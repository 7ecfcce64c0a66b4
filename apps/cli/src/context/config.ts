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
import { configFile, type Environment } from '../environment.ts';
import { CliError, exitCodes } from '../errors/errors.ts';

/** The URL of a service and an API key or a session for it. */
export interface Profile {
  url: string;
  /** The key, or the token of the session. */
  key: string;
}

/** The content of the config file, which `roster login` writes. */
export interface Config {
  profiles: Readonly<Record<string, Profile>>;
}

/** Whether what is stored as a key is the token of a session, by its prefix. */
export function isSessionToken(key: string): boolean {
  return key.startsWith('rss_');
}

/** The name of the profile that is used by default. */
export const PROFILE_DEFAULT = 'default';

function unusable(message: string, hint: string): CliError {
  return new CliError(message, { exitCode: exitCodes.notAllowed, hint });
}

const reasonOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error);

/** The text of the file; undefined if it does not exist. Throws if other users can read it, because it contains keys. */
function textOf(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    // Windows has no such mode: every file there looks readable by everyone.
    const isOpen = process.platform !== 'win32' && (found.mode & 0o077) !== 0;
    if (isOpen)
      throw unusable(`the keys in ${file} can be read by other users`, `Restrict it: chmod 600 ${file}`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (reasonOf(error) === 'ENOTDIR') return undefined;
    throw unusable(`${file} cannot be read (${reasonOf(error)})`, 'Pass --url and --key instead.');
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

/** Reads the config file; no profiles if it does not exist. Throws if the file is unusable. */
export function readConfig(env: Environment): Config {
  const file = configFile(env);
  const text = file === undefined ? undefined : textOf(file);
  if (text === undefined) return { profiles: {} };
  const config = parsed(text);
  if (config === undefined) {
    throw unusable(
      `${file} is not a config file of roster`,
      'Delete it, and create it again with: roster login',
    );
  }
  return config;
}

/**
 * Replaces the config file atomically, readable by its owner only. Returns its path. Throws `CliError` if it cannot be
 * written.
 */
export function writeConfig(env: Environment, config: Config): string {
  const file = configFile(env);
  if (file === undefined) {
    throw new CliError('there is no directory for the config file', { hint: 'Set HOME or XDG_CONFIG_HOME.' });
  }
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    rmSync(temporary, { force: true });
    const handle = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(handle, `${JSON.stringify(config, undefined, 2)}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new CliError(`${file} cannot be written (${reasonOf(error)})`);
  }
  return file;
}

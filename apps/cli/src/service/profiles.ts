import { isObject } from '@roster/fields/objects';
import { commandLine, configFile, type Environment } from '../environment.ts';
import { CliError, codeOf } from '../errors.ts';
import { readPrivate, replacePrivate, unusable } from './private-files.ts';

export interface Profile {
  url: string;
  key: string;
}

export interface Config {
  profiles: Readonly<Record<string, Profile>>;
}

/** Whether what is stored as a key is the token of a session, by its prefix. */
export function isSessionToken(key: string): boolean {
  return key.startsWith('rss_');
}

export const PROFILE_DEFAULT = 'default';

function isProfile(value: unknown): value is Profile {
  return isObject(value) && typeof value.url === 'string' && typeof value.key === 'string';
}

function parsed(text: string): Config | undefined {
  try {
    const { profiles }: Partial<Config> = JSON.parse(text);
    const isWhole = typeof profiles === 'object' && profiles !== null;
    return isWhole && Object.values(profiles).every(isProfile) ? { profiles } : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the config file; no profiles if it does not exist. Throws if the file is unusable. */
export function readConfig(env: Environment): Config {
  const file = configFile(env);
  const text = file === undefined ? undefined : readPrivate(file, 'keys');
  if (text === undefined) return { profiles: {} };
  const config = parsed(text);
  if (config === undefined) {
    throw unusable(
      `${file} is not a config file of roster`,
      `Delete it, and create it again with: ${commandLine('login', env)}`,
    );
  }
  return config;
}

/** Replaces the config file, and returns its path. Throws `CliError` if it can't be written. */
export function writeConfig(env: Environment, config: Config): string {
  const file = configFile(env);
  if (file === undefined) {
    throw new CliError('there is no directory for the config file', { hint: 'Set HOME or XDG_CONFIG_HOME.' });
  }
  try {
    replacePrivate(file, config);
  } catch (error) {
    throw new CliError(`${file} cannot be written (${codeOf(error)})`);
  }
  return file;
}

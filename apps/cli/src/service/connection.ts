import { isObject } from '@roster/fields/objects';
import { commandLine, configFile, type Environment } from '../environment.ts';
import { CliError, codeOf, didYouMean, isHttpUrl, usageError } from '../errors.ts';
import { findLocalService, type LocalService, readKey } from './local-service.ts';
import { readPrivate, replacePrivate, unusable } from './private-files.ts';

export interface Profile {
  url: string;
  key: string;
}

interface Config {
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

export interface Connection {
  url: string;
  /** The source of the URL, in words for people; `keySource` likewise. */
  urlSource: string;
  key: string | undefined;
  keySource: string | undefined;
  /** The name of the profile that gave any of these. */
  profile: string | undefined;
  /** Why the key of a service on this machine is not used, in one sentence. */
  withheld?: string | undefined;
}

export interface ProcessContext {
  env: Environment;
  /** The working directory: an absolute path. */
  cwd: string;
}

export const URL_DEFAULT = 'http://127.0.0.1:3000';
const DATA_DIR_DEFAULT = '.roster';

/** An empty option or variable counts as absent. */
const given = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

interface Found {
  value: string;
  source: string;
}

function firstOf(...candidates: [value: unknown, source: string][]): Found | undefined {
  for (const [candidate, source] of candidates) {
    const value = given(candidate);
    if (value !== undefined) return { value, source };
  }
  return undefined;
}

export function checkedUrl(url: string): string {
  if (isHttpUrl(url)) return url;
  throw usageError(
    `"${url}" is not an http or https URL`,
    'Set the URL of the service with --url or ROSTER_URL.',
  );
}

/** Returns a key without surrounding space. Throws a usage error if it cannot be sent in a header. */
export function checkedKey(key: string, source: string): string {
  const trimmed = key.trim();
  if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
  throw usageError(`the key from ${source} is not one line of visible ASCII characters`);
}

/** The path, relative to the directory it was started in, of the file to which a server writes its key. */
export function keyFileName({ ROSTER_DATA_DIR }: Environment): string {
  return `${given(ROSTER_DATA_DIR) ?? DATA_DIR_DEFAULT}/key`;
}

export function profileName(options: Record<string, unknown>, env: Environment): string | undefined {
  return given(options.profile) ?? given(env.ROSTER_PROFILE);
}

function profileOf(options: Record<string, unknown>, env: Environment): [string, Profile] | undefined {
  const { profiles } = readConfig(env);
  const asked = profileName(options, env);
  const name = asked ?? PROFILE_DEFAULT;
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return [name, profile];
  if (asked === undefined) return undefined;
  throw usageError(
    `there is no profile ${asked}`,
    `${didYouMean(asked, Object.keys(profiles))}Create it with: ${commandLine(`login --profile ${asked}`, env)}`,
  );
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((url) => new URL(url).href.replace(/\/+$/, ''));
  return a === b;
}

/** Whether a URL is the address of a local service, written as it is or with `localhost`. */
function isAddressOf({ url }: LocalService, asked: string): boolean {
  if (url === undefined) return false;
  const byName = new URL(asked);
  if (byName.hostname === 'localhost') byName.hostname = new URL(url).hostname;
  return isSame(byName.href, url);
}

function withheldKey({ url, urlFile }: LocalService, keyFile: string): string {
  return url === undefined
    ? `The key in ${keyFile} is not sent, because no server has written its address to ${urlFile}: start one with npm start.`
    : `The key in ${keyFile} belongs to ${url} and is sent to no other address.`;
}

/** The service on this machine whose data directory is here or in a parent directory; undefined if there is none. */
export function localServiceOf({ env, cwd }: ProcessContext): LocalService | undefined {
  return findLocalService({ cwd, dataDir: given(env.ROSTER_DATA_DIR) ?? DATA_DIR_DEFAULT });
}

interface Sources {
  options: Record<string, unknown>;
  env: Environment;
  profile: Profile | undefined;
  source: string;
  local: LocalService | undefined;
}

function urlOf({ options, env, profile, source, local }: Sources): Found {
  const isAsked = given(options.profile) !== undefined;
  const url = firstOf(
    [options.url, '--url'],
    [isAsked && profile?.url, source],
    [env.ROSTER_URL, 'ROSTER_URL'],
    [profile?.url, source],
    [local?.url, local?.urlFile ?? ''],
    [URL_DEFAULT, 'the default address of a server'],
  ) as Found;
  checkedUrl(url.value);
  return url;
}

/** The configured key for a URL: the key of a profile is sent only to the URL of the profile. */
function keyFor(url: Found, { options, env, profile, source }: Sources): Found | undefined {
  const isAsked = given(options.profile) !== undefined;
  const ownKey = profile && isSame(checkedUrl(profile.url), url.value) ? profile.key : undefined;
  return firstOf(
    [options.key, '--key'],
    [isAsked && ownKey, source],
    [env.ROSTER_KEY, 'ROSTER_KEY'],
    [ownKey, source],
  );
}

/**
 * Resolves URL and key from options, ROSTER_URL and ROSTER_KEY, the profile, and a server started here or in a parent
 * directory, in this order. Throws a usage error if they are invalid, or the profile doesn't exist.
 */
export function connectionOf(options: Record<string, unknown>, processContext: ProcessContext): Connection {
  const { env } = processContext;
  const isWhole = given(options.url ?? env.ROSTER_URL) !== undefined && given(options.key ?? env.ROSTER_KEY);
  // Files are read only if needed, so that a broken one does not matter otherwise.
  const [name, profile] = (isWhole && !profileName(options, env) ? undefined : profileOf(options, env)) ?? [];
  const local = isWhole ? undefined : localServiceOf(processContext);
  const source = `the profile ${name}`;
  const sources: Sources = { options, env, profile, source, local };
  let url = urlOf(sources);
  let key = keyFor(url, sources);
  let withheld: string | undefined;
  if (key === undefined && local?.keyFile !== undefined) {
    if (local.url !== undefined && isAddressOf(local, url.value)) {
      // `localhost` may resolve to a different address; the key is sent to the recorded one.
      url = { ...url, value: local.url };
      key = { value: readKey(local.keyFile), source: local.keyFile };
    } else withheld = withheldKey(local, local.keyFile);
  }
  const isUsed = [url.source, key?.source].includes(source);
  return {
    url: url.value,
    urlSource: url.source,
    key: key && checkedKey(key.value, key.source),
    keySource: key?.source === source ? `${source} in ${configFile(env)}` : key?.source,
    profile: isUsed ? name : undefined,
    ...(withheld !== undefined && { withheld }),
  };
}

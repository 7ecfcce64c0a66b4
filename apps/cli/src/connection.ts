import { configFile, PROFILE_DEFAULT, type Profile, readConfig } from './config.ts';
import { usageError } from './failures.ts';
import { findLocalKey, isLocal } from './local-key.ts';
import { didYouMean } from './nearest.ts';

/** Where the service is and who calls. */
export interface Connection {
  url: string;
  /** Where the URL was found, in words for people. */
  urlSource: string;
  key: string | undefined;
  /** Where the key was found, in words for people. */
  keySource: string | undefined;
  /** The name of the profile that gave any of these. */
  profile: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a connection is made of beside the options. */
export interface Place {
  env: Environment;
  /** The working directory: an absolute path. */
  cwd: string;
}

export const URL_DEFAULT = 'http://127.0.0.1:3000';
const DATA_DIR_DEFAULT = '.roster';

/** An empty option or variable counts as none. */
const given = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** A text, and where it was found. */
interface Found {
  value: string;
  source: string;
}

/** The first place of these that has a text. */
function firstOf(...places: [value: unknown, source: string][]): Found | undefined {
  for (const [place, source] of places) {
    const value = given(place);
    if (value !== undefined) return { value, source };
  }
  return undefined;
}

/** A URL that can be that of a service, as it was given. Throws a usage error for any other. */
export function checkedUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw usageError(`"${url}" is not an http or https URL`, 'Name the service with --url or ROSTER_URL.');
}

/** The key in the form it is sent in. Throws a usage error for what no header can carry. */
export function checkedKey(key: string, source: string): string {
  const trimmed = key.trim();
  if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
  throw usageError(`the key from ${source} is not one line of visible ASCII characters`);
}

/** The file, in some directory, in which a service on this machine leaves its key. */
export function keyFileName({ ROSTER_DATA_DIR }: Environment): string {
  return `${given(ROSTER_DATA_DIR) ?? DATA_DIR_DEFAULT}/key`;
}

/** The name of the profile that the options or the environment ask for. */
export function profileName(options: Record<string, unknown>, env: Environment): string | undefined {
  return given(options.profile) ?? given(env.ROSTER_PROFILE);
}

/** A profile that was asked for, or the default one if there is one. Throws a usage error for one there is not. */
function profileOf(options: Record<string, unknown>, env: Environment): [string, Profile] | undefined {
  const { profiles } = readConfig(env);
  const asked = profileName(options, env);
  const name = asked ?? PROFILE_DEFAULT;
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return [name, profile];
  if (asked === undefined) return undefined;
  throw usageError(
    `there is no profile ${asked}`,
    `${didYouMean(asked, Object.keys(profiles))}Make it with: roster login --profile ${asked}`,
  );
}

/** Whether two URLs name the same service. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((url) => new URL(url).href.replace(/\/+$/, ''));
  return a === b;
}

/** The key a service on this machine has left. It is never sent to another. */
function localKeyOf(url: string, { env, cwd }: Place): Found | undefined {
  if (!isLocal(url)) return undefined;
  const dataDir = given(env.ROSTER_DATA_DIR) ?? DATA_DIR_DEFAULT;
  const local = findLocalKey({ cwd, dataDir });
  return local && { value: local.key, source: local.file };
}

/**
 * Options (`--url`, `--key`, `--profile`), then ROSTER_URL and ROSTER_KEY, then the profile of ROSTER_PROFILE or the
 * default one, then what a newcomer starts and the key it leaves. The key of a profile goes to the URL of that profile
 * alone. Throws a usage error for no URL, for a key that no header can carry and for a profile there is not.
 */
export function connectionOf(options: Record<string, unknown>, place: Place): Connection {
  const { env } = place;
  const isWhole = given(options.url ?? env.ROSTER_URL) !== undefined && given(options.key ?? env.ROSTER_KEY);
  // Nothing of the config file is looked at where nothing of it is needed, broken or not.
  const [name, profile] = (isWhole && !profileName(options, env) ? undefined : profileOf(options, env)) ?? [];
  const source = `the profile ${name}`;
  const isAsked = given(options.profile) !== undefined;
  const url = firstOf(
    [options.url, '--url'],
    [isAsked && profile?.url, source],
    [env.ROSTER_URL, 'ROSTER_URL'],
    [profile?.url, source],
    [URL_DEFAULT, 'where a service listens unless told otherwise'],
  ) as Found;
  checkedUrl(url.value);
  const ownKey = profile && isSame(checkedUrl(profile.url), url.value) ? profile.key : undefined;
  const key =
    firstOf(
      [options.key, '--key'],
      [isAsked && ownKey, source],
      [env.ROSTER_KEY, 'ROSTER_KEY'],
      [ownKey, source],
    ) ?? localKeyOf(url.value, place);
  const isUsed = [url.source, key?.source].includes(source);
  return {
    url: url.value,
    urlSource: url.source,
    key: key && checkedKey(key.value, key.source),
    keySource: key?.source === source ? `${source} in ${configFile(env)}` : key?.source,
    profile: isUsed ? name : undefined,
  };
}

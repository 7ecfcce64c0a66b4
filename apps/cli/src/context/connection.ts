import { didYouMean } from '../errors/did-you-mean.ts';
import { usageError } from '../errors/errors.ts';
import { PROFILE_DEFAULT, type Profile, readConfig } from './config.ts';
import { configFile, type Environment } from './environment.ts';
import { findLocalService, type LocalService, readKey } from './local-key.ts';

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
  /** Why the key of a service on this machine was not taken, in one sentence. */
  withheld?: string | undefined;
}

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

/** Whether a URL names the address of a local service, by its own name or as `localhost`. */
function isAddressOf({ url }: LocalService, asked: string): boolean {
  if (url === undefined) return false;
  const byName = new URL(asked);
  if (byName.hostname === 'localhost') byName.hostname = new URL(url).hostname;
  return isSame(byName.href, url);
}

/** Why a local service's key does not go to a URL. */
function withheldKey({ url, urlFile }: LocalService, keyFile: string): string {
  return url === undefined
    ? `The key in ${keyFile} is not sent, because no service says in ${urlFile} where it listens: start it with npm start.`
    : `The key in ${keyFile} belongs to ${url} and is sent to no other address.`;
}

interface Sources {
  options: Record<string, unknown>;
  env: Environment;
  profile: Profile | undefined;
  /** The profile, in words for people. */
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
    [URL_DEFAULT, 'where a service listens unless told otherwise'],
  ) as Found;
  checkedUrl(url.value);
  return url;
}

/** The key that was given for a URL: that of a profile goes to the URL of the profile alone. */
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
 * Options (`--url`, `--key`, `--profile`), then ROSTER_URL and ROSTER_KEY, then the profile of ROSTER_PROFILE or the
 * default one, then the address that a service of this directory or one above has recorded, and its key, which goes to
 * that address alone. Throws a usage error for no URL, for a key that no header can carry and for a profile there is not.
 */
export function connectionOf(options: Record<string, unknown>, place: Place): Connection {
  const { env, cwd } = place;
  const isWhole = given(options.url ?? env.ROSTER_URL) !== undefined && given(options.key ?? env.ROSTER_KEY);
  // Nothing of files is looked at where nothing of them is needed, broken or not.
  const [name, profile] = (isWhole && !profileName(options, env) ? undefined : profileOf(options, env)) ?? [];
  const dataDir = given(env.ROSTER_DATA_DIR) ?? DATA_DIR_DEFAULT;
  const local = isWhole ? undefined : findLocalService({ cwd, dataDir });
  const source = `the profile ${name}`;
  const sources: Sources = { options, env, profile, source, local };
  let url = urlOf(sources);
  let key = keyFor(url, sources);
  let withheld: string | undefined;
  if (key === undefined && local?.keyFile !== undefined) {
    if (local.url !== undefined && isAddressOf(local, url.value)) {
      // What localhost means is for a resolver to say; the key goes to the recorded address.
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

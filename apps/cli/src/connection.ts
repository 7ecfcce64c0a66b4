import { usageError } from './failures.ts';
import { findLocalKey, isLocal } from './local-key.ts';

/** Where the service is and who calls. */
export interface Connection {
  url: string;
  key: string | undefined;
  /** Where the key was found, in words for people. */
  keySource: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a connection is made of beside the options. */
interface Place {
  env: Environment;
  /** The working directory: an absolute path. */
  cwd: string;
}

const URL_DEFAULT = 'http://127.0.0.1:3000';
const DATA_DIR_DEFAULT = '.roster';

/** An empty option or variable counts as none. */
const given = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Flags, then ROSTER_URL, then the service a newcomer starts. Throws a usage error for no URL. */
function urlOf(options: Record<string, unknown>, env: Environment): string {
  const url = given(options.url) ?? given(env.ROSTER_URL) ?? URL_DEFAULT;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw usageError(`"${url}" is not an http or https URL`, 'Name the service with --url or ROSTER_URL.');
}

/** The file, in some directory, in which a service on this machine leaves its key. */
export function keyFileName({ ROSTER_DATA_DIR }: Environment): string {
  return `${given(ROSTER_DATA_DIR) ?? DATA_DIR_DEFAULT}/key`;
}

function keyOf(
  options: Record<string, unknown>,
  { env, cwd }: Place,
  url: string,
): Pick<Connection, 'key' | 'keySource'> {
  const flag = given(options.key);
  if (flag !== undefined) return { key: flag, keySource: '--key' };
  const variable = given(env.ROSTER_KEY);
  if (variable !== undefined) return { key: variable, keySource: 'ROSTER_KEY' };
  // The key of a service on this machine is never sent to another.
  const local = isLocal(url)
    ? findLocalKey({ cwd, dataDir: given(env.ROSTER_DATA_DIR) ?? DATA_DIR_DEFAULT })
    : undefined;
  return { key: local?.key, keySource: local?.file };
}

/**
 * Flags, then ROSTER_URL and ROSTER_KEY, then what a newcomer starts and the key it leaves. Throws a usage error for no
 * URL and for a key that no header can carry.
 */
export function connectionOf(options: Record<string, unknown>, place: Place): Connection {
  const url = urlOf(options, place.env);
  const { key, keySource } = keyOf(options, place, url);
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key.trim())) {
    throw usageError(`the key from ${keySource} is not one line of visible ASCII characters`);
  }
  return { url, key: key?.trim(), keySource };
}

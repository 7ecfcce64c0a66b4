import { usageError } from './failures.ts';

/** Where the service is and who calls. */
export interface Connection {
  url: string;
  key: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const URL_DEFAULT = 'http://127.0.0.1:3000';

/** The first of these that is given; an empty variable counts as none. */
const given = (...values: unknown[]) =>
  values.find((value) => typeof value === 'string' && value !== '') as string | undefined;

/** Flags, then ROSTER_URL and ROSTER_KEY, then the service a newcomer starts. Throws a usage error for no URL. */
export function connectionOf(options: Record<string, unknown>, env: Environment): Connection {
  const url = given(options.url, env.ROSTER_URL) ?? URL_DEFAULT;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw usageError(`"${url}" is not an http or https URL`, 'Name the service with --url or ROSTER_URL.');
  }
  return { url, key: given(options.key, env.ROSTER_KEY) };
}

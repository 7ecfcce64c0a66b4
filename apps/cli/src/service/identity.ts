import { type Key, type ResourceName, type RosterClient, RosterError } from '@roster/client';
import { records } from '@roster/contract/records';
import { keysOf } from '@roster/fields/objects';
import { hasErrorCode } from '../errors.ts';
import { loadClient, proceduresIn } from './client.ts';
import { type Connection, isSessionToken } from './connection.ts';

export interface Identity {
  /** `rejected`: the key is invalid or missing. */
  state: 'accepted' | 'rejected';
  /** The name of the person, or of the key; that is known only to a key with the scope `keys:manage`. */
  name?: string;
  scopes?: readonly string[];
  isComplete?: boolean;
  /** When it expires, RFC 3339; null for never. */
  expiresAt?: string | null;
}

/** Characters of a secret that the service shows (the field `hint` of a key). */
const PREFIX_LENGTH = 12;

/** The first characters of a key, enough to recognise it and too few to guess it. */
export function keyPrefix(key: string): string {
  // Generated keys have a public prefix. Of a secret that a person chose, fewer characters are safe to show.
  return `${key.slice(0, /^rs[ts]_/.test(key) ? PREFIX_LENGTH : Math.min(4, key.length / 4))}…`;
}

/** Finds the key by the prefix of its secret; undefined for ROSTER_ADMIN_KEY, which is not listed. */
async function findKey(
  { keys }: RosterClient,
  secret: string,
  signal: AbortSignal,
): Promise<Key | undefined> {
  for await (const key of keys.all({ limit: 200 }, { signal }))
    if (key.hint === secret.slice(0, PREFIX_LENGTH)) return key;
  return undefined;
}

async function mayList(
  name: string,
  { client, signal, input = {} }: { client: RosterClient; signal: AbortSignal; input?: object },
): Promise<boolean> {
  try {
    await proceduresIn(client, name).list.query({ limit: 1, ...input }, { signal });
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'insufficient_scope')) return false;
    throw error;
  }
}

/** The read scopes of a key, found by listing each resource; of events, with the types of resources that it may list. */
async function readable(client: RosterClient, signal: AbortSignal): Promise<string[]> {
  const found: ResourceName[] = [];
  for (const name of keysOf(records)) if (await mayList(name, { client, signal })) found.push(name);
  const input = { types: found.map((name) => `${records[name].singular}.created`) };
  const areEventsFound = found.length > 0 && (await mayList('events', { client, signal, input }));
  return [...found, ...(areEventsFound ? ['events'] : [])].map((name) => `${name}:read`);
}

async function sessionIdentity({ sessions }: RosterClient, signal: AbortSignal): Promise<Identity> {
  const { name, scopes, expiresAt } = await sessions.current.query({}, { signal });
  return { state: 'accepted', name, scopes, expiresAt, isComplete: true };
}

/** Asks the service about the key of a connection. Throws `RosterError` if the service cannot answer. */
export async function identify(connection: Connection, signal: AbortSignal): Promise<Identity> {
  const { key } = connection;
  if (key === undefined) return { state: 'rejected' };
  const client = await loadClient(connection);
  try {
    if (isSessionToken(key)) return await sessionIdentity(client, signal);
    const found = await findKey(client, key, signal);
    if (found === undefined) return { state: 'accepted', name: "the service's own key", isComplete: true };
    const { name, scopes, expiresAt } = found;
    return { state: 'accepted', name, scopes, expiresAt, isComplete: true };
  } catch (error) {
    if (!(error instanceof RosterError)) throw error;
    if (error.code === 'unauthenticated') return { state: 'rejected' };
    if (error.code !== 'insufficient_scope') throw error;
    return { state: 'accepted', scopes: await readable(client, signal), isComplete: false };
  }
}

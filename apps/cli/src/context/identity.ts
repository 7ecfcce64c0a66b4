import { type Key, RosterError } from '@roster/client';
import { type Procedures, proceduresOf } from './command-context.ts';
import type { Connection } from './connection.ts';

/** What the service tells a key about itself. */
export interface Identity {
  /**
   * - `accepted`: it is valid;
   * - `refused`: it is not, or there is none.
   */
  state: 'accepted' | 'refused';
  /** What it is called; only a key that may see keys learns it. */
  name?: string;
  /** What it may do: all of it, or as much as can be seen by trying to read. */
  scopes?: readonly string[];
  /** Whether the scopes are all there are. */
  isComplete?: boolean;
  /** When it stops by itself; null for never. */
  expiresAt?: string | null;
}

/** How much of a secret the service shows as a hint. */
const HINT_LENGTH = 12;

/** The beginning of a key, which tells it from others and gives nothing away. */
export function hintOf(key: string): string {
  // The service shows as much of its own keys; of a secret somebody chose, less would do to guess it.
  return `${key.slice(0, key.startsWith('rst_') ? HINT_LENGTH : Math.min(4, key.length / 4))}…`;
}

/** Whether a call was refused for this reason; throws what else went wrong. */
async function isRefused(call: Promise<unknown>, code: RosterError['code']): Promise<boolean> {
  try {
    await call;
    return false;
  } catch (error) {
    if (error instanceof RosterError && error.code === code) return true;
    throw error;
  }
}

/** The key among all keys, by the beginning of its secret; undefined for the service's own, which is in no list. */
async function foundIn(keys: Procedures, secret: string, signal: AbortSignal): Promise<Key | undefined> {
  let cursor: string | undefined;
  do {
    const input = { limit: 200, ...(cursor !== undefined && { cursor }) };
    const page = await keys.list.query(input, { signal });
    const found = page.items.find(({ hint }) => secret.slice(0, HINT_LENGTH) === hint);
    if (found !== undefined) return found as unknown as Key;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return undefined;
}

/** Whether a key may list what this input asks for. */
async function mayList(
  name: string,
  { connection, signal, input = {} }: { connection: Connection; signal: AbortSignal; input?: object },
): Promise<boolean> {
  const { list } = await proceduresOf(name, connection);
  return !(await isRefused(list.query({ limit: 1, ...input }, { signal }), 'insufficient_scope'));
}

/** The read scopes that a key shows by what it may list; of events, by those of records that it may list. */
async function readable(connection: Connection, signal: AbortSignal): Promise<string[]> {
  const types = { offices: 'office.created', agents: 'agent.created' };
  const found: (keyof typeof types)[] = [];
  for (const name of ['offices', 'agents'] as const)
    if (await mayList(name, { connection, signal })) found.push(name);
  const input = { types: found.map((name) => types[name]) };
  const areEventsFound = found.length > 0 && (await mayList('events', { connection, signal, input }));
  return [...found, ...(areEventsFound ? ['events'] : [])].map((name) => `${name}:read`);
}

/** Asks the service what it knows of the key of a connection. Throws when it cannot answer. */
export async function identify(connection: Connection, signal: AbortSignal): Promise<Identity> {
  const { key } = connection;
  if (key === undefined) return { state: 'refused' };
  const keys = await proceduresOf('keys', connection);
  try {
    const found = await foundIn(keys, key, signal);
    if (found === undefined) return { state: 'accepted', name: "the service's own key", isComplete: true };
    const { name, scopes, expiresAt } = found;
    return { state: 'accepted', name, scopes, expiresAt, isComplete: true };
  } catch (error) {
    if (!(error instanceof RosterError)) throw error;
    if (error.code === 'unauthenticated') return { state: 'refused' };
    if (error.code !== 'insufficient_scope') throw error;
    return { state: 'accepted', scopes: await readable(connection, signal), isComplete: false };
  }
}

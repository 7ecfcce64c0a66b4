import type { ResourceName, RosterClient } from '@roster/client';
import type { Row } from '../contract/columns.ts';
import type { Page } from './client.ts';
import type { Connection } from './connection.ts';

export type ReadList = (resource: ResourceName, input: Record<string, unknown>) => Promise<Page>;

/** More attempts than the client makes by itself, so that a long export survives a restart of the service and a used-up quota. */
const ATTEMPTS = 12;
const TIMEOUT_MS = 60_000;
/** Ids in one call: the limit of the service. */
const IDS_MAX = 200;

export async function listsOf(client: RosterClient, signal: AbortSignal): Promise<ReadList> {
  const { callsByName } = await import('@roster/client');
  const calls = callsByName(client);
  return (resource, input) => calls.query<Page>(`${resource}.list`, input, { signal });
}

export async function createListReader({ url, key }: Connection, signal: AbortSignal): Promise<ReadList> {
  const { createRosterClient } = await import('@roster/client');
  return listsOf(createRosterClient({ url, key, attempts: ATTEMPTS, timeoutMs: TIMEOUT_MS }), signal);
}

export async function recordsById(
  readList: ReadList,
  resource: ResourceName,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const found = new Map<string, Row>();
  const all = [...new Set(ids)];
  for (let from = 0; from < all.length; from += IDS_MAX) {
    const { items } = await readList(resource, { ids: all.slice(from, from + IDS_MAX), limit: IDS_MAX });
    for (const item of items) found.set(String(item.id), item);
  }
  return found;
}

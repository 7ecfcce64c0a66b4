import { skipToken, useQuery } from '@tanstack/react-query';
import { useRights } from '../api/caller.ts';
import type { ResourceName } from '../api/contract/contracts.ts';
import { type DirectoryRecord, nameOf } from './record.ts';
import { callsOf } from './record-calls.ts';

/** As many as a list takes of `ids`. */
const IDS_MAX = 200;
const FRESH_MS = 5 * 60_000;

interface Waiting {
  id: string;
  resolve: (record: DirectoryRecord | null) => void;
  reject: (error: unknown) => void;
}

const waiting = new Map<ResourceName, Waiting[]>();

async function readRecords(resource: ResourceName, ids: string[]): Promise<Map<string, DirectoryRecord>> {
  const { items } = await callsOf(resource).list.query({ ids, limit: IDS_MAX });
  return new Map(items.map((record) => [record.id, record]));
}

async function send(resource: ResourceName): Promise<void> {
  const all = waiting.get(resource) ?? [];
  waiting.delete(resource);
  for (let at = 0; at < all.length; at += IDS_MAX) {
    const some = all.slice(at, at + IDS_MAX);
    try {
      const records = await readRecords(resource, [...new Set(some.map(({ id }) => id))]);
      for (const { id, resolve } of some) resolve(records.get(id) ?? null);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }
}

/** Reads a record, in one call with all others that are wanted at the same moment. */
export function findReferred(resource: ResourceName, id: string): Promise<DirectoryRecord | null> {
  return new Promise((resolve, reject) => {
    const all = waiting.get(resource) ?? [];
    waiting.set(resource, all);
    all.push({ id, resolve, reject });
    if (all.length === 1) setTimeout(() => void send(resource));
  });
}

/**
 * A record that something refers to: null if it does not exist for the caller or is of no known resource, undefined until it is known.
 * Those of a page are read in one call.
 */
export function useReferred(
  resource: ResourceName | undefined,
  id: string | null,
): DirectoryRecord | null | undefined {
  const { can } = useRights();
  const enabled = resource !== undefined && id !== null && can(`${resource}:read`);
  const { data, isError } = useQuery({
    queryKey: [resource, 'referred', { id }],
    queryFn: enabled ? () => findReferred(resource, id) : skipToken,
    staleTime: FRESH_MS,
  });
  return isError || !enabled ? null : data;
}

export function useRecordName(resource: ResourceName | undefined, id: string): string | null | undefined {
  const record = useReferred(resource, id);
  return record && nameOf(record);
}

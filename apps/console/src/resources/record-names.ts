import { skipToken, useQuery } from '@tanstack/react-query';
import { useRights } from '../api/caller.ts';
import type { ResourceName } from '../contract/contracts.ts';
import { nameOf } from './record.ts';
import { callsOf } from './record-calls.ts';

/** As many as a list takes of `ids`. */
const IDS_MAX = 200;
const FRESH_MS = 5 * 60_000;

interface Waiting {
  id: string;
  resolve: (name: string | null) => void;
  reject: (error: unknown) => void;
}

const waiting = new Map<ResourceName, Waiting[]>();

async function readNames(resource: ResourceName, ids: string[]): Promise<Map<string, string>> {
  const { items } = await callsOf(resource).list.query({ ids, limit: IDS_MAX });
  return new Map(items.map((record) => [record.id, nameOf(record)]));
}

async function send(resource: ResourceName): Promise<void> {
  const all = waiting.get(resource) ?? [];
  waiting.delete(resource);
  for (let at = 0; at < all.length; at += IDS_MAX) {
    const some = all.slice(at, at + IDS_MAX);
    try {
      const names = await readNames(resource, [...new Set(some.map(({ id }) => id))]);
      for (const { id, resolve } of some) resolve(names.get(id) ?? null);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }
}

/** Reads the name of a record, in one call with all others that are wanted at the same moment. */
function findName(resource: ResourceName, id: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const all = waiting.get(resource) ?? [];
    waiting.set(resource, all);
    all.push({ id, resolve, reject });
    if (all.length === 1) setTimeout(() => void send(resource));
  });
}

/** The name of a record: null if it does not exist for the caller or is of no known resource, undefined until it is known. */
export function useRecordName(resource: ResourceName | undefined, id: string): string | null | undefined {
  const { can } = useRights();
  const enabled = resource !== undefined && can(`${resource}:read`);
  const { data, isError } = useQuery({
    queryKey: [resource, 'name', { id }],
    queryFn: resource === undefined ? skipToken : () => findName(resource, id),
    staleTime: FRESH_MS,
    enabled,
  });
  return isError || !enabled ? null : data;
}

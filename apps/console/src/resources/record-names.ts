import { useQuery } from '@tanstack/react-query';
import { useRights } from '../api/caller.ts';
import { roster } from '../api/client.ts';

type Resource = 'offices' | 'agents';

/** As many as a list takes of `ids`. */
const IDS_MAX = 200;
const FRESH_MS = 5 * 60_000;

interface Waiting {
  id: string;
  resolve: (name: string | null) => void;
  reject: (error: unknown) => void;
}

const waiting: Record<Resource, Waiting[]> = { offices: [], agents: [] };

async function readNames(resource: Resource, ids: string[]): Promise<Map<string, string>> {
  const limit = IDS_MAX;
  const names =
    resource === 'offices'
      ? (await roster.offices.list.query({ ids, limit })).items.map(({ id, name }) => [id, name] as const)
      : (await roster.agents.list.query({ ids, limit })).items.map(
          (one) => [one.id, one.displayName] as const,
        );
  return new Map(names);
}

async function send(resource: Resource): Promise<void> {
  const all = waiting[resource].splice(0);
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
function nameOf(resource: Resource, id: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    waiting[resource].push({ id, resolve, reject });
    if (waiting[resource].length === 1) setTimeout(() => void send(resource));
  });
}

/** The name of a record: null if it does not exist for the caller, undefined until it is known. */
export function useRecordName(resource: Resource, id: string): string | null | undefined {
  const enabled = useRights().can(`${resource}:read`);
  const { data, isError } = useQuery({
    queryKey: [resource, 'name', { id }],
    queryFn: () => nameOf(resource, id),
    staleTime: FRESH_MS,
    enabled,
  });
  return isError || !enabled ? null : data;
}

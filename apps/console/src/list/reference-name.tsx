import { useQuery } from '@tanstack/react-query';
import { queryClient } from '../api/client.ts';
import { type ListedRecord, nameOf, type ResourceName, readPage } from './queries.ts';

/** Names that are read at once: the most that the API takes. */
const BATCH_MAX = 200;
/** How long to wait for more names to read with the first one, in milliseconds. */
const COLLECT_MS = 10;

type Waiting = (record: ListedRecord | undefined) => void;

const waiting: Record<ResourceName, Map<string, Waiting[]>> = { offices: new Map(), agents: new Map() };

async function readWaiting(resource: ResourceName): Promise<void> {
  const batch = [...waiting[resource]].slice(0, BATCH_MAX);
  for (const [id] of batch) waiting[resource].delete(id);
  if (waiting[resource].size > 0) void readWaiting(resource);
  const ids = batch.map(([id]) => id);
  const found = await readPage(resource, { ids, limit: BATCH_MAX }).catch(() => ({ items: [] }));
  const byId = new Map<string, ListedRecord>(found.items.map((record) => [record.id, record]));
  for (const [id, resolves] of batch) for (const resolve of resolves) resolve(byId.get(id));
}

/** The name of a record, read together with the others that are asked for now; its id if the caller may not read it. */
function readName(resource: ResourceName, id: string): Promise<string> {
  if (waiting[resource].size === 0) setTimeout(() => void readWaiting(resource), COLLECT_MS);
  return new Promise((resolve) => {
    const others = waiting[resource].get(id) ?? [];
    waiting[resource].set(id, [...others, (record) => resolve(record === undefined ? id : nameOf(record))]);
  });
}

/** The names of records that another one refers to. */
export function ReferenceName({ resource, ids }: { resource: ResourceName; ids: readonly string[] }) {
  const { data } = useQuery({
    queryKey: [resource, 'names', ids],
    queryFn: () =>
      Promise.all(
        ids.map((id) =>
          queryClient.fetchQuery({
            queryKey: [resource, 'name', id],
            queryFn: () => readName(resource, id),
            staleTime: 60_000,
          }),
        ),
      ),
  });
  return data?.join(', ') ?? '…';
}

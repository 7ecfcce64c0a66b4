import type { FollowedEvent } from '@roster/client';
import { referredIds } from '../../../resources/event-types.ts';
import type { DirectoryRecord, RecordPage } from '../../../resources/record.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import type { Mark } from '../list/grid/grid.tsx';
import { type ListRequest, listInput } from '../list/queries.ts';
import { indexOf, type List } from '../list/use-list.ts';

/** Changed records that are looked up at once; after more than these the list is only said to have changed. */
export const LOOKED_UP_MAX = 200;

export interface Effects {
  newer: ReadonlyMap<string, DirectoryRecord>;
  marks: ReadonlyMap<string, Mark>;
  /** Changes that would move rows: they wait until someone wants to see them. */
  waiting: number;
  hasOwn: boolean;
}

function idsOf(request: ListRequest, ids: readonly string[]): string[] {
  const only = request.filter.ids;
  return only === undefined ? [...ids] : ids.filter((id) => [only].flat().includes(id));
}

async function matching(list: List, ids: readonly string[]): Promise<Map<string, DirectoryRecord>> {
  const wanted = idsOf(list.request, ids);
  if (wanted.length === 0) return new Map();
  const input = { ...listInput(list.request), ids: wanted, limit: LOOKED_UP_MAX };
  const page: RecordPage = await callsOf(list.request.resource).list.query(input);
  const isSame = (page.isSimilar === true) === list.isSimilar;
  return new Map(isSame ? page.items.map((record) => [record.id, record]) : []);
}

export async function readRecounted(
  list: List,
  events: readonly FollowedEvent[],
): Promise<Map<string, DirectoryRecord>> {
  const { resource, expand } = list.request;
  if (!expand.includes('counts')) return new Map();
  const referred = new Set(events.flatMap((event) => referredIds(resource, event)));
  const ids = [...referred].filter((id) => indexOf(list, id) >= 0);
  const found = new Map<string, DirectoryRecord>();
  for (let first = 0; first < ids.length; first += LOOKED_UP_MAX)
    for (const [id, record] of await matching(list, ids.slice(first, first + LOOKED_UP_MAX)))
      found.set(id, record);
  return found;
}

/**
 * Finds out what some changes mean for a list: which rows to update where they are, which are gone, and how many changes would
 * move rows. It reads the changed records that may be in the list, and nothing else.
 */
export async function readEffects(
  list: List,
  events: readonly FollowedEvent[],
  isOwn: (event: FollowedEvent) => boolean,
): Promise<Effects> {
  const isLoaded = (id: string) => indexOf(list, id) >= 0;
  const latest = new Map(events.map((event) => [event.subject, event]));
  const isDeleted = ({ type }: FollowedEvent) => type.endsWith('.deleted');
  const created = new Map(
    events.filter(({ type }) => type.endsWith('.created')).map((event) => [event.subject, event]),
  );
  const asked = [...latest.values()].filter((event) => !isDeleted(event)).map(({ subject }) => subject);
  const found = await matching(list, asked);
  const newer = new Map<string, DirectoryRecord>();
  const marks = new Map<string, Mark>();
  let waiting = 0;
  let hasOwn = false;
  const field = list.request.sort.replace('-', '');
  const sortValue = (record: DirectoryRecord | undefined) => record?.[field];
  for (const id of latest.keys()) {
    const record = found.get(id);
    if (!isLoaded(id)) {
      const creation = created.get(id);
      if (record === undefined || creation === undefined) continue;
      if (isOwn(creation)) hasOwn = true;
      else waiting += 1;
    } else if (record === undefined) {
      marks.set(id, 'gone');
      waiting += 1;
    } else {
      const before = list.rows[indexOf(list, id)]?.record;
      newer.set(id, record);
      marks.set(id, 'changed');
      if (field !== 'relevance' && sortValue(before) !== sortValue(record)) waiting += 1;
    }
  }
  return { newer, marks, waiting, hasOwn };
}

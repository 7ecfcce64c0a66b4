import type { FollowedEvent } from '@roster/client';
import { referredIds } from '../../../resources/event-types.ts';
import type { DirectoryRecord, RecordPage } from '../../../resources/record.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import type { ListStore, Mark } from '../list/list-store.ts';
import { indexOf, recordAt } from '../list/page-window.ts';
import { listInput } from '../list/queries.ts';

/** Changed records that are looked up at once; after more than these the list is only said to have changed. */
export const LOOKED_UP_MAX = 200;

export interface Effects {
  newer: ReadonlyMap<string, DirectoryRecord>;
  marks: ReadonlyMap<string, Mark>;
  /** Changes that would move rows: they wait until someone wants to see them. */
  waiting: number;
  hasOwn: boolean;
}

function idsOf(request: ListStore['request'], ids: readonly string[]): string[] {
  const only = request.filter.ids;
  return only === undefined ? [...ids] : ids.filter((id) => [only].flat().includes(id));
}

async function matching(store: ListStore, ids: readonly string[]): Promise<Map<string, DirectoryRecord>> {
  const wanted = idsOf(store.request, ids);
  if (wanted.length === 0) return new Map();
  const input = { ...listInput(store.request), ids: wanted, limit: LOOKED_UP_MAX };
  const page: RecordPage = await callsOf(store.request.resource).list.query(input);
  const isSame = (page.isSimilar === true) === store.state().isSimilar;
  return new Map(isSame ? page.items.map((record) => [record.id, record]) : []);
}

export async function readRecounted(
  store: ListStore,
  events: readonly FollowedEvent[],
): Promise<Map<string, DirectoryRecord>> {
  const { resource, expand } = store.request;
  if (expand !== 'counts') return new Map();
  const { window } = store.state();
  const referred = new Set(events.flatMap((event) => referredIds(resource, event)));
  const ids = [...referred].filter((id) => indexOf(window, id) !== undefined);
  const found = new Map<string, DirectoryRecord>();
  for (let first = 0; first < ids.length; first += LOOKED_UP_MAX)
    for (const [id, record] of await matching(store, ids.slice(first, first + LOOKED_UP_MAX)))
      found.set(id, record);
  return found;
}

/**
 * Finds out what some changes mean for a list: which rows to update where they are, which are gone, and how many changes would
 * move rows. It reads the changed records that may be in the list, and nothing else.
 */
export async function readEffects(
  store: ListStore,
  events: readonly FollowedEvent[],
  isOwn: (event: FollowedEvent) => boolean,
): Promise<Effects> {
  const { window } = store.state();
  const isLoaded = (id: string) => indexOf(window, id) !== undefined;
  const latest = new Map(events.map((event) => [event.subject, event]));
  const isDeleted = ({ type }: FollowedEvent) => type.endsWith('.deleted');
  const created = new Map(
    events.filter(({ type }) => type.endsWith('.created')).map((event) => [event.subject, event]),
  );
  const asked = [...latest.values()].filter((event) => !isDeleted(event)).map(({ subject }) => subject);
  const found = await matching(store, asked);
  const newer = new Map<string, DirectoryRecord>();
  const marks = new Map<string, Mark>();
  let waiting = 0;
  let hasOwn = false;
  const field = store.request.sort.replace('-', '');
  const sortValue = (record: DirectoryRecord | undefined) =>
    (record as Record<string, unknown> | undefined)?.[field];
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
      const before = recordAt(window, indexOf(window, id) ?? -1)?.record;
      newer.set(id, record);
      marks.set(id, 'changed');
      if (field !== 'relevance' && sortValue(before) !== sortValue(record)) waiting += 1;
    }
  }
  return { newer, marks, waiting, hasOwn };
}

export function effectsOfPage(
  store: ListStore,
  page: RecordPage,
): Pick<Effects, 'newer' | 'marks'> & { isSame: boolean } {
  const { window, total } = store.state();
  const newer = new Map<string, DirectoryRecord>();
  const marks = new Map<string, Mark>();
  let isSame = page.total === total;
  if (window.offset === 0) {
    for (const [index, record] of page.items.entries()) {
      const before = recordAt(window, index)?.record;
      if (before === undefined) break;
      if (before.id !== record.id) isSame = false;
      else if (before.version < record.version) {
        newer.set(record.id, record);
        marks.set(record.id, 'changed');
      } else if (JSON.stringify(before.counts) !== JSON.stringify(record.counts))
        newer.set(record.id, record);
    }
  }
  return { newer, marks, isSame };
}

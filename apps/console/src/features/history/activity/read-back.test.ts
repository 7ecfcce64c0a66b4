import { type Event, type EventPage, type EventQuery, RosterError } from '@roster/client';
import { describe, expect, it } from 'vitest';
import { endOfLog, readBack } from './read-back.ts';

const at = (position: number) => new Date(Date.UTC(2026, 0, 1) + position * 60_000).toISOString();

/** A log of a length, in which every tenth change is of an office, and every hundredth by Ana. */
function logOf(length: number, { compactedTo = 0 } = {}) {
  const events = Array.from({ length }, (_, index): Event => {
    const position = index + 1;
    const type = position % 10 === 0 ? 'office.updated' : 'agent.updated';
    const actorId = position % 100 === 0 ? 'ana' : 'else';
    return { position, type, actorId, subject: `record ${position % 7}`, occurredAt: at(position) } as Event;
  });
  let calls = 0;
  const list = async (query: EventQuery): Promise<EventPage> => {
    calls += 1;
    if (query.after === 'latest') return { items: [], nextAfter: String(length), hasMore: false };
    const after = Number.parseInt(query.after ?? '0', 10);
    if (after > 0 && after < compactedTo)
      throw new RosterError({ code: 'cursor_expired', detail: 'gone', status: 410 } as never);
    const matching = events.filter(
      ({ position, type, subject }) =>
        position > after &&
        (query.types === undefined || [query.types].flat().includes(type)) &&
        (query.subject === undefined || query.subject === subject),
    );
    const items = matching.slice(0, query.limit);
    const isAll = items.length === matching.length;
    return { items, nextAfter: String(isAll ? length : items.at(-1)?.position), hasMore: !isAll };
  };
  return { list, calls: () => calls };
}

const positions = (events: readonly Event[]) => events.map(({ position }) => position);

describe('reading the log backwards', () => {
  it('returns every change once, the latest first, however many pages it takes', async () => {
    const { list } = logOf(1_234);
    const seen: number[] = [];
    for (let before: number | undefined = await endOfLog(list); before !== undefined; ) {
      const slice = await readBack(list, { types: [] }, before);
      seen.push(...positions(slice.events));
      before = slice.before;
    }
    expect(seen).toEqual(Array.from({ length: 1_234 }, (_, index) => 1_234 - index));
  });

  it('finds rare changes in longer and longer stretches, in few calls', async () => {
    const { list, calls } = logOf(20_000);
    const { events } = await readBack(list, { types: ['office.updated'], actorId: 'ana' }, 20_000);
    expect(positions(events).slice(0, 3)).toEqual([20_000, 19_900, 19_800]);
    expect(calls()).toBeLessThanOrEqual(20);
  });

  it('reads nothing older than the time since which changes are wanted', async () => {
    const { list } = logOf(5_000);
    const slice = await readBack(list, { types: [], since: at(4_980) }, 5_000);
    expect(positions(slice.events).at(-1)).toBe(4_980);
    expect(slice.before).toBeUndefined();
  });

  it('reads all changes of one record at once', async () => {
    const { list } = logOf(700);
    const slice = await readBack(list, { types: [], subject: 'record 3' }, 700);
    expect(slice.events).toHaveLength(100);
    expect(slice.before).toBeUndefined();
  });

  it('says where the log is compacted', async () => {
    const { list } = logOf(1_000, { compactedTo: 940 });
    const slice = await readBack(list, { types: [] }, 1_000);
    expect(slice).toMatchObject({ isCompacted: true });
    expect(slice.before).toBeUndefined();
  });
});

import { type Event, type EventPage, type EventQuery, RosterError } from '@roster/client';

/** Which changes are shown. What the service does not filter by, the page does. */
export interface ActivityFilter {
  types: readonly string[];
  subject?: string;
  actorId?: string;
  since?: string;
}

export interface ActivitySlice {
  events: Event[];
  /** The position before which it goes on; undefined at the end. */
  before?: number;
  /** Whether what is older is compacted: the log keeps only the newest change of each record there. */
  isCompacted?: true;
}

type List = (query: EventQuery) => Promise<EventPage>;

const WANTED = 50;
/** The positions of the log that are read at first, and at most at once, in search of them. */
const SPAN_MIN = 100;
const SPAN_MAX = 25_600;
const LIMIT = 200;
/** The most calls before the reader is asked whether to go on. */
const CALLS_MAX = 12;

export function isShown({ actorId, since, subject, types }: ActivityFilter, event: Event): boolean {
  return (
    (actorId === undefined || event.actorId === actorId) &&
    (since === undefined || event.occurredAt >= since) &&
    (subject === undefined || event.subject === subject) &&
    (types.length === 0 || types.includes(event.type))
  );
}

export async function endOfLog(list: List): Promise<number> {
  return Number.parseInt((await list({ after: 'latest' })).nextAfter, 10);
}

interface Stretch {
  events: Event[];
  calls: number;
}

async function readStretch(list: List, query: EventQuery, to: number): Promise<Stretch> {
  const events: Event[] = [];
  let after = query.after;
  for (let calls = 1; ; calls += 1) {
    const { items, nextAfter, hasMore } = await list({ ...query, after });
    events.push(...items.filter(({ position }) => position <= to));
    if (!hasMore || Number.parseInt(nextAfter, 10) >= to) return { events, calls };
    after = nextAfter;
  }
}

/**
 * Reads the log backwards, which the service returns forwards: in stretches of positions that grow until enough of them pass the
 * filter. It returns before it has found enough after a number of calls, so that the reader can stop a long search.
 */
export async function readBack(list: List, filter: ActivityFilter, before: number): Promise<ActivitySlice> {
  const { types, subject, since } = filter;
  const query = {
    limit: LIMIT,
    ...(types.length > 0 && { types: [...types] as NonNullable<EventQuery['types']> }),
    ...(subject !== undefined && { subject }),
  } as EventQuery;
  const found: Event[] = [];
  let to = before;
  let span = subject === undefined ? SPAN_MIN : Number.POSITIVE_INFINITY;
  for (let calls = 0; to > 0 && calls < CALLS_MAX; span = Math.min(span * 2, SPAN_MAX)) {
    const from = Math.max(0, to - span);
    try {
      const stretch = await readStretch(list, { ...query, after: String(from) }, to);
      calls += stretch.calls;
      const events = stretch.events.toReversed();
      found.push(...events.filter((event) => isShown(filter, event)));
      if (since !== undefined && events.some(({ occurredAt }) => occurredAt < since))
        return { events: found };
    } catch (error) {
      if (!(error instanceof RosterError && error.code === 'cursor_expired')) throw error;
      return { events: found, isCompacted: true };
    }
    to = from;
    if (found.length >= WANTED) break;
  }
  return to > 0 ? { events: found, before: to } : { events: found };
}

import type { Event, EventQuery } from '@roster/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { roster } from '../../api/client.ts';
import { useEvents } from '../../api/live.ts';

export interface ActivityFilter {
  types: readonly string[];
  subject?: string;
  actorId?: string;
  since?: string;
}

interface ActivitySlice {
  events: Event[];
  /** The cursor to older changes; undefined at the end. */
  after?: string;
  /** Whether it reaches changes of which the log only keeps the latest of each record. */
  isCompacted: boolean;
}

function isShown({ actorId, since, subject, types }: ActivityFilter, event: Event): boolean {
  return (
    (actorId === undefined || event.actorId === actorId) &&
    (since === undefined || event.occurredAt >= since) &&
    (subject === undefined || event.subject === subject) &&
    (types.length === 0 || types.includes(event.type))
  );
}

const LIMIT = 50;
/** The most calls for a slice. The service returns empty pages while it searches a long log for rare changes. */
const CALLS_MAX = 12;

async function readOlder(
  { since, types, ...filter }: ActivityFilter,
  start: string,
  signal: AbortSignal,
): Promise<ActivitySlice> {
  const query = {
    sort: '-position',
    limit: LIMIT,
    ...filter,
    ...(types.length > 0 && { types }),
  } as EventQuery;
  let after = start;
  for (let calls = 1; ; calls += 1) {
    const { items, hasMore, nextAfter, compactedTo } = await roster.events.list.query(
      { ...query, after },
      { signal },
    );
    const events = items.filter(({ occurredAt }) => since === undefined || occurredAt >= since);
    const isEnd = !hasMore || events.length < items.length;
    const isCompacted = Number.parseInt(nextAfter, 10) < compactedTo;
    if (isEnd) return { events, isCompacted };
    if (events.length > 0 || calls === CALLS_MAX) return { events, isCompacted, after: nextAfter };
    after = nextAfter;
  }
}

interface Live {
  key: string;
  shown: Event[];
  /** Those that wait until someone wants to see them, so that nothing moves while it is read. */
  waiting: Event[];
}

export function useActivity(filter: ActivityFilter) {
  const key = JSON.stringify(filter);
  const [kept, setLive] = useState<Live>({ key, shown: [], waiting: [] });
  const live = kept.key === key ? kept : { key, shown: [], waiting: [] };
  const query = useInfiniteQuery({
    queryKey: ['events', 'back', filter] as const,
    queryFn: ({ pageParam, signal }) => readOlder(filter, pageParam, signal),
    initialPageParam: 'latest',
    getNextPageParam: ({ after }) => after,
    // Events that were read do not change, and later ones come by themselves.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const read = query.data?.pages.flatMap(({ events }) => events) ?? [];
  useEvents((event) => {
    if (!isShown(filter, event) || event.position <= (read[0]?.position ?? 0)) return;
    setLive((previous) => {
      const now = previous.key === key ? previous : { key, shown: [], waiting: [] };
      return { ...now, waiting: [event, ...now.waiting] };
    });
  });
  return {
    query,
    events: [...live.shown, ...read],
    newCount: live.shown.length,
    waitingCount: live.waiting.length,
    showWaiting: () => setLive({ key, shown: [...live.waiting, ...live.shown], waiting: [] }),
    isCompacted: query.data?.pages.at(-1)?.isCompacted === true,
  };
}

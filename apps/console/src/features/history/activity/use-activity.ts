import type { Event } from '@roster/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { roster } from '../../../api/client.ts';
import { useEvents } from '../../../api/live.ts';
import { type ActivityFilter, endOfLog, isShown, readBack } from './read-back.ts';

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
    queryFn: async ({ pageParam, signal }) => {
      const list = (input: Parameters<typeof roster.events.list.query>[0]) =>
        roster.events.list.query(input, { signal });
      return readBack(list, filter, pageParam ?? (await endOfLog(list)));
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ before }) => before,
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

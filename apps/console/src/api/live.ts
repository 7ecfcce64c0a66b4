import type { FollowedEvent } from '@roster/client';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { markInterrupted, markReached } from './connection.ts';
import { markSignedOut } from './session-end.ts';
import { followStream, type StreamNews, type StreamOptions } from './shared-stream.ts';

type Listener = (event: FollowedEvent) => void;

const listeners = new Set<Listener>();

/** Whether everything shown is read again as soon as the tab is seen. */
let isReadPending = false;

/** Calls a listener for every change that anyone makes, as long as the component is shown. */
export function useEvents(listener: Listener): void {
  const onEvent = useEffectEvent(listener);
  useEffect(() => {
    const called: Listener = (event) => onEvent(event);
    listeners.add(called);
    return () => {
      listeners.delete(called);
    };
  }, []);
}

/** What is read again as a whole, because there is little of it. */
const smallResources: Readonly<Record<string, string>> = {
  key: 'keys',
  webhook: 'webhooks',
  person: 'people',
  session: 'sessions',
};

/** Updates what is cached of the record that an event is about. Lists update themselves, without moving what is read. */
function updateCache(client: QueryClient, event: FollowedEvent): void {
  const [kind = ''] = event.type.split('.');
  const small = smallResources[kind];
  if (small !== undefined) void client.invalidateQueries({ queryKey: [small] });
  if (kind !== 'office' && kind !== 'agent') return;
  const resource = `${kind}s`;
  const mentions = (key: readonly unknown[]) => (key[2] as { id?: string } | undefined)?.id === event.subject;
  // A read, a history and a blame of the record are asked again if they are shown.
  void client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === resource && mentions(queryKey),
  });
}

/** Reads again what is shown: at once, or as soon as the tab is seen. */
function readAgain(client: QueryClient): void {
  const read = () => void client.invalidateQueries();
  if (document.visibilityState !== 'hidden') {
    read();
    return;
  }
  if (isReadPending) return;
  isReadPending = true;
  const readWhenSeen = () => {
    isReadPending = false;
    read();
  };
  document.addEventListener('visibilitychange', readWhenSeen, { once: true });
}

/** Follows events of some types from now on until the signal fires, for a caller that may read them. */
export function followChanges(
  client: QueryClient,
  { callerId, types }: Pick<StreamOptions, 'callerId' | 'types'>,
  signal: AbortSignal,
): void {
  const onNews = (news: StreamNews) => {
    if (news.type === 'connected') markReached();
    else if (news.type === 'interrupted') markInterrupted();
    else if (news.type === 'signed-out') markSignedOut();
    else if (news.type === 'gap') readAgain(client);
    else if (news.type === 'event') {
      updateCache(client, news.event);
      for (const listener of listeners) listener(news.event);
    }
  };
  followStream({ callerId, types, onNews }, signal);
}

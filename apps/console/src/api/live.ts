import type { FollowedEvent } from '@roster/client';
import { isObject } from '@roster/fields/objects';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { markInterrupted, markReached } from './connection.ts';
import { markSignedOut } from './session-end.ts';
import { followStream, type StreamNews, type StreamOptions } from './shared-stream.ts';

type Listener = (event: FollowedEvent) => void;

const listeners = new Set<Listener>();

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

/** The resources that are read again as a whole, because they have few rows. */
const smallResources: Readonly<Record<string, string>> = {
  key: 'keys',
  webhook: 'webhooks',
  person: 'people',
  invitation: 'invitations',
  passkey: 'passkeys',
  session: 'sessions',
};

/** Updates what is cached of the record that an event is about. Lists update themselves, without moving what is read. */
function updateCache(client: QueryClient, event: FollowedEvent): void {
  const [kind = ''] = event.type.split('.');
  const small = smallResources[kind];
  if (small !== undefined) return void client.invalidateQueries({ queryKey: [small] });
  const resource = `${kind}s`;
  const mentions = ([, , input]: readonly unknown[]) => isObject(input) && input.id === event.subject;
  void client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === resource && mentions(queryKey),
  });
}

/**
 * Follows events of some types until the signal fires, for a caller that may read them. If a record was changed since the page was
 * loaded, what is shown is read again once when the stream is connected: a change after the first read is in neither.
 */
export function followChanges(
  client: QueryClient,
  followed: Omit<StreamOptions, 'onNews'>,
  signal: AbortSignal,
): void {
  const readAgain = () => void client.invalidateQueries();
  const small = Object.values(smallResources);
  const onGap = (hasRecords: boolean) => {
    if (!hasRecords)
      void client.invalidateQueries({ predicate: ({ queryKey }) => small.includes(String(queryKey[0])) });
    // A hidden tab reads when it is seen again, once, however often it was told.
    else if (document.hidden)
      document.addEventListener('visibilitychange', readAgain, { once: true, signal });
    else readAgain();
  };
  const onNews = (news: StreamNews) => {
    if (news.type === 'connected') markReached();
    else if (news.type === 'interrupted') markInterrupted();
    else if (news.type === 'signed-out') markSignedOut();
    else if (news.type === 'gap') onGap(news.hasRecords);
    else if (news.type === 'event') {
      updateCache(client, news.event);
      for (const listener of listeners) listener(news.event);
    }
  };
  followStream({ ...followed, onNews }, signal);
}

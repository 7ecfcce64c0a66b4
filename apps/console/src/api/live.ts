import type { EventType, FollowedEvent } from '@roster/client';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { isUnauthenticated, roster } from './client.ts';
import { markInterrupted } from './connection.ts';
import { markSignedOut, onSignIn } from './session-end.ts';

type Listener = (event: FollowedEvent) => void;

const listeners = new Set<Listener>();

/** How long to wait before the stream is opened again after an error that the client does not retry, in milliseconds. */
const REOPEN_MS = 5_000;

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

/** Says that the session has ended, and waits until someone signs in again, or the signal fires. */
function signedInAgain(signal: AbortSignal): Promise<void> {
  markSignedOut();
  return new Promise((resolve) => {
    const end = onSignIn(() => {
      end();
      resolve();
    });
    signal.addEventListener('abort', () => {
      end();
      resolve();
    });
  });
}

/**
 * Follows events of some types from now on until the signal fires, for a caller that may read them. The client reconnects and
 * continues where it was; after an error that it does not retry, everything shown is asked again.
 */
export async function followChanges(
  client: QueryClient,
  types: EventType[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of roster.events.follow(
        { types },
        { signal, onInterruption: markInterrupted },
      )) {
        updateCache(client, event);
        for (const listener of listeners) listener(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isUnauthenticated(error)) await signedInAgain(signal);
      else await new Promise((resolve) => setTimeout(resolve, REOPEN_MS));
      void client.invalidateQueries();
    }
  }
}

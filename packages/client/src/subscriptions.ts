import { type Operation, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter, EventStreamQuery } from './contract.ts';
import type { FollowedEvent, FollowHandlers, FollowQuery } from './follow.ts';

/** The one subscription of the service. */
const EVENTS = 'events.stream';

/** Reads events until the signal fires. */
export type Follow = (
  query: FollowQuery,
  handlers: FollowHandlers,
) => AsyncGenerator<FollowedEvent, void, undefined>;

/** `lastEventId` is the name tRPC has for the place to resume at; it wins, as it does in the service. */
function queryOf({ lastEventId, ...query }: EventStreamQuery = {}): FollowQuery {
  const after = lastEventId ?? query.after;
  return after === undefined ? query : { ...query, after };
}

/**
 * A link of tRPC that serves the subscription `events.stream` by `events.follow`: with the key in a header, which the
 * EventSource of a browser cannot send, and resumed after a broken connection. It reports its state as
 * `httpSubscriptionLink` does: connecting, pending (connected), idle (ended).
 */
export function eventSubscriptionLink(follow: Follow): TRPCLink<AppRouter> {
  return () =>
    ({ op }) =>
      observable((observer) => {
        const left = new AbortController();
        const signal = op.signal ? AbortSignal.any([op.signal, left.signal]) : left.signal;
        const report = (state: 'idle' | 'pending') =>
          observer.next({ result: { type: 'state', state, error: null } });
        const connecting = (error: TRPCClientError<AppRouter> | null) =>
          observer.next({ result: { type: 'state', state: 'connecting', error } });
        const onConnected = () => {
          observer.next({ result: { type: 'started' } });
          report('pending');
        };
        const read = async () => {
          const query = queryOf(inputOf(op));
          for await (const { cursor, ...event } of follow(query, {
            signal,
            onConnected,
            onInterruption: connecting,
          })) {
            observer.next({ result: { type: 'data', id: cursor, data: { id: cursor, data: event } } });
          }
        };
        connecting(null);
        read().catch((error: unknown) => {
          // Whoever unsubscribed expects no more; a signal of the caller's ends the subscription without an error.
          if (left.signal.aborted) return;
          if (!signal.aborted) return observer.error(TRPCClientError.from(error as Error));
          observer.next({ result: { type: 'stopped' } });
          report('idle');
          observer.complete();
        });
        return () => left.abort();
      });
}

function inputOf({ path, input }: Operation): EventStreamQuery | undefined {
  if (path !== EVENTS) throw new TypeError(`${path} is no subscription of Roster; ${EVENTS} is.`);
  return input as EventStreamQuery | undefined;
}

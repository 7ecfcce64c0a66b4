import { type Operation, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter, EventStreamQuery } from '../contract.d.ts';
import type { FollowedEvent, FollowOptions, FollowQuery } from './follow.ts';

const EVENTS = 'events.stream';

export type Follow = (
  query: FollowQuery,
  handlers: FollowOptions,
) => AsyncGenerator<FollowedEvent, void, undefined>;

/** tRPC's `lastEventId` resumes a stream and takes precedence over `after`, as in the service. */
function queryOf({ lastEventId, ...query }: EventStreamQuery = {}): FollowQuery {
  const after = lastEventId ?? query.after;
  return after === undefined ? query : { ...query, after };
}

/**
 * A tRPC link that serves the subscription `events.stream` by `events.follow`: with the key in a header,
 * which EventSource can't send, and with reconnects. Reports its state like `httpSubscriptionLink`:
 * connecting, pending (connected), idle (ended).
 */
export function eventSubscriptionLink(follow: Follow): TRPCLink<AppRouter> {
  return () =>
    ({ op }) =>
      observable((observer) => {
        const unsubscribed = new AbortController();
        const signal = op.signal ? AbortSignal.any([op.signal, unsubscribed.signal]) : unsubscribed.signal;
        const report = (state: 'idle' | 'pending') =>
          observer.next({ result: { type: 'state', state, error: null } });
        const reportConnecting = (error: TRPCClientError<AppRouter> | null) =>
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
            onInterruption: reportConnecting,
          })) {
            observer.next({ result: { type: 'data', id: cursor, data: { id: cursor, data: event } } });
          }
        };
        reportConnecting(null);
        read().catch((error: unknown) => {
          // After unsubscribe nothing is reported; the signal ends the subscription without an error.
          if (unsubscribed.signal.aborted) return;
          if (!signal.aborted) return observer.error(TRPCClientError.from(error as Error));
          observer.next({ result: { type: 'stopped' } });
          report('idle');
          observer.complete();
        });
        return () => unsubscribed.abort();
      });
}

function inputOf({ path, input }: Operation): EventStreamQuery | undefined {
  if (path !== EVENTS) throw new TypeError(`${path} is not a subscription of Roster; ${EVENTS} is.`);
  return input as EventStreamQuery | undefined;
}

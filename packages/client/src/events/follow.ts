import type { AbortOptions } from '../calls/pages.ts';
import {
  backoffMs,
  isTransient,
  pause,
  type RetryPolicy,
  searchParamsOf,
  withRetries,
} from '../calls/transport.ts';
import type { Event, EventQuery } from '../contract.d.ts';
import { aborted, parseJson, RosterError } from '../errors.ts';
import {
  connectionClosed,
  type EventStream,
  invalidStream,
  openStream,
  type StreamSource,
  streamProblem,
} from './stream.ts';

export type FollowedEvent = Event & {
  /** Store it with the result of the event: `follow({ after: cursor })` continues with the next one. */
  cursor: string;
};

/** Without `after` new events only, with "0" all that are kept. */
export type FollowQuery = Omit<EventQuery, 'limit'>;

export interface FollowOptions extends AbortOptions {
  /** Called when the connection is lost. */
  onInterruption?: ((error: RosterError, delayMs: number) => void) | undefined;
  onConnected?: (() => void) | undefined;
  /** Called at each connection with its start, from which `follow({ after: cursor })` can continue. */
  onCursor?: ((cursor: string) => void) | undefined;
}

export interface EventsClient {
  /**
   * Yields every event in order, exactly once: first those since `after` ("0" for all that are kept), then each as it
   * happens, without end; without `after`, new events only. Reconnects after broken connections, restarts of the service
   * and the statuses 429, 502, 503 and 504, and continues. A connection without a byte for 45 seconds counts as lost.
   *
   * Throws a RosterError if retrying does not help, such as `cursor_expired`, `unauthenticated` or `aborted`. The first
   * connection fails after `attempts` like any other call. Leaving the loop closes the connection.
   *
   * @example
   * for await (const event of client.events.follow({ after: await load() })) {
   *   apply(event);
   *   await save(event.cursor);
   * }
   */
  follow(query?: FollowQuery, options?: FollowOptions): AsyncGenerator<FollowedEvent, void, undefined>;
}

/** After this long, the back-off starts again. */
const STABLE_MS = 5_000;

function parseEvent(data: string, source: StreamSource): Event {
  const event = parseJson(data);
  if (typeof event === 'object' && event !== null && 'position' in event) return event as Event;
  throw streamProblem(source, data);
}

/** See {@link EventsClient.follow}. `policy` applies to the first connection. */
export async function* followEvents(
  { source, policy }: { source: StreamSource; policy: RetryPolicy },
  query: FollowQuery = {},
  { signal, onInterruption, onConnected, onCursor }: FollowOptions = {},
): AsyncGenerator<FollowedEvent, void, undefined> {
  let { after: cursor, ...filters } = query;
  let position = Number.NEGATIVE_INFINITY;
  /** Until the connection ends, without events of earlier connections. */
  async function* eventsOf({ messages }: EventStream): AsyncGenerator<FollowedEvent, void, undefined> {
    for await (const { id, data } of messages) {
      cursor = id;
      if (data === undefined) {
        if (id !== undefined) onCursor?.(id);
        continue;
      }
      const event = parseEvent(data, source);
      if (id === undefined) throw invalidStream(source);
      if (event.position <= position) continue;
      position = event.position;
      yield { ...event, cursor: id };
    }
    throw connectionClosed(source.url);
  }
  const connect = () => openStream(source, { query: searchParamsOf({ ...filters, after: cursor }), signal });
  let connectPolicy: RetryPolicy = { ...policy, onRetry: onInterruption };
  for (let failures = 0; ; ) {
    const stream = await withRetries(connect, connectPolicy, signal);
    const unlimited = { attemptsMax: Number.POSITIVE_INFINITY, retryAfterMaxMs: Number.POSITIVE_INFINITY };
    connectPolicy = { ...connectPolicy, ...unlimited };
    onConnected?.();
    const openedAt = performance.now();
    failures += 1;
    try {
      for await (const event of eventsOf(stream)) {
        failures = 1;
        yield event;
        if (signal?.aborted) throw aborted(signal);
      }
    } catch (error) {
      if (!(error instanceof RosterError && isTransient(error))) throw error;
      if (performance.now() - openedAt > STABLE_MS) failures = 1;
      const delayMs = backoffMs(failures, { retryAfterMs: stream.retryMs() });
      await pause(delayMs, signal, () => onInterruption?.(error, delayMs));
    }
  }
}

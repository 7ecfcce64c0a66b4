import type { Consistency } from './consistency.ts';
import type { Event, EventQuery } from './contract.ts';
import { aborted, RosterError, unreadable } from './errors.ts';
import type { AbortOptions } from './pages.ts';
import { isPassing, pause, type RetryPolicy, retrying, waitMs } from './retry.ts';
import { type EventStream, ended, openStream, type StreamSource } from './stream.ts';

/** An event, with the place to go on from after it. */
export type FollowedEvent = Event & {
  /** Keep it with what you made of the event: `follow({ after: cursor })` goes on with the next one. */
  cursor: string;
};

/** Which events, and after which place; without `after` those that happen from now on, with "0" all there are. */
export type FollowQuery = Omit<EventQuery, 'limit'>;

/** How to follow. */
export interface FollowOptions extends AbortOptions {
  /** Is told why the connection was lost, and in how many milliseconds the next one is tried. */
  onInterruption?: ((error: RosterError, waitMs: number) => void) | undefined;
}

/** How to follow, with what only this client's own subscriptions are told of. */
export interface FollowHandlers extends FollowOptions {
  /** Is told of every connection that stands. */
  onConnected?: (() => void) | undefined;
}

/** What the events offer beside their procedures. */
export interface Following {
  /**
   * Every event, in order: first those since `after` ("0" for the start), then each as it happens, for ever; without
   * `after` from now on. It outlives broken
   * connections, restarts of the service and "not now" (429, 502, 503, 504; it waits as long as Retry-After asks), goes
   * on where it was, and gives no event twice and leaves none out. A connection that says nothing for 45 seconds is
   * taken for dead: the service says something every 15.
   *
   * Throws a RosterError where going on makes no sense: `cursor_expired` when `after` is older than what is kept,
   * `unauthenticated`, `insufficient_scope`, `aborted` … Until the first connection stands it is a call like any other,
   * and gives up after `attempts`. Leaving the loop closes the connection.
   *
   * @example
   * for await (const event of client.events.follow({ after: await load() })) {
   *   apply(event);
   *   await save(event.cursor);
   * }
   */
  follow(query?: FollowQuery, options?: FollowOptions): AsyncGenerator<FollowedEvent, void, undefined>;
}

/** A connection that lasted this long was none that failed. */
const LASTING_MS = 5_000;

function searchOf({ after, types = [], subject }: FollowQuery): URLSearchParams {
  const search = new URLSearchParams([types].flat().map((type): [string, string] => ['types', type]));
  if (subject !== undefined) search.set('subject', subject);
  if (after !== undefined) search.set('after', after);
  return search;
}

function eventOf(data: string, source: StreamSource): Event {
  try {
    const event: unknown = JSON.parse(data);
    if (typeof event === 'object' && event !== null && 'position' in event) return event as Event;
  } catch {
    // Said below, for both.
  }
  throw noEvent(source);
}

/** The failure of a stream whose messages are something other than events with a cursor. */
function noEvent({ url }: StreamSource): RosterError {
  const headers = new Headers({ 'Content-Type': 'text/event-stream' });
  return unreadable({ url, answer: { status: 200, headers } });
}

/** The events of one connection after another, each once. */
class Follower {
  readonly #source: StreamSource;
  readonly #query: FollowQuery;
  #cursor: string | undefined;
  #position = Number.NEGATIVE_INFINITY;

  constructor(source: StreamSource, query: FollowQuery) {
    this.#source = source;
    this.#query = query;
    this.#cursor = query.after;
  }

  connect(signal: AbortSignal | undefined): Promise<EventStream> {
    const query = searchOf({ ...this.#query, after: this.#cursor });
    return openStream(this.#source, { query, signal });
  }

  /** What a connection says, until it ends; what came before is not said again. */
  async *events(stream: EventStream): AsyncGenerator<FollowedEvent, void, undefined> {
    for await (const { id, data } of stream.messages) {
      this.#cursor = id;
      if (data === undefined) continue;
      const event = eventOf(data, this.#source);
      if (id === undefined) throw noEvent(this.#source);
      if (event.position <= this.#position) continue;
      this.#position = event.position;
      yield { ...event, cursor: id };
    }
    throw ended(this.#source.url);
  }
}

/** The events of a source; see {@link Following.follow}. `policy` says how the first connection is tried. */
export async function* followEvents(
  { source, policy, consistency }: { source: StreamSource; policy: RetryPolicy; consistency: Consistency },
  query: FollowQuery = {},
  { signal, onInterruption, onConnected }: FollowHandlers = {},
): AsyncGenerator<FollowedEvent, void, undefined> {
  const follower = new Follower(source, query);
  let trying: RetryPolicy = { ...policy, onWait: onInterruption };
  for (let failures = 0; ; ) {
    const stream = await retrying(() => follower.connect(signal), trying, signal);
    trying = { ...trying, attemptsMax: Number.POSITIVE_INFINITY, waitMaxMs: Number.POSITIVE_INFINITY };
    onConnected?.();
    const openedAt = performance.now();
    failures += 1;
    try {
      for await (const event of follower.events(stream)) {
        failures = 1;
        consistency.heardOfChange();
        yield event;
        if (signal?.aborted) throw aborted(signal);
      }
    } catch (error) {
      if (!(error instanceof RosterError && isPassing(error))) throw error;
      if (performance.now() - openedAt > LASTING_MS) failures = 1;
      const ms = waitMs(failures, { retryAfterMs: stream.retryMs() }, policy.random);
      await pause(ms, signal, () => onInterruption?.(error, ms));
    }
  }
}

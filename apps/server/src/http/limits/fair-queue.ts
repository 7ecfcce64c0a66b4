/**
 * The time for which requests are started in one iteration of the event loop, in milliseconds; the others start in the next ones.
 * A request takes some iterations until its response is sent, so that what it waits for is how long they take.
 */
export const START_MS = 0.3;
/** Requests of one caller that wait to start; those beyond are rejected. More than the default quota, which may be used at once. */
export const WAITING_PER_CALLER_MAX = 1_000;

/**
 * Starts the requests that arrive in one iteration of the event loop in a fair order: for a bounded time at once, the others in
 * the next iterations, one of each caller after the other (round-robin). However many requests a caller sends at once, a
 * request of another caller waits for one of each caller at most. Requests of one caller start in the order in which they
 * arrived.
 */
export class FairQueue {
  /** The callers that have waiting requests, with those; the next request to start is of the first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** When the first request of this iteration started, in milliseconds of the process clock; undefined if none has. */
  #startedMs: number | undefined;
  readonly #nowMs: () => number;

  /** @param nowMs milliseconds of a clock that is never set */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Whether a request may start at once; if so, the time of this iteration runs. */
  mayStart(): boolean {
    return this.#waiting.size === 0 && this.#isInTime();
  }

  /**
   * Calls `begin` in a later iteration of the event loop, when those that start before it have started.
   * @returns false if too many requests of the caller wait already: this one is not started
   */
  wait(caller: string, begin: () => void): boolean {
    const queue = this.#waiting.get(caller);
    if (queue === undefined) this.#waiting.set(caller, [begin]);
    else if (queue.length < WAITING_PER_CALLER_MAX) queue.push(begin);
    else return false;
    return true;
  }

  #startWaiting(): void {
    this.#startedMs = undefined;
    while (this.#waiting.size > 0 && this.#isInTime()) this.#startNext();
  }

  /** Whether another request may start in this iteration; the first one always may, and the next iteration starts others. */
  #isInTime(): boolean {
    const nowMs = this.#nowMs();
    if (this.#startedMs === undefined) {
      this.#startedMs = nowMs;
      setImmediate(() => this.#startWaiting());
    }
    return nowMs - this.#startedMs < START_MS;
  }

  /** Starts the first request of the first caller, and moves that caller to the end of the queue. */
  #startNext(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [caller, queue] = first;
    this.#waiting.delete(caller);
    const begin = queue.shift();
    if (queue.length > 0) this.#waiting.set(caller, queue);
    begin?.();
  }
}

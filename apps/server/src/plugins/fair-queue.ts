/** Requests that start in one iteration of the event loop; those beyond start in the next ones. */
export const STARTS_PER_ITERATION = 16;
/** Requests of one caller that wait to start; those beyond are rejected. */
export const WAITING_PER_CALLER_MAX = 500;

/**
 * Starts the requests that arrive in one iteration of the event loop in a fair order: a bounded number at once, the others in
 * the next iterations, one of each caller after the other (round-robin). However many requests a caller sends at once, a
 * request of another caller waits for one of each caller at most. Requests of one caller start in the order in which they
 * arrived.
 */
export class FairQueue {
  /** The callers that have waiting requests, with those; the next request to start is of the first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #started = 0;
  #isStartScheduled = false;

  /** Whether a request may start at once, which counts it. */
  mayStart(): boolean {
    if (this.#waiting.size > 0 || this.#started >= STARTS_PER_ITERATION) return false;
    this.#started += 1;
    this.#scheduleStart();
    return true;
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

  #scheduleStart(): void {
    if (this.#isStartScheduled) return;
    this.#isStartScheduled = true;
    setImmediate(() => this.#startWaiting());
  }

  #startWaiting(): void {
    this.#isStartScheduled = false;
    this.#started = 0;
    while (this.#started < STARTS_PER_ITERATION && this.#waiting.size > 0) this.#startNext();
    if (this.#started > 0) this.#scheduleStart();
  }

  /** Starts the first request of the first caller, and moves that caller to the end of the queue. */
  #startNext(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [caller, queue] = first;
    this.#waiting.delete(caller);
    const begin = queue.shift();
    if (queue.length > 0) this.#waiting.set(caller, queue);
    this.#started += 1;
    begin?.();
  }
}

/** Milliseconds of one iteration of the event loop in which requests start. */
export const START_MS = 0.3;
/** More than the default quota, which may be used at once. */
export const WAITING_PER_CALLER_MAX = 1_000;

/**
 * For a bounded time in each iteration of the event loop, starts a request of each caller in turn (round-robin), so that nobody waits
 * behind many requests of one caller. Requests of one caller keep their order.
 */
export class FairQueue {
  /** By caller, in the order in which they start. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #startedMs: number | undefined;
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  mayStart(): boolean {
    return this.#waiting.size === 0 && this.#isInTime();
  }

  /** Calls `begin` in a later iteration. Returns false if too many requests of the caller wait already. */
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

  /** The first request of an iteration may always start. */
  #isInTime(): boolean {
    const nowMs = this.#nowMs();
    if (this.#startedMs === undefined) {
      this.#startedMs = nowMs;
      setImmediate(() => this.#startWaiting());
    }
    return nowMs - this.#startedMs < START_MS;
  }

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

/** Requests that start in one turn of the event loop; those beyond start in the next ones. */
export const STARTS_PER_TURN = 16;
/** Requests of one caller that wait to start; those beyond are rejected. */
export const WAITING_PER_CALLER_MAX = 500;

/**
 * Starts the requests that arrive in one turn of the event loop in a fair order: a bounded number at once, the others in
 * the next turns, one of each caller after the other (round-robin). However many requests a caller sends at once, a
 * request of another caller waits for one of each caller at most. Requests of one caller start in the order in which they
 * arrived.
 */
export class FairQueue {
  /** The callers that wait, in the order in which it is their turn. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #started = 0;
  #isTurnPlanned = false;

  /** Whether a request may start at once, which counts it. */
  mayStart(): boolean {
    if (this.#waiting.size > 0 || this.#started >= STARTS_PER_TURN) return false;
    this.#started += 1;
    this.#planTurn();
    return true;
  }

  /**
   * Calls `begin` when it is the caller's turn.
   * @returns false if too many requests of the caller wait already: this one is not started
   */
  wait(caller: string, begin: () => void): boolean {
    const queue = this.#waiting.get(caller);
    if (queue === undefined) this.#waiting.set(caller, [begin]);
    else if (queue.length < WAITING_PER_CALLER_MAX) queue.push(begin);
    else return false;
    return true;
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return;
    this.#isTurnPlanned = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isTurnPlanned = false;
    this.#started = 0;
    while (this.#started < STARTS_PER_TURN && this.#waiting.size > 0) this.#startNext();
    if (this.#started > 0) this.#planTurn();
  }

  /** Starts the first request of the caller whose turn it is, who is the last one then. */
  #startNext(): void {
    for (const [caller, queue] of this.#waiting) {
      this.#waiting.delete(caller);
      const begin = queue.shift();
      if (queue.length > 0) this.#waiting.set(caller, queue);
      this.#started += 1;
      begin?.();
      return;
    }
  }
}

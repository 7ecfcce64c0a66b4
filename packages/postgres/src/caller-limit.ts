import { OverloadedError } from './errors.ts';

/** The reads of one caller that may wait while others of the same caller run: as many as a server handles requests at once by default. */
export const WAITING_MAX = 200;

/** Limits how many connections of the pool the reads of one caller hold at once, so that others are served meanwhile. */
export class CallerLimit {
  readonly #runningMax: number;
  /** For each caller with running reads, their number and the turns of those that wait. */
  readonly #callers = new Map<string, { running: number; waiting: (() => void)[] }>();

  constructor(runningMax: number) {
    this.#runningMax = runningMax;
  }

  /**
   * Runs a read of a caller when it is its turn.
   * @throws OverloadedError if 200 reads of the caller are waiting already; whatever `run` throws
   */
  async run<Result>(caller: string, run: () => Promise<Result>): Promise<Result> {
    const turns = this.#callers.get(caller) ?? { running: 0, waiting: [] };
    this.#callers.set(caller, turns);
    if (turns.waiting.length >= WAITING_MAX)
      throw new OverloadedError(`${WAITING_MAX} reads of this caller are already waiting.`);
    // A read that ends hands its turn to the next, so that the number of those that run stays the same.
    if (turns.running < this.#runningMax) turns.running += 1;
    else await new Promise<void>((resolve) => turns.waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = turns.waiting.shift();
      if (next !== undefined) next();
      else if (--turns.running === 0) this.#callers.delete(caller);
    }
  }
}

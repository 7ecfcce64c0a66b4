import { OverloadedError } from './errors.ts';

/** The reads of one caller that may wait while others of the same caller run: enough for two batches of 20 calls. */
export const WAITING_MAX = 40;

interface Turns {
  running: number;
  waiting: (() => void)[];
}

/** Limits how many connections of the pool the reads of one caller hold at once, so that others are served meanwhile. */
export class CallerLimit {
  readonly #runningMax: number;
  readonly #turns = new Map<string, Turns>();

  constructor(runningMax: number) {
    this.#runningMax = runningMax;
  }

  /**
   * Runs a read of a caller when it is its turn.
   * @throws OverloadedError if 40 reads of the caller are waiting already; whatever `run` throws
   */
  async run<Result>(caller: string, run: () => Promise<Result>): Promise<Result> {
    const turns = this.#turns.get(caller) ?? { running: 0, waiting: [] };
    this.#turns.set(caller, turns);
    if (turns.running < this.#runningMax) turns.running += 1;
    else {
      if (turns.waiting.length >= WAITING_MAX)
        throw new OverloadedError(`${WAITING_MAX} reads of this caller are already waiting.`);
      // A task that ends hands its turn to the next, so that the number of running tasks stays the same.
      await new Promise<void>((resolve) => turns.waiting.push(resolve));
    }
    try {
      return await run();
    } finally {
      const next = turns.waiting.shift();
      if (next !== undefined) next();
      else {
        turns.running -= 1;
        if (turns.running === 0) this.#turns.delete(caller);
      }
    }
  }
}

import { OverloadedError } from './errors.ts';

/** The statements of one caller that may wait while others of the same caller run: as many as a server handles requests at once by default. */
export const WAITING_MAX = 200;
/** Those that only callers get which hold none. */
const KEPT = 2;

interface Turns {
  running: number;
  waiting: (() => void)[];
}

/**
 * Limits how many of something, such as connections of the pool, the statements and transactions of one caller hold at once: half of them,
 * and more than one only while two others are free. So others are served meanwhile.
 */
export class CallerLimit {
  readonly #max: number;
  readonly #waitMs: number;
  #running = 0;
  /** The callers with something that runs or waits. */
  readonly #callers = new Map<string, Turns>();

  /** @param waitMs the longest wait for a turn; 0 for no limit */
  constructor(max: number, waitMs: number) {
    this.#max = max;
    this.#waitMs = waitMs;
  }

  /**
   * Runs something that holds one when it is the turn of its caller; at once without a caller.
   * @throws OverloadedError if 200 of the caller are waiting already, or its turn does not come in time; whatever `run` throws
   */
  async run<Result>(caller: string | undefined, run: () => Promise<Result>): Promise<Result> {
    const turns = caller === undefined ? { running: 0, waiting: [] } : this.#turnsOf(caller);
    if (this.#mayRun(turns)) this.#begin(turns);
    else await this.#turn(turns);
    try {
      return await run();
    } finally {
      this.#running -= 1;
      turns.running -= 1;
      for (const one of this.#callers.values())
        while (one.waiting.length > 0 && this.#mayRun(one)) this.#begin(one);
      if (caller !== undefined && turns.running === 0) this.#callers.delete(caller);
    }
  }

  #turnsOf(caller: string): Turns {
    const turns = this.#callers.get(caller) ?? { running: 0, waiting: [] };
    this.#callers.set(caller, turns);
    return turns;
  }

  #mayRun({ running }: Turns): boolean {
    return running === 0 || (running < this.#max / 2 && this.#running < this.#max - KEPT);
  }

  #begin(turns: Turns): void {
    this.#running += 1;
    turns.running += 1;
    turns.waiting.shift()?.();
  }

  async #turn({ waiting }: Turns): Promise<void> {
    if (waiting.length >= WAITING_MAX)
      throw new OverloadedError(`${WAITING_MAX} statements of this caller are already waiting.`);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.push(resolve);
    const giveUp = () => {
      waiting.splice(waiting.indexOf(resolve), 1);
      reject(new OverloadedError('The other statements of this caller took too long.'));
    };
    const timer = this.#waitMs > 0 ? setTimeout(giveUp, this.#waitMs) : undefined;
    await promise.finally(() => clearTimeout(timer));
  }
}

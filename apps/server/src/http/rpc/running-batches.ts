const SLOTS = 8;
/** A task that runs longer gives its slot to the next. */
const SLOW_MS = 50;

/**
 * Without a bound the data of many batches is alive together, and garbage collection copies it again and again. The throughput stays
 * the same.
 */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#running < SLOTS) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isHeld = true;
    const release = () => {
      if (isHeld) this.#release();
      isHeld = false;
    };
    const timer = setTimeout(release, SLOW_MS);
    try {
      return await task();
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

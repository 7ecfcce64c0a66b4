/** Tasks that run at once. */
const SLOTS = 8;
/** A task that runs longer gives its slot to the next, so that no task waits behind a slow one. */
const SLOW_MS = 50;

/**
 * Bounds how many batches run at once. A batch holds the data of up to twenty calls; if the batches of many connections
 * ran at the same time, all their data would be alive together, and garbage collection would copy it again and again. The
 * throughput is the same, because the process computes one response after another.
 */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** Runs a task when a slot is free, in the order of the calls. Settles as the task does. */
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

/** Runs at once, at most. */
const AT_ONCE = 8;
/** Whoever runs longer, in milliseconds, gives its place to the next: nobody waits behind a slow one. */
const SLOW_MS = 50;

/**
 * Batches take turns. Each is as many calls as twenty requests, and all that are under way are alive together, while the
 * answers come one after another all the same: with a batch for each of 64 connections the collector copies more than they
 * read. Those that wait have not begun.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** Runs it when its turn comes, in the order of the asking; settles as it does. */
  async run<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    if (this.#running < AT_ONCE) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isHeld = true;
    const pass = () => {
      if (isHeld) this.#pass();
      isHeld = false;
    };
    const timer = setTimeout(pass, SLOW_MS);
    try {
      return await act();
    } finally {
      clearTimeout(timer);
      pass();
    }
  }

  #pass(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

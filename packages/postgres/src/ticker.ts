export const TICK_MS = 25;

/** A time in milliseconds as a number of ticks; infinite for 0, which means no limit. */
export function toTicks(timeMs: number): number {
  return timeMs > 0 ? Math.ceil(timeMs / TICK_MS) : Number.POSITIVE_INFINITY;
}

/**
 * Calls a function every 25 ms while there is work in progress. Timeouts count ticks instead of reading the clock: if the
 * process was suspended for a minute, it has received nothing for a minute, which says nothing about its connections.
 */
export class Ticker {
  readonly #onTick: () => boolean;
  #timer: NodeJS.Timeout | undefined;

  /** @param onTick returns whether the ticker should go on */
  constructor(onTick: () => boolean) {
    this.#onTick = onTick;
  }

  /** Starts it, if it is not running. */
  start(): void {
    this.#timer ??= setInterval(() => {
      if (!this.#onTick()) this.stop();
    }, TICK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** How often the connections are looked at, in milliseconds. */
const BEAT_MS = 25;

/** Milliseconds as beats; endless where there is no limit. */
export function beatsOf(timeMs: number): number {
  return timeMs > 0 ? Math.ceil(timeMs / BEAT_MS) : Number.POSITIVE_INFINITY;
}

/**
 * Looks after connections while they have something to do. Beats are counted, not time: a process that stood still
 * for a minute has not heard its connections for a minute, and that says nothing about them.
 */
export class Watch {
  readonly #onBeat: () => boolean;
  #timer: NodeJS.Timeout | undefined;

  /** `onBeat` answers whether there is anything left to look after. */
  constructor(onBeat: () => boolean) {
    this.#onBeat = onBeat;
  }

  wake(): void {
    this.#timer ??= setInterval(() => {
      if (!this.#onBeat()) this.stop();
    }, BEAT_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

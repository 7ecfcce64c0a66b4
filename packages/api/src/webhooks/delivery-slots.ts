const CONCURRENCY = 100;
/** In addition, for webhooks whose last attempt was slow or failed, so that they don't delay others. */
const TROUBLED_CONCURRENCY = 15;
/** Webhooks in trouble can exceed their share: each can always have one attempt. */
export const TOTAL_CONCURRENCY = 200;

export interface FreeSlots {
  /** For webhooks whose last attempt was quick and successful. */
  count: number;
  /** For webhooks whose last attempt was slow or failed. */
  troubledCount: number;
  firstCount: number;
}

export interface Slot {
  /** Moves the attempt to the other share, when it proves slow. */
  markSlow(): void;
  release(): void;
}

/** Limits concurrent attempts, with a separate share for webhooks in trouble. */
export class DeliverySlots {
  #quick = 0;
  #troubled = 0;

  get free(): FreeSlots {
    const all = Math.max(0, TOTAL_CONCURRENCY - this.#quick - this.#troubled);
    const count = Math.min(CONCURRENCY - this.#quick, all);
    const firstCount = all - count;
    const troubledCount = Math.max(0, Math.min(TROUBLED_CONCURRENCY - this.#troubled, firstCount));
    return { count, troubledCount, firstCount };
  }

  take({ isTroubled }: { isTroubled: boolean }): Slot {
    let isSlow = isTroubled;
    this.#add(isSlow, 1);
    return {
      markSlow: () => {
        this.#add(isSlow, -1);
        isSlow = true;
        this.#add(isSlow, 1);
      },
      release: () => this.#add(isSlow, -1),
    };
  }

  #add(isTroubled: boolean, by: 1 | -1): void {
    if (isTroubled) this.#troubled += by;
    else this.#quick += by;
  }
}

/** The maximum number of concurrent attempts of one server. */
const CONCURRENCY = 100;
/** The same, in addition, for webhooks whose last attempt was slow or failed, so that they do not delay the others. */
const TROUBLED_CONCURRENCY = 15;
/**
 * The maximum of all concurrent attempts. Webhooks in trouble can exceed their share: an attempt that proves to be slow
 * moves to it, and each webhook can always have one attempt.
 */
export const TOTAL_CONCURRENCY = 200;

/** The number of attempts that may start. */
export interface FreeSlots {
  /** For webhooks whose last attempt was quick and successful. */
  count: number;
  /** For webhooks whose last attempt was slow or failed. */
  troubledCount: number;
  /** For those of them that have no attempt running. */
  firstCount: number;
}

export interface Slot {
  /** To be called when the attempt proves to be slow: it moves to the other share. */
  markSlow(): void;
  /** To be called once, when the attempt has ended. */
  release(): void;
}

/** Limits the concurrent attempts of the delivery worker, with a separate share for webhooks in trouble. */
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

  /** Takes a slot. One must be free. */
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

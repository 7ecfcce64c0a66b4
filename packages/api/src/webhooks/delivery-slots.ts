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

/** Concurrent attempts for a receiver that has not yet shown to keep up with more. */
export const WINDOW_MIN = 10;
export const WINDOW_MAX = 50;
/** More webhooks than can exist: state of deleted ones is dropped. */
const KNOWN_MAX = 1_000;

/** Ten at first, one more after as many quick successes in a row, ten again after any other result. */
export class ReceiverWindows {
  readonly #grown = new Map<string, number>();

  /** Windows above the minimum, by webhook ID. */
  sizes(): Record<string, number> {
    return Object.fromEntries([...this.#grown].map(([id, size]) => [id, Math.floor(size)]));
  }

  record(webhookId: string, { isQuickSuccess }: { isQuickSuccess: boolean }): void {
    if (!isQuickSuccess) {
      this.#grown.delete(webhookId);
      return;
    }
    const size = this.#grown.get(webhookId) ?? WINDOW_MIN;
    if (this.#grown.size >= KNOWN_MAX) this.#grown.clear();
    this.#grown.set(webhookId, Math.min(size + 1 / size, WINDOW_MAX));
  }
}

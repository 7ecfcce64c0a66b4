/** Attempts on their way at once, on this server. */
export const AT_ONCE = 30;
/** As many more for webhooks whose last attempt was slow or failed, so that these never delay the others. */
export const TROUBLED_AT_ONCE = 15;
/**
 * All attempts together. Those of webhooks in trouble may be more than are begun in their share: an attempt that turns out
 * to be slow counts among them from then on, and each webhook has one attempt at a time whatever the others do.
 */
export const ALL_AT_ONCE = 150;

/** How many attempts may begin. */
export interface Left {
  /** For webhooks whose last attempt was quick and succeeded. */
  count: number;
  /** For webhooks whose last attempt was slow or failed. */
  troubledCount: number;
  /** For those of them that have none on their way. */
  firstCount: number;
}

/** The place of one attempt. */
export interface Place {
  /** To be called when the attempt turns out to be slow; its place among the others is free at once. */
  turnSlow(): void;
  /** To be called once, when the attempt has ended. */
  free(): void;
}

/** Bounds the attempts of the delivery worker: in two shares, one of which is for webhooks in trouble. */
export class Capacity {
  #quick = 0;
  #troubled = 0;

  /** How many attempts may begin now. */
  get left(): Left {
    const all = Math.max(0, ALL_AT_ONCE - this.#quick - this.#troubled);
    const count = Math.min(AT_ONCE - this.#quick, all);
    const firstCount = all - count;
    const troubledCount = Math.max(0, Math.min(TROUBLED_AT_ONCE - this.#troubled, firstCount));
    return { count, troubledCount, firstCount };
  }

  /** Takes the place of one attempt, which must be left. */
  take({ isTroubled }: { isTroubled: boolean }): Place {
    let isSlow = isTroubled;
    this.#count(isSlow, 1);
    return {
      turnSlow: () => {
        this.#count(isSlow, -1);
        isSlow = true;
        this.#count(isSlow, 1);
      },
      free: () => this.#count(isSlow, -1),
    };
  }

  #count(isTroubled: boolean, by: 1 | -1): void {
    if (isTroubled) this.#troubled += by;
    else this.#quick += by;
  }
}

export interface ShareLimits {
  /** The most that all keys may hold together; unbounded unless given. */
  max?: number;
  /** The most that one key may hold, also as a function of the free rest; as much as is free unless given. */
  perKeyMax?: number | ((free: number) => number);
}

/**
 * Divides something scarce, such as slots or bytes, between keys, such as callers. By default a key may hold as much as is
 * free (Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches", 1998): one alone gets half,
 * two get a third each, and the rest stays free for the next. A key that holds nothing takes no memory.
 */
export class Share {
  readonly #max: number;
  readonly #perKeyMax: (free: number) => number;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor({ max = Number.POSITIVE_INFINITY, perKeyMax = (free) => free }: ShareLimits = {}) {
    this.#max = max;
    this.#perKeyMax = typeof perKeyMax === 'number' ? () => perKeyMax : perKeyMax;
  }

  /** The amount that all keys hold. */
  get total(): number {
    return this.#total;
  }

  /** The amount that a key holds. */
  heldBy(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  /** Whether a key may take this much more. */
  allows(key: string, amount = 1): boolean {
    const free = this.#max - this.#total;
    return amount <= free && this.heldBy(key) + amount <= this.#perKeyMax(free);
  }

  /** Counts an amount that a key takes, whether it is allowed or not. */
  take(key: string, amount = 1): void {
    this.#total += amount;
    this.#held.set(key, this.heldBy(key) + amount);
  }

  /** Counts an amount that a key gives back, in one or more parts. */
  release(key: string, amount = 1): void {
    this.#total -= amount;
    const left = this.heldBy(key) - amount;
    if (left > 0) this.#held.set(key, left);
    else this.#held.delete(key);
  }
}

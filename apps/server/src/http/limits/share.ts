export interface ShareLimits {
  max?: number;
  perKeyMax?: number | ((free: number) => number);
}

/**
 * Divides something scarce, such as slots, between keys. By default a key may hold as much as is free: one alone gets half, two a third
 * each (Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches", 1998).
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

  get total(): number {
    return this.#total;
  }

  heldBy(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  allows(key: string, amount = 1): boolean {
    const free = this.#max - this.#total;
    return amount <= free && this.heldBy(key) + amount <= this.#perKeyMax(free);
  }

  take(key: string, amount = 1): void {
    this.#total += amount;
    this.#held.set(key, this.heldBy(key) + amount);
  }

  release(key: string, amount = 1): void {
    this.#total -= amount;
    const left = this.heldBy(key) - amount;
    if (left > 0) this.#held.set(key, left);
    else this.#held.delete(key);
  }
}

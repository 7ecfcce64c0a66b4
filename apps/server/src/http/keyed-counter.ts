/** Counts what is under way by key, such as the requests of each caller. A key whose count is zero takes no memory. */
export class KeyedCounter {
  readonly #counts = new Map<string, number>();

  get(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Adds one to the count of a key, and returns it. */
  increment(key: string): number {
    const count = this.get(key) + 1;
    this.#counts.set(key, count);
    return count;
  }

  /** To be called once for each `increment`. */
  decrement(key: string): void {
    const count = this.get(key) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

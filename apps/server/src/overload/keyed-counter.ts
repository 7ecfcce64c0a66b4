/**
 * Counts what each key, such as a caller, holds at the moment: requests, connections, bytes. A key that holds nothing takes no
 * memory.
 */
export class KeyedCounter {
  readonly #counts = new Map<string, number>();

  /** The count of a key; 0 if it holds nothing. */
  get(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Adds to the count of a key, and returns the new count. */
  add(key: string, amount = 1): number {
    const count = this.get(key) + amount;
    this.#counts.set(key, count);
    return count;
  }

  /** Subtracts what was added, in one or more parts. */
  subtract(key: string, amount = 1): void {
    const count = this.get(key) - amount;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

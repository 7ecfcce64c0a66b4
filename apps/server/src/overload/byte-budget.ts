import { KeyedCounter } from './keyed-counter.ts';

/**
 * Divides memory between callers by a dynamic threshold (Choudhury and Hahne, "Dynamic queue length thresholds for
 * shared-memory packet switches", 1998): a caller may hold as many bytes as are free. One caller alone gets half of the
 * maximum, two get a third each, and the rest stays free for the next.
 */
export class ByteBudget {
  readonly #max: number;
  readonly #held = new KeyedCounter();
  #total = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Whether a caller may hold this many more bytes. */
  allows(caller: string, bytes: number): boolean {
    return this.#held.get(caller) + bytes <= this.#max - this.#total;
  }

  /** Counts bytes that a caller holds, whether they are allowed or not. */
  hold(caller: string, bytes: number): void {
    this.#total += bytes;
    this.#held.add(caller, bytes);
  }

  /** To be called with all the bytes that were held, in one or more parts. */
  release(caller: string, bytes: number): void {
    this.#total -= bytes;
    this.#held.subtract(caller, bytes);
  }

  /** All bytes that are held. */
  get total(): number {
    return this.#total;
  }
}

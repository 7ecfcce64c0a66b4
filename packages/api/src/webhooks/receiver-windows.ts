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

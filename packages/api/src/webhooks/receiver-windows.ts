/** The maximum number of concurrent attempts for a webhook whose receiver has not yet shown that it keeps up with more. */
export const WINDOW_MIN = 10;
/** The same for a webhook whose receiver has. */
export const WINDOW_MAX = 50;
/** More webhooks than can exist: what has gathered of deleted ones is forgotten. */
const KNOWN_MAX = 1_000;

/**
 * The number of attempts that may run for each webhook at the same time: ten at first, one more each time as many in a row were quick and
 * successful, and ten again after one that was not. A receiver far away gets more of them, and one that can handle only a few is not flooded.
 */
export class ReceiverWindows {
  readonly #grown = new Map<string, number>();

  /** The windows that are larger than at first, by the ids of the webhooks. */
  sizes(): Record<string, number> {
    return Object.fromEntries([...this.#grown].map(([id, size]) => [id, Math.floor(size)]));
  }

  /** To be called with the result of each attempt. */
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

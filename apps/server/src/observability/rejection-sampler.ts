import type { FastifyBaseLogger } from 'fastify';

/** A flood of these must not become a flood of lines. */
const sampled = new Set([401, 403, 429, 503]);
/** Per status and second; the rest is counted. */
export const REJECTION_LINES_MAX = 10;
const WINDOW_MS = 1_000;

export function isRejection(status: number): boolean {
  return sampled.has(status);
}

/** Logs the first few rejections of each status in a second, and then the number of the others. */
export class RejectionSampler {
  readonly #log: FastifyBaseLogger;
  readonly #counts = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: FastifyBaseLogger) {
    this.#log = log;
  }

  takes(status: number): boolean {
    if (!sampled.has(status)) return true;
    this.#timer ??= setTimeout(() => this.close(), WINDOW_MS).unref();
    const count = (this.#counts.get(status) ?? 0) + 1;
    this.#counts.set(status, count);
    return count <= REJECTION_LINES_MAX;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [status, count] of this.#counts) {
      const omitted = count - REJECTION_LINES_MAX;
      if (omitted > 0) this.#log.warn({ status, omitted }, 'rejected requests without a line of their own');
    }
    this.#counts.clear();
  }
}

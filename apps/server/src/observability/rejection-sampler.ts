import type { FastifyBaseLogger } from 'fastify';

/** Statuses of callers who are rejected whatever they ask for; a flood of them must not become a flood of lines. */
const sampled = new Set([401, 403, 429, 503]);
/** Lines in the log for each of these statuses in a second; the rest is counted. */
export const REJECTION_LINES_MAX = 10;
const WINDOW_MS = 1_000;

/** Whether the line about a request with this status names the caller's address, and may be left out. */
export function isRejection(status: number): boolean {
  return sampled.has(status);
}

/**
 * Decides which rejected requests get a line in the log: the first few of each status in a second. Of the others one line
 * at the end of that second tells the number.
 */
export class RejectionSampler {
  readonly #log: FastifyBaseLogger;
  /** Requests with each status since the window began. */
  readonly #counts = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: FastifyBaseLogger) {
    this.#log = log;
  }

  /** Whether a request that was answered with this status gets a line; counts it. */
  takes(status: number): boolean {
    if (!sampled.has(status)) return true;
    this.#timer ??= setTimeout(() => this.close(), WINDOW_MS).unref();
    const count = (this.#counts.get(status) ?? 0) + 1;
    this.#counts.set(status, count);
    return count <= REJECTION_LINES_MAX;
  }

  /** Ends the window: writes how many lines were left out. */
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

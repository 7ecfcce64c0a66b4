const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** What the specification of Standard Webhooks recommends: how long to wait after each failed attempt. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;
/** Up to a tenth later than scheduled, so that what failed together does not come back together. */
const JITTER = 0.1;

/** An attempt that failed. */
export interface Failed {
  /** How many attempts there have been, this one included. */
  count: number;
  status: number | null;
  retryAfterMs?: number | undefined;
}

/** Whether the receiver itself said when to come back: Retry-After with 429 or 503. */
export function isAskedToWait({ status, retryAfterMs }: Omit<Failed, 'count'>): boolean {
  return (status === 429 || status === 503) && retryAfterMs !== undefined;
}

/**
 * How long to wait before the next attempt, in milliseconds; undefined where that was the last one. A receiver that
 * says when to come back is believed, from the first of the delays up to a day.
 */
export function retryDelay(failed: Failed, delaysMs: readonly number[]): number | undefined {
  const scheduled = delaysMs[failed.count - 1];
  if (scheduled === undefined) return undefined;
  if (isAskedToWait(failed)) {
    const leastMs = delaysMs[0] ?? 0;
    return Math.min(Math.max(failed.retryAfterMs ?? 0, leastMs), RETRY_AFTER_MAX_MS);
  }
  return Math.round(scheduled * (1 + Math.random() * JITTER));
}

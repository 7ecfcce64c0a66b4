const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The delay after each failed attempt, as the specification of Standard Webhooks recommends. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;
/** A random extra of up to 10 %, so that deliveries which failed together are not retried together. */
const JITTER = 0.1;

export interface FailedAttempt {
  /** The number of attempts so far, including this one. */
  count: number;
  /** The status of the response; null if there was none. */
  status: number | null;
  retryAfterMs?: number | undefined;
}

/** Whether the receiver sent Retry-After with 429 or 503. With another status it is ignored. */
export function isAskedToWait({ status, retryAfterMs }: Omit<FailedAttempt, 'count'>): boolean {
  return (status === 429 || status === 503) && retryAfterMs !== undefined;
}

/**
 * Returns the delay before the next attempt in milliseconds; undefined after the last one. A Retry-After replaces the scheduled
 * delay, but is at least the first delay and at most a day.
 */
export function retryDelay(failed: FailedAttempt, delaysMs: readonly number[]): number | undefined {
  const scheduled = delaysMs[failed.count - 1];
  if (scheduled === undefined) return undefined;
  if (isAskedToWait(failed)) {
    const minMs = delaysMs[0] ?? 0;
    return Math.min(Math.max(failed.retryAfterMs ?? 0, minMs), RETRY_AFTER_MAX_MS);
  }
  return Math.round(scheduled * (1 + Math.random() * JITTER));
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** After each failed attempt, as Standard Webhooks recommends. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;
/** Up to 10% more, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

export interface FailedAttempt {
  count: number;
  status: number | null;
  retryAfterMs?: number | undefined;
}

/** Whether there is a Retry-After with 429 or 503; ignored with another status. */
export function isAskedToWait({ status, retryAfterMs }: Omit<FailedAttempt, 'count'>): boolean {
  return (status === 429 || status === 503) && retryAfterMs !== undefined;
}

/** In milliseconds; undefined after the last attempt. Retry-After replaces it, up to a day. */
export function retryDelay(failed: FailedAttempt, delaysMs: readonly number[]): number | undefined {
  const scheduled = delaysMs[failed.count - 1];
  if (scheduled === undefined) return undefined;
  if (isAskedToWait(failed)) {
    const minMs = delaysMs[0] ?? 0;
    return Math.min(Math.max(failed.retryAfterMs ?? 0, minMs), RETRY_AFTER_MAX_MS);
  }
  return Math.round(scheduled * (1 + Math.random() * JITTER));
}

import { aborted, RosterError } from './errors.ts';

/** How a call is tried again. */
export interface RetryPolicy {
  /** How often a call is tried, the first time included. */
  attemptsMax: number;
  /** A Retry-After of more than this is not waited for: the error is given at once. */
  waitMaxMs: number;
  /** A number from 0 to below 1. */
  random?: () => number;
}

/** The longest wait after the first attempt; it doubles with every other one. */
const BACKOFF_FIRST_MS = 200;
const BACKOFF_MAX_MS = 5_000;

/** Statuses that say "not now": the service's own, and those of a proxy that does not reach it. */
const passing = new Set([429, 502, 503, 504]);

/** Reasons that say the same with another status: the first try of this very call still runs, and its answer will come. */
const passingReasons = new Set<RosterError['code']>(['network', 'idempotency_in_progress']);

function isPassing({ code, status }: RosterError): boolean {
  return passingReasons.has(code) || passing.has(status);
}

/**
 * How long to wait before the next attempt: a random part of a bound that doubles (full jitter, so that clients which
 * failed together do not come back together), on top of what the service asked for.
 */
export function waitMs(
  attempt: number,
  { retryAfterMs = 0 }: { retryAfterMs?: number | undefined },
  random = Math.random,
) {
  const bound = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (attempt - 1));
  return retryAfterMs + random() * bound;
}

/**
 * Calls until it succeeds, fails for good, or has been tried often enough. Throws what the last attempt threw, and
 * `aborted` as soon as the signal says so, whether it runs or waits.
 */
export async function retrying<Value>(
  call: () => Promise<Value>,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await unlessAborted(call, signal);
    } catch (error) {
      const isFinal = !(error instanceof RosterError && isPassing(error)) || attempt >= policy.attemptsMax;
      if (isFinal || (error.retryAfterMs ?? 0) > policy.waitMaxMs) throw error;
      await unlessAborted(pause(waitMs(attempt, error, policy.random), signal), signal);
    }
  }
}

/** A batch ends only when all its calls are aborted; the one whose signal fires must not wait for the others. */
function unlessAborted<Value>(call: () => Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return call();
  if (signal.aborted) return Promise.reject(aborted(signal));
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(aborted(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    call()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function pause(ms: number, signal: AbortSignal | undefined): () => Promise<void> {
  return () =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => clearTimeout(timer), { once: true });
    });
}

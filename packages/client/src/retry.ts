import { aborted, RosterError } from './errors.ts';

/** How a call is tried again. */
export interface RetryPolicy {
  /** How often a call is tried, the first time included. */
  attemptsMax: number;
  /** A Retry-After of more than this is not waited for: the error is given at once. */
  waitMaxMs: number;
  /** Whether the call may be made twice; where not, only a refusal before it was begun is passing. */
  isRepeatable: boolean;
  /** Is told of every failure that is waited out, and for how many milliseconds. */
  onWait?: ((error: RosterError, waitMs: number) => void) | undefined;
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

/** Whether a failure is one of the moment, so that trying again makes sense. */
export function isPassing({ code, status }: RosterError): boolean {
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

/** A call over the rate was not begun: to make it later is to make it once. */
function isWorthRepeating(error: unknown, { isRepeatable }: RetryPolicy): error is RosterError {
  if (!(error instanceof RosterError)) return false;
  return isRepeatable ? isPassing(error) : error.code === 'rate_limited';
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
      if (!isWorthRepeating(error, policy) || attempt >= policy.attemptsMax) throw error;
      if ((error.retryAfterMs ?? 0) > policy.waitMaxMs) throw error;
      const ms = waitMs(attempt, error, policy.random);
      await pause(ms, signal, () => policy.onWait?.(error, ms));
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

/** The longest time a timer can hold. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Waits, after `begun` was told so. Throws `aborted` as soon as the signal says so. */
export function pause(ms: number, signal: AbortSignal | undefined, begun: () => void): Promise<void> {
  const wait = () =>
    new Promise<void>((resolve) => {
      begun();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(ms, TIMER_MAX_MS));
      signal?.addEventListener('abort', end);
    });
  return unlessAborted(wait, signal);
}

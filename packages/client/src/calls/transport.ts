import type { HTTPLinkOptions } from '@trpc/client';
import { aborted, invalidResponse, parseJson, RosterError, unreachable } from '../errors.ts';

type Fetch = NonNullable<HTTPLinkOptions<{ transformer: false; errorShape: never }>['fetch']>;

interface TransportOptions {
  /** For messages, without the inputs, which may contain personal data. */
  url: string;
  timeoutMs: number;
  fetch: typeof globalThis.fetch;
}

/** Lists repeat their parameter, objects are JSON. */
export function searchParamsOf(query: object): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const item of value) parameters.append(name, String(item));
    else parameters.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return parameters;
}

/** Reads the whole body, so that a connection lost during it is a network failure, not invalid JSON. */
export function createTransport({ url, timeoutMs, fetch }: TransportOptions): Fetch {
  return async (input, init) => {
    // An invalid header value is a programming error, not a network failure, so it is thrown here.
    const headers = new Headers(init?.headers as ConstructorParameters<typeof Headers>[0]);
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    let response: Response;
    let text: string;
    try {
      response = await fetch(input, { ...(init as RequestInit), headers, signal });
      text = await response.text();
    } catch (cause) {
      throw unreachable(url, cause, timeoutMs);
    }
    const json = parseJson(text);
    if (json === undefined) throw invalidResponse({ url, response });
    return { ok: response.ok, status: response.status, headers: response.headers, json: async () => json };
  };
}

export interface RetryPolicy {
  attemptsMax: number;
  /** A longer Retry-After fails the call at once. */
  retryAfterMaxMs: number;
  /** Whether the call can run twice. If not, it is only retried if the service has not started it. */
  isRepeatable: boolean;
  onRetry?: ((error: RosterError, delayMs: number) => void) | undefined;
}

/** The maximum of the random pause; it doubles with each attempt. */
const BACKOFF_FIRST_MS = 200;
const BACKOFF_MAX_MS = 5_000;

/** Of the service, or of a proxy that can't reach it. */
const transientStatuses = new Set([429, 502, 503, 504]);

/** Regardless of status. With the second, the first attempt is still running. */
const transientCodes = new Set<RosterError['code']>(['network', 'idempotency_in_progress']);

export function isTransient({ code, status }: RosterError): boolean {
  return transientCodes.has(code) || transientStatuses.has(status);
}

/**
 * The pause before the next attempt in milliseconds: exponential back-off with full jitter, so that clients
 * that failed together don't retry together, plus what the service asked for.
 *
 * @param attempt the number of failed attempts, from 1
 */
export function backoffMs(
  attempt: number,
  { retryAfterMs = 0 }: { retryAfterMs?: number | undefined },
  random = Math.random,
): number {
  const bound = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (attempt - 1));
  return retryAfterMs + random() * bound;
}

/** A rate-limited call was not started, so that any can be retried. */
function isRetryable(error: unknown, { isRepeatable }: RetryPolicy): error is RosterError {
  if (!(error instanceof RosterError)) return false;
  return isRepeatable ? isTransient(error) : error.code === 'rate_limited';
}

/** Throws the error of the last attempt, or `aborted` as soon as the signal fires. */
export async function withRetries<Value>(
  call: () => Promise<Value>,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await unlessAborted(call, signal);
    } catch (error) {
      if (!isRetryable(error, policy) || attempt >= policy.attemptsMax) throw error;
      if ((error.retryAfterMs ?? 0) > policy.retryAfterMaxMs) throw error;
      const delayMs = backoffMs(attempt, error);
      await pause(delayMs, signal, () => policy.onRetry?.(error, delayMs));
    }
  }
}

/** A batch ends only if all its calls are aborted; an aborted call must not wait for the others. */
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

const TIMER_MAX_MS = 2 ** 31 - 1;

/** Calls `onStart`, then waits. Throws `aborted` as soon as the signal fires. */
export function pause(ms: number, signal: AbortSignal | undefined, onStart: () => void): Promise<void> {
  const wait = () =>
    new Promise<void>((resolve) => {
      onStart();
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

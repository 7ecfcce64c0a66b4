/** The number of requests that a caller may make in a time, on all servers of a database together. */
export interface RateLimitPolicy {
  /** Requests in a window. */
  quota: number;
  windowMs: number;
}

/** The decision about one request, and the remaining quota of its caller. */
export interface RateLimitResult {
  isAllowed: boolean;
  /** Requests that may follow at once. */
  remaining: number;
  /** Milliseconds until the whole quota is available again. */
  resetMs: number;
  /** Milliseconds until the request is allowed; 0 if it is. */
  retryMs: number;
}

/** Limits the rate of each caller. Decides immediately, in memory; never waits and never throws. */
export interface RateLimiter {
  readonly policy: RateLimitPolicy;
  /** The requests in a window that this server allows a caller: its part of the quota, at least 1. */
  readonly share: number;
  /**
   * Counts a request that costs as much as `cost` requests if it is allowed; a rejected one costs nothing.
   *
   * @param caller the name of a key or an address; every caller has a quota of its own
   * @param charged what the same request has been charged before; nothing unless given
   */
  limit(caller: string, cost: number, charged?: number): RateLimitResult;
  /** Returns what `limit` would; counts nothing. */
  peek(caller: string, cost: number): RateLimitResult;
}

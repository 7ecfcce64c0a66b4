/** How many requests a caller may make in which time. */
export interface RateLimitPolicy {
  /** Requests in a window. */
  quota: number;
  windowMs: number;
}

/** What a request is told about the rate of its caller. */
export interface RateLimitResult {
  isAllowed: boolean;
  /** Requests that may follow at once. */
  remaining: number;
  /** Milliseconds until the whole quota is available again. */
  resetMs: number;
  /** Milliseconds until what was asked is allowed; 0 if it is. */
  retryMs: number;
}

/** Limits how much each caller may ask. Decides at once, in memory; never waits and never throws. */
export interface RateLimiter {
  readonly policy: RateLimitPolicy;
  /**
   * Counts a request that costs as much as `cost` requests, if it is allowed; one that is not costs nothing.
   *
   * @param caller the name of a key or an address; every caller has a quota of its own
   */
  limit(caller: string, cost: number): RateLimitResult;
  /** What `limit` would answer; counts nothing. */
  peek(caller: string, cost: number): RateLimitResult;
}

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
  /** Returns the decision that `limit` would return; counts nothing. */
  peek(caller: string, cost: number): RateLimitResult;
  /** Divides the quota by the number of the servers that run. What a caller has used stays the same part of its share. */
  divideBy(servers: number): void;
}

const KEYS_MAX = 100_000;
/** The number of keys that an eviction leaves: fewer than the maximum, so that not every new key costs one. */
const KEYS_KEPT = 90_000;
/** The part of a request that floating point may lose. */
const TOLERANCE = 0.01;

/**
 * The generic cell rate algorithm (GCRA, ITU-T I.371) in memory: for each key one number, the time at which all of its
 * requests would have been made at the steady rate. It may be ahead of the clock by one window, so that a share can be
 * used at once and is then replenished evenly. Keeps 100,000 keys at most; the oldest are evicted.
 *
 * Servers know nothing of each other's callers. Each allows the quota divided by the number of servers, so that all of
 * them together allow the quota to a caller who spreads its requests evenly, and one who stays on a server its share.
 * A request that costs more than the share, and not more than the quota, is allowed if the whole share is available; all of its cost
 * has to be replenished before the next.
 *
 * @param nowMs milliseconds of a clock that is never set; that of the process unless given
 */
export function createRateLimiter(
  policy: RateLimitPolicy,
  nowMs: () => number = () => performance.now(),
): RateLimiter {
  const { quota, windowMs } = policy;
  let intervalMs = windowMs / quota;
  const spentUntil = new Map<string, number>();

  function evict(now: number): void {
    for (const [key, until] of spentUntil) if (until <= now) spentUntil.delete(key);
    for (const key of spentUntil.keys()) {
      if (spentUntil.size <= KEYS_KEPT) return;
      spentUntil.delete(key);
    }
  }

  function store(key: string, until: number, now: number): void {
    if (spentUntil.size >= KEYS_MAX && !spentUntil.has(key)) evict(now);
    spentUntil.set(key, until);
  }

  function decide(key: string, cost: number, { charged = 0, isCounted = true }): RateLimitResult {
    const now = nowMs();
    const before = Math.max(spentUntil.get(key) ?? now, now);
    const after = before + cost * intervalMs;
    const wholeMs = (charged + cost) * intervalMs;
    const neededMs = (charged + cost > quota ? wholeMs : Math.min(wholeMs, windowMs)) - charged * intervalMs;
    const leftMs = windowMs - (before - now) - neededMs;
    const isAllowed = leftMs / intervalMs >= -TOLERANCE;
    const until = isAllowed ? after : before;
    if (isCounted) store(key, until, now);
    return {
      isAllowed,
      remaining: Math.max(0, Math.floor((windowMs - (until - now)) / intervalMs + TOLERANCE)),
      // Rounded: adding the clock and subtracting it again loses precision, which must not show as another second.
      resetMs: Math.round(until - now),
      // A cost above the quota is never allowed; the result is the time until the whole share is available.
      retryMs: isAllowed ? 0 : Math.min(-leftMs, Math.max(before - now, windowMs)),
    };
  }

  return {
    policy,
    get share() {
      return Math.max(1, Math.floor(windowMs / intervalMs + TOLERANCE));
    },
    limit: (key, cost, charged) => decide(key, cost, { charged }),
    peek: (key, cost) => decide(key, cost, { isCounted: false }),
    divideBy(servers) {
      intervalMs = (windowMs / quota) * servers;
    },
  };
}

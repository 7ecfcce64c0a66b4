export interface RateLimitPolicy {
  quota: number;
  windowMs: number;
}

export interface RateLimitResult {
  isAllowed: boolean;
  remaining: number;
  resetMs: number;
  retryMs: number;
}

/** Decides in memory; never waits and never throws. */
export interface RateLimiter {
  readonly policy: RateLimitPolicy;
  readonly share: number;
  /** A rejected request costs nothing. `charged` is what the same request has been charged before. */
  limit(caller: string, cost: number, charged?: number): RateLimitResult;
  /** Like `limit`, but counts nothing. */
  peek(caller: string, cost: number): RateLimitResult;
  /** The used part of each caller's share stays the same. */
  divideBy(servers: number): void;
}

const KEYS_MAX = 100_000;
/** Fewer than the maximum, so that not every new key costs an eviction. */
const KEYS_KEPT = 90_000;
const TOLERANCE = 0.01;

/**
 * The generic cell rate algorithm (GCRA, ITU-T I.371): for each key the time at which its requests would have been made at the steady
 * rate, at most a window ahead of the clock. The oldest of 100,000 keys are evicted.
 *
 * Servers do not share counts. Each allows its part of the quota: a caller that spreads its requests gets all of it, one that stays on
 * a server gets a share. A request that costs more than the share needs the whole share, and all of its cost is replenished before the
 * next.
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
      // Adding and subtracting the clock loses precision, which must not show as another second.
      resetMs: Math.round(until - now),
      // A cost above the quota is never allowed: this is when the whole share is available.
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

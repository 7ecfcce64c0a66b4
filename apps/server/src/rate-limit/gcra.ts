import type { RateLimiter, RateLimitPolicy, RateLimitResult } from './limiter.ts';

/** A limiter whose counts can be read and set. A debt is how many milliseconds a key is ahead of the steady rate. */
export interface Gcra extends RateLimiter {
  /** Milliseconds until the whole quota of a key is available again; 0 if it is. */
  debtMs(key: string): number;
  set(key: string, debtMs: number): void;
  /** The keys that have a debt. */
  activeKeys(): string[];
}

const KEYS_MAX = 100_000;
/** How many keys are left after an eviction: fewer than the maximum, so that not every new key costs one. */
const KEYS_KEPT = 90_000;
/** The part of a request that floating point may lose. */
const TOLERANCE = 0.01;

/**
 * The generic cell rate algorithm (GCRA, ITU-T I.371) in memory: for each key one number, the time at which all of its
 * requests would have been made at the steady rate. It may be ahead of the clock by one window, so that a quota can be
 * used at once and is then replenished evenly. Keeps 100,000 keys at most; the oldest are evicted.
 *
 * @param nowMs milliseconds of a clock that is never set
 */
export function createGcra(policy: RateLimitPolicy, nowMs: () => number): Gcra {
  const { quota, windowMs } = policy;
  const intervalMs = windowMs / quota;
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

  function decide(key: string, cost: number, isCounted: boolean): RateLimitResult {
    const now = nowMs();
    const before = Math.max(spentUntil.get(key) ?? now, now);
    const after = before + cost * intervalMs;
    const isAllowed = (windowMs - (after - now)) / intervalMs >= -TOLERANCE;
    const until = isAllowed ? after : before;
    if (isCounted) store(key, until, now);
    return {
      isAllowed,
      remaining: Math.max(0, Math.floor((windowMs - (until - now)) / intervalMs + TOLERANCE)),
      // Rounded: adding the clock and subtracting it again loses precision, which must not show as another second.
      resetMs: Math.round(until - now),
      // A cost above the quota is never allowed; the result is the time until the whole quota is available.
      retryMs: isAllowed ? 0 : Math.min(after - now - windowMs, Math.max(before - now, windowMs)),
    };
  }

  return {
    policy,
    limit: (key, cost) => decide(key, cost, true),
    peek: (key, cost) => decide(key, cost, false),
    debtMs: (key) => Math.max(0, (spentUntil.get(key) ?? 0) - nowMs()),
    set: (key, debtMs) => store(key, nowMs() + debtMs, nowMs()),
    activeKeys() {
      const now = nowMs();
      return [...spentUntil].filter(([, until]) => until > now).map(([key]) => key);
    },
  };
}

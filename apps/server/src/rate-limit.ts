/** How many requests in which time one caller may make. */
export interface RatePolicy {
  /** Requests in a window. */
  quota: number;
  windowMs: number;
}

/** What is left to a caller after a request. */
export interface RateState {
  isAllowed: boolean;
  /** Requests that may follow at once. */
  remaining: number;
  /** Milliseconds until the whole quota is there again. */
  resetMs: number;
  /** Milliseconds until one more request is allowed; 0 where it is now. */
  retryMs: number;
}

export interface RateLimiter {
  /** Counts requests of a caller; those that are not allowed cost nothing. */
  take(caller: string, cost: number): RateState;
  /** What `take` would answer. */
  look(caller: string, cost: number): RateState;
  /** Milliseconds until the whole quota of a caller is there again; 0 where it is. */
  aheadMs(caller: string): number;
  /** Somebody else knows better how far ahead a caller is. */
  learn(caller: string, aheadMs: number): void;
  /** The callers who have spent something that has not grown back. */
  spenders(): string[];
}

const CALLERS_MAX = 100_000;
/** How many are left when there was no room: fewer, so that not every new caller costs a look at all the others. */
const CALLERS_KEPT = 90_000;
/** The part of a request that floating point may lose. */
const TOLERANCE = 0.01;

/**
 * Limits by the generic cell rate algorithm: for each caller one number, the time at which all of its requests would
 * have been made at the steady rate. It may run ahead of the clock by one window, so a quota can be used at once and
 * then grows back evenly. In memory alone: a request costs a look into a map.
 */
export function createRateLimiter({ quota, windowMs }: RatePolicy, nowMs: () => number): RateLimiter {
  const intervalMs = windowMs / quota;
  const spentUntil = new Map<string, number>();

  /** Callers whose quota is whole again need no memory; and memory is bounded whoever calls. */
  function makeRoom(now: number): void {
    for (const [caller, until] of spentUntil) if (until <= now) spentUntil.delete(caller);
    for (const caller of spentUntil.keys()) {
      if (spentUntil.size <= CALLERS_KEPT) return;
      spentUntil.delete(caller);
    }
  }

  function keep(caller: string, until: number, now: number): void {
    if (spentUntil.size >= CALLERS_MAX && !spentUntil.has(caller)) makeRoom(now);
    spentUntil.set(caller, until);
  }

  function decide(caller: string, cost: number, isTaken: boolean): RateState {
    const now = nowMs();
    const before = Math.max(spentUntil.get(caller) ?? now, now);
    const after = before + cost * intervalMs;
    const isAllowed = (windowMs - (after - now)) / intervalMs >= -TOLERANCE;
    const until = isAllowed ? after : before;
    if (isTaken) keep(caller, until, now);
    return {
      isAllowed,
      remaining: Math.max(0, Math.floor((windowMs - (until - now)) / intervalMs + TOLERANCE)),
      // Adding to the clock and taking it away again loses a little, which must not show as another second.
      resetMs: Math.round(until - now),
      retryMs: isAllowed ? 0 : Math.min(after - now - windowMs, windowMs),
    };
  }

  return {
    take: (caller, cost) => decide(caller, cost, true),
    look: (caller, cost) => decide(caller, cost, false),
    aheadMs: (caller) => Math.max(0, (spentUntil.get(caller) ?? 0) - nowMs()),
    learn: (caller, aheadMs) => keep(caller, nowMs() + aheadMs, nowMs()),
    spenders() {
      const now = nowMs();
      return [...spentUntil].filter(([, until]) => until > now).map(([caller]) => caller);
    },
  };
}

import { describe, expect, it } from 'vitest';
import { createRateLimiter } from './gcra.ts';

const WINDOW_MS = 60_000;

describe('a request that costs more than the share of a server', () => {
  it('is allowed when the whole share is available, and all of its cost is replenished before the next', () => {
    let now = 0;
    const limiter = createRateLimiter({ quota: 60, windowMs: WINDOW_MS }, () => now);
    limiter.divideBy(6);
    expect(limiter.share).toBe(10);
    expect(limiter.limit('ana', 60)).toMatchObject({ isAllowed: true, remaining: 0 });
    const { isAllowed, retryMs } = limiter.limit('ana', 1);
    expect([isAllowed, retryMs]).toEqual([false, 5 * WINDOW_MS + WINDOW_MS / 10]);
    now += retryMs;
    expect(limiter.limit('ana', 1).isAllowed).toBe(true);
    expect(limiter.limit('ana', 61)).toMatchObject({ isAllowed: false });
  });

  it('may have been charged a part of it before', () => {
    const limiter = createRateLimiter({ quota: 60, windowMs: WINDOW_MS }, () => 0);
    limiter.divideBy(6);
    limiter.limit('ana', 1);
    expect(limiter.limit('ana', 59).isAllowed).toBe(false);
    limiter.limit('rui', 1);
    expect(limiter.limit('rui', 59, 1).isAllowed).toBe(true);
  });

  it('is allowed by so many servers that a share is less than one request', () => {
    let now = 0;
    const limiter = createRateLimiter({ quota: 6, windowMs: WINDOW_MS }, () => now);
    limiter.divideBy(12);
    expect([limiter.share, limiter.limit('ana', 1).isAllowed, limiter.limit('ana', 1).isAllowed]).toEqual([
      ...[1, true, false],
    ]);
    now += 2 * WINDOW_MS;
    expect(limiter.limit('ana', 1).isAllowed).toBe(true);
  });
});

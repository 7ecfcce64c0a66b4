import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRateLimiter } from '../../src/http/limits/gcra.ts';

const WINDOW_MS = 60_000;
const quota = fc.integer({ min: 1, max: 2_000 });
/** A clock may have run for months, and has fractions. */
const start = fc.double({ min: 0, max: 1e10, noNaN: true });

describe('GCRA', () => {
  it('allows exactly the quota at once, for any quota and time', () => {
    fc.assert(
      fc.property(quota, start, (count, now) => {
        const limiter = createRateLimiter({ quota: count, windowMs: WINDOW_MS }, () => now);
        for (let left = count - 1; left >= 0; left -= 1) {
          expect(limiter.limit('ana', 1)).toMatchObject({ isAllowed: true, remaining: left, retryMs: 0 });
        }
        const rejected = limiter.limit('ana', 1);
        expect(rejected).toMatchObject({ isAllowed: false, remaining: 0 });
        expect(rejected.retryMs).toBeCloseTo(WINDOW_MS / count, 0);
      }),
      { numRuns: 30 },
    );
  });

  it('allows what it rejected after exactly the time that it returned', () => {
    fc.assert(
      fc.property(quota, start, fc.integer({ min: 1, max: 20 }), (count, began, cost) => {
        fc.pre(cost <= count);
        let now = began;
        const limiter = createRateLimiter({ quota: count, windowMs: WINDOW_MS }, () => now);
        while (limiter.limit('ana', 1).isAllowed);
        const { retryMs } = limiter.limit('ana', cost);
        now += retryMs * 0.9;
        expect(limiter.limit('ana', cost).isAllowed).toBe(false);
        now += retryMs * 0.1 + 0.01;
        expect(limiter.limit('ana', cost).isAllowed).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('evicts the oldest keys when there are more than 100,000', () => {
    const limiter = createRateLimiter({ quota: 10, windowMs: WINDOW_MS }, () => 0);
    limiter.limit('first', 10);
    expect(limiter.limit('first', 1).isAllowed).toBe(false);
    for (let count = 0; count < 300_000; count += 1) limiter.limit(`caller ${count}`, 10);
    expect(limiter.limit('first', 1).isAllowed).toBe(true);
    expect(limiter.limit('caller 299999', 1).isAllowed).toBe(false);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRateLimiter } from './gcra.ts';

const WINDOW_MS = 60_000;
/** A clock may have run for months, and has fractions. */
const start = fc.double({ min: 0, max: 1e10, noNaN: true });

describe('GCRA', () => {
  it('never allows more in any period than the quota and what was replenished meanwhile', () => {
    const waits = fc.array(
      fc.tuple(fc.double({ min: 0, max: 20_000, noNaN: true }), fc.integer({ min: 1, max: 5 })),
      {
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), start, waits, (count, began, steps) => {
        let now = began;
        const limiter = createRateLimiter({ quota: count, windowMs: WINDOW_MS }, () => now);
        const served: [time: number, cost: number][] = [];
        for (const [wait, cost] of steps) {
          now += wait;
          if (limiter.limit('ana', cost).isAllowed) served.push([now, cost]);
        }
        for (const [index, [from]] of served.entries()) {
          let sum = 0;
          for (const [time, cost] of served.slice(index)) {
            sum += cost;
            const replenished = ((time - from) / WINDOW_MS) * count;
            expect(sum).toBeLessThanOrEqual(count + replenished + 0.1);
          }
        }
      }),
    );
  });

  it('replenishes the quota evenly, and completely within the time that it returned', () => {
    let now = 0;
    const limiter = createRateLimiter({ quota: 60, windowMs: WINDOW_MS }, () => now);
    for (let count = 0; count < 60; count += 1) limiter.limit('ana', 1);
    for (let count = 0; count < 100; count += 1) {
      now += 1_000;
      expect(limiter.limit('ana', 1).isAllowed).toBe(true);
      expect(limiter.limit('ana', 1).isAllowed).toBe(false);
    }
    now += limiter.limit('ana', 1).resetMs;
    expect(limiter.limit('ana', 60)).toMatchObject({ isAllowed: true, remaining: 0 });
  });

  it('charges nothing for what it rejects, and a key nothing for another', () => {
    const limiter = createRateLimiter({ quota: 10, windowMs: WINDOW_MS }, () => 0);
    expect(limiter.limit('ana', 8).remaining).toBe(2);
    for (let count = 0; count < 50; count += 1) expect(limiter.limit('ana', 3).isAllowed).toBe(false);
    expect(limiter.limit('ana', 2).isAllowed).toBe(true);
    expect(limiter.limit('rui', 10).isAllowed).toBe(true);
  });
});

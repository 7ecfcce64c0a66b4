import { describe, expect, it } from 'vitest';
import { RETRY_DELAYS_MS, retryDelay } from './retry-schedule.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

/** The delay after the attempt of this number, with the schedule of the service. */
const after = (count: number, more: { status?: number | null; retryAfterMs?: number } = {}) =>
  retryDelay({ count, status: null, ...more }, RETRY_DELAYS_MS);

describe('the retry schedule', () => {
  it('is that of Standard Webhooks plus at most 10 %', () => {
    const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [index, expected] of seconds.entries()) {
      const delays = Array.from({ length: 50 }, () => after(index + 1) ?? 0);
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(expected * SECOND_MS);
      expect(Math.max(...delays)).toBeLessThanOrEqual(expected * 1.1 * SECOND_MS);
      expect(new Set(delays).size).toBeGreaterThan(1);
    }
  });

  it('ends after ten attempts, even with Retry-After', () => {
    expect(after(10)).toBeUndefined();
    expect(after(10, { status: 429, retryAfterMs: 1_000 })).toBeUndefined();
  });

  it.each([429, 503])('is replaced by Retry-After with %i, from 5 s to a day', (status) => {
    expect(after(6, { status, retryAfterMs: 90 * SECOND_MS })).toBe(90 * SECOND_MS);
    expect(after(6, { status, retryAfterMs: 0 })).toBe(5 * SECOND_MS);
    expect(after(1, { status, retryAfterMs: 1_000 * HOUR_MS })).toBe(24 * HOUR_MS);
  });

  it('ignores Retry-After with another status', () => {
    expect(after(1, { status: 500, retryAfterMs: 90 * SECOND_MS })).toBeLessThan(6 * SECOND_MS);
  });
});

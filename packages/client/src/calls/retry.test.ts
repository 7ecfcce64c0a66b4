import { expect, it } from 'vitest';
import { retryAfterMs } from '../errors.ts';
import { backoffMs } from './transport.ts';

it('the bound of the pause doubles with every attempt, up to 5 seconds', () => {
  const bounds = [1, 2, 3, 4, 5, 6, 7].map((attempt) => backoffMs(attempt, {}, () => 1));
  expect(bounds).toEqual([200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
});

it('the pause is a random part of the bound, plus Retry-After', () => {
  expect(backoffMs(1, {}, () => 0)).toBe(0);
  expect(backoffMs(1, { retryAfterMs: 1_000 }, () => 0)).toBe(1_000);
  expect(backoffMs(1, { retryAfterMs: 1_000 }, () => 0.5)).toBe(1_100);
});

it.each([
  ['2', 2_000],
  ['Sat, 31 Jan 2026 08:00:10 GMT', 10_000],
  ['Sat, 31 Jan 2026 07:00:00 GMT', 0],
  ['soon', undefined],
])('parses Retry-After: %s', (value, expected) => {
  const headers = new Headers({ 'Retry-After': value });
  expect(retryAfterMs(headers, Date.parse('2026-01-31T08:00:00Z'))).toBe(expected);
});

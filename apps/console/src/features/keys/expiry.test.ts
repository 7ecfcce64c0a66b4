import { expect, it } from 'vitest';
import { localTimeOf } from '../fields/local-time.ts';
import { expiresAtOf, expiryOf } from './expiry.ts';

it('a key expires after the chosen number of days, or never', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(expiresAtOf({ choice: '30', time: '' }, { now })).toBe('2026-01-31T00:00:00.000Z');
  expect(expiresAtOf({ choice: 'never', time: '' }, { now })).toBeNull();
});

it('a time that is not complete is no expiry, and never stands for "never"', () => {
  expect(expiresAtOf({ choice: 'time', time: '' })).toBeUndefined();
});

it('an expiry that is not changed keeps its seconds', () => {
  const kept = '2026-06-30T12:34:56.789Z';
  expect(expiresAtOf(expiryOf(kept), { kept })).toBe(kept);
});

it('a chosen time is one of the time zone of the browser', () => {
  const time = localTimeOf('2026-06-30T12:34:00.000Z');
  expect(expiresAtOf({ choice: 'time', time })).toBe('2026-06-30T12:34:00.000Z');
});

import { expect, it } from 'vitest';
import { dayBefore, localDayOf, timesOfDay } from './local-time.ts';

it('a day is from its first moment to the first of the next day', () => {
  const { since, before } = timesOfDay('2026-02-28');
  expect(new Date(since).getHours()).toBe(0);
  expect(localDayOf(before)).toBe('2026-03-01');
});

it('the days of a range are those that were chosen', () => {
  const { since, before } = timesOfDay('2026-12-31');
  expect([localDayOf(since), dayBefore(before)]).toEqual(['2026-12-31', '2026-12-31']);
});

it('what is no time is no day', () => {
  expect([localDayOf(undefined), localDayOf('soon'), dayBefore('')]).toEqual(['', '', '']);
});

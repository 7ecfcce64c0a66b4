import { expect, it } from 'vitest';
import { relativeTime } from './relative-time.ts';

const inEnglish = { locale: 'en', isUtc: false };
const now = new Date(2026, 10, 28, 1, 0);
const inWords = (...[year, month, day, hour = 0]: [number, number, number, number?]) =>
  relativeTime(new Date(year, month, day, hour), inEnglish, now);

it('a time in more than a day is never said to be in the next month or year if it is in a later one', () => {
  expect(inWords(2027, 0, 4)).toBe('in 5 weeks');
  expect(inWords(2026, 9, 22, 1)).toBe('5 weeks ago');
  expect(inWords(2027, 0, 31)).toBe('in 2 months');
  expect(inWords(2028, 0, 4)).toBe('in 13 months');
  expect(inWords(2028, 11, 4)).toBe('in 2 years');
  for (let days = 2; days < 1_500; days += 1)
    expect(inWords(2026, 10, 28 + days, 1)).toMatch(/^in ([2-9]|\d\d) (days|weeks|months|years)$/);
});

it('"tomorrow" and "yesterday" are days of the calendar', () => {
  expect(inWords(2026, 10, 29, 20)).toBe('tomorrow');
  expect(inWords(2026, 10, 26, 20)).toBe('2 days ago');
  expect(relativeTime(new Date(2026, 10, 30, 0), inEnglish, new Date(2026, 10, 28, 23))).toBe('in 2 days');
});

it('a time within a day is said in hours, minutes or seconds', () => {
  expect(inWords(2026, 10, 28, 4)).toBe('in 3 hours');
  expect(relativeTime(new Date(now.getTime() - 90_000), inEnglish, now)).toBe('1 minute ago');
  expect(relativeTime(now, inEnglish, now)).toBe('now');
});

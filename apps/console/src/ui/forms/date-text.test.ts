import { describe, expect, it } from 'vitest';
import { addMonths, daysOfMonth, isDay, parseDay } from './date-text.ts';

describe('a day that someone writes', () => {
  it.each([
    ['2026-11-30', 'en-GB', '2026-11-30'],
    ['30/11/2026', 'en-GB', '2026-11-30'],
    ['11/30/2026', 'en-US', '2026-11-30'],
    ['30.11.26', 'de', '2026-11-30'],
    ['30 Nov 2026', 'en-GB', '2026-11-30'],
    ['Nov 30, 2026', 'en-US', '2026-11-30'],
    ['Monday, 30 November 2026', 'en-GB', '2026-11-30'],
    ['segunda-feira, 30 de nov. de 2026', 'pt', '2026-11-30'],
    ['2026年11月30日', 'ja', '2026-11-30'],
  ])('%s in %s is %s', (text, locale, day) => {
    expect(parseDay(text, locale)).toBe(day);
  });

  it.each(['', 'soon', '31/11/2026', '30/11'])('“%s” is none', (text) => {
    expect(parseDay(text, 'en-GB')).toBeUndefined();
  });
});

it('a value is told from what someone wrote', () => {
  expect(['2026-11-30', '2026-02-30', '30/11/2026', ''].map(isDay)).toEqual([true, false, false, false]);
});

describe('a calendar', () => {
  it('begins with the first day of the week in which the month begins', () => {
    expect(daysOfMonth('2026-11', 1)[0]).toBe('2026-10-26');
    expect(daysOfMonth('2026-11', 7)[0]).toBe('2026-11-01');
  });

  it('goes to the last day of a month that is shorter', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
    expect(addMonths('2026-01-15', -1)).toBe('2025-12-15');
  });
});

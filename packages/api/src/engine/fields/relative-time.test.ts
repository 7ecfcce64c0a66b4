import { describe, expect, it } from 'vitest';
import { dayAt, dayFilter, timeAt, timeFilter } from './relative-time.ts';

const now = new Date('2026-01-31T22:30:00.000Z');

describe('a duration', () => {
  it.each([
    ['P60D', '2026-04-01'],
    ['P0D', '2026-01-31'],
    ['-P30D', '2026-01-01'],
    ['P1M', '2026-02-28'],
    ['-P2M', '2025-11-30'],
    ['P1Y1M1W1D', '2027-03-08'],
  ])('%s is the day %s, in UTC', (duration, day) => {
    expect(dayAt(duration, now)).toBe(day);
    expect(timeAt(duration, now)).toBe(`${day}T22:30:00.000Z`);
    expect(dayFilter('').safeParse(duration).success).toBe(true);
  });

  it('has hours, minutes and seconds where a time is compared', () => {
    expect(timeAt('-P1DT12H30M15S', now)).toBe('2026-01-30T09:59:45.000Z');
    expect(timeFilter('').safeParse('PT90M').success).toBe(true);
    expect(dayFilter('').safeParse('PT90M').success).toBe(false);
  });

  it('leaves a day and a time that are written out as they are', () => {
    expect(dayAt('2027-01-31', now)).toBe('2027-01-31');
    expect(timeAt('2027-01-31T08:00:00+05:30', now)).toBe('2027-01-31T08:00:00+05:30');
  });

  it.each(['P', 'PT', '-', 'P1', 'P-1D', '+P1D', 'P1DT', 'P1H', 'P1.5D', '60d', 'P1D ', '', 'P123456D'])(
    'is not %j, and the error says what is one',
    (text) => {
      const { error } = timeFilter('').safeParse(text);
      expect(error?.issues).toMatchObject([
        { params: { code: 'invalid_format' }, message: expect.stringContaining('P60D') },
      ]);
      expect(dayFilter('').safeParse(text).error?.issues).toHaveLength(1);
    },
  );

  it.each(['P9999Y', '-P2100Y', '-P9999Y9999M9999W99999D'])('%s leads out of the calendar', (duration) => {
    const { error } = dayFilter('').safeParse(duration);
    expect(error?.issues).toMatchObject([{ params: { code: 'out_of_range' } }]);
  });
});

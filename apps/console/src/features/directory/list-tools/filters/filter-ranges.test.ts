import { describe, expect, it } from 'vitest';
import { contracts, resourceNames } from '../../../../api/contract/contracts.ts';
import { findRange, windowEnds, windowOf } from './filter-ranges.ts';

describe('the spans of time of filters', () => {
  it.each(resourceNames)('are all filters of %s by a day or a time', (resource) => {
    const { filters } = contracts[resource];
    const timed = filters.filter(({ kind }) => kind === 'date' || kind === 'time');
    const ranges = filters.filter(({ name }) => findRange(resource, name) !== undefined);
    expect(ranges).toEqual(timed);
  });

  const expiry = findRange('agents', 'licenseExpiresBefore') ?? { stem: '', isOpenEnded: false };
  const changed = findRange('agents', 'updatedSince') ?? { stem: '', isOpenEnded: false };

  it.each([
    [expiry, 'next', 60, { since: 'P0D', before: 'P61D' }],
    [expiry, 'last', 30, { since: '-P30D', before: 'P1D' }],
    [changed, 'last', 30, { since: '-P30D' }],
  ] as const)('have a window of days with today: %#', (range, direction, days, ends) => {
    expect(windowEnds(range, { direction, days })).toEqual(ends);
    expect(windowOf(range, ends)).toEqual({ direction, days });
  });

  it.each([
    [{}],
    [{ since: 'P0D' }],
    [{ since: 'P0D', before: 'P1D' }],
    [{ since: '-P30D' }],
    [{ since: '-P1M', before: 'P1D' }],
    [{ since: '2026-01-31', before: 'P1D' }],
  ])('are no window otherwise: %j', (ends) => {
    expect(windowOf(expiry, ends)).toBeUndefined();
  });
});

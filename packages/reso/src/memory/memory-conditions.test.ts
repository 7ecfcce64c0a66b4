import { expect, it } from 'vitest';
import { meets } from './memory-conditions.ts';

const day = '2026-01-31T08:00:00Z';

/** Which of the values before, at and after the one that is compared meet each comparison. */
it.each([
  ['eq', [false, true, false]],
  ['ne', [true, false, true]],
  ['gt', [false, false, true]],
  ['ge', [false, true, true]],
  ['lt', [true, false, false]],
  ['le', [true, true, false]],
] as const)(
  '%s compares texts and times in the way of OData, also at the value itself',
  (comparison, expected) => {
    const met = (value: string, items: string[]) =>
      items.map((item) => meets({ field: item }, { kind: 'compare', field: 'field', comparison, value }));
    expect(met('b', ['a', 'b', 'c'])).toEqual(expected);
    expect(
      met(day, ['2026-01-31T09:59:59+02:00', '2026-01-31T10:00:00+02:00', '2026-01-31T08:00:01Z']),
    ).toEqual(expected);
  },
);

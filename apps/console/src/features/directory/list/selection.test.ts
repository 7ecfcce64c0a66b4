import { describe, expect, it } from 'vitest';
import {
  allSelected,
  extend,
  isSelected,
  nothingSelected,
  PICKED_MAX,
  selectedCount,
  selectionOf,
  toggle,
} from './selection.ts';

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `r${from + at}`);

describe('the selection of a list', () => {
  it('has what was picked, and not what was picked again', () => {
    const one = toggle(nothingSelected, 'a').state;
    const two = toggle(one, 'b').state;
    expect([...toggle(two, 'a').state.ids]).toEqual(['b']);
    expect(selectedCount(two, 1_000)).toBe(2);
  });

  it('gets shorter when Shift goes back, without what was picked before', () => {
    const picked = toggle(toggle(nothingSelected, 'x').state, 'r0').state;
    const long = extend(picked, ids(0, 5)).state;
    expect([...long.ids].toSorted()).toEqual([...ids(0, 5), 'x']);
    expect([...extend(long, ids(0, 3)).state.ids].toSorted()).toEqual([...ids(0, 3), 'x']);
  });

  it('has at most as many picked ones as a filter takes, and says how many were left out', () => {
    const { state, leftOut } = extend(nothingSelected, ids(0, PICKED_MAX + 30));
    expect(state.ids.size).toBe(PICKED_MAX);
    expect(leftOut).toBe(30);
    expect(toggle(state, 'one more')).toEqual({ state, leftOut: 1 });
  });

  it('is nothing after one of all is taken out, because a filter cannot leave one out', () => {
    expect(isSelected(allSelected, 'any')).toBe(true);
    expect(toggle(allSelected, 'any').state).toEqual(nothingSelected);
  });

  it('is given to a bulk change as ids, or as the filter with the number that it selects', () => {
    const filter = { status: 'active', q: 'porto' };
    expect(selectionOf(nothingSelected, { filter }, 12)).toBeUndefined();
    expect(selectionOf(toggle(nothingSelected, 'a').state, { filter }, 12)).toEqual({ ids: ['a'] });
    expect(selectionOf(allSelected, { filter }, 12)).toEqual({ filter, expectedCount: 12 });
  });

  it('says so if it is every record there is', () => {
    expect(selectionOf(allSelected, { filter: {} }, 900)).toEqual({
      filter: { all: true },
      expectedCount: 900,
    });
  });
});

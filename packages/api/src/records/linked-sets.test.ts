import { expect, it } from 'vitest';
import { linkedSets } from './linked-sets.ts';

it('joins what is linked directly or over others, in any order, and leaves out what is alone', () => {
  const links = [[1, 2], [3, 4], [9], [5, 6, 6], [4, 1], [7, 7]];
  for (const order of [links, links.toReversed()]) {
    const sets = linkedSets(order).map((set) => set.sort((one, other) => one - other));
    expect(sets.sort(([one = 0], [other = 0]) => one - other)).toEqual([
      [1, 2, 3, 4],
      [5, 6],
    ]);
  }
  expect(linkedSets([])).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { assignRows } from './row-slots.ts';

const range = (start: number, end: number) => Array.from({ length: end - start }, (_, at) => start + at);

describe('the slots of rows', () => {
  it('shows each row in one slot', () => {
    expect(assignRows([], [4, 5, 6])).toEqual([4, 5, 6]);
  });

  it('gives the slots of rows that have gone to those that have come, and keeps the others', () => {
    const before = assignRows([], range(0, 6));
    expect(assignRows(before, range(2, 8))).toEqual([6, 7, 2, 3, 4, 5]);
    expect(assignRows(before, range(100, 106))).toEqual(range(100, 106));
  });

  it('keeps the slot of the row with the focus, however far the others go', () => {
    const before = assignRows([], range(0, 4));
    expect(assignRows(before, [...range(50, 54), 2])).toEqual([50, 51, 2, 52, 53]);
  });

  it('leaves slots empty if there are fewer rows, and fills them again', () => {
    const fewer = assignRows(range(0, 4), [1]);
    expect(fewer).toEqual([undefined, 1, undefined, undefined]);
    expect(assignRows(fewer, [1, 2])).toEqual([2, 1, undefined, undefined]);
  });

  it('is the same array if the rows are the same, in whatever order', () => {
    const before = assignRows([], [1, 2, 3]);
    expect(assignRows(before, [3, 1, 2])).toBe(before);
  });
});

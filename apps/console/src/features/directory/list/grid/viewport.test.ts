import { describe, expect, it } from 'vitest';
import { resourceNames } from '../../../../api/contract/contracts.ts';
import { columnsOf } from '../../../../resources/index.ts';
import { placeFor } from './grid-keys.ts';
import { RENDERED_MAX, rowsAt } from './viewport.ts';

describe('the rows of a viewport', () => {
  it('are at most 60 at any height, with one for the focus, and cover the screen', () => {
    for (const height of [0, 200, 800, 1_440, 2_052, 2_088, 5_000]) {
      for (const scrollTop of [0, 17, 36, 5_000, 99_950 * 36]) {
        const rows = rowsAt({ scrollTop, height, rowHeight: 36, rowCount: 100_000 });
        expect(rows.end - rows.start).toBeLessThan(RENDERED_MAX);
        expect(rows.start).toBeLessThanOrEqual(rows.first);
        expect(rows.end).toBeGreaterThan(rows.last);
      }
    }
  });

  it('stay in a list that is shorter than the screen, or was until now', () => {
    const shape = { height: 800, rowHeight: 36 };
    expect(rowsAt({ ...shape, scrollTop: 0, rowCount: 3 })).toMatchObject({ start: 0, end: 3 });
    expect(rowsAt({ ...shape, scrollTop: 90_000, rowCount: 3 }).end).toBe(3);
    expect(rowsAt({ ...shape, scrollTop: 0, rowCount: 0 })).toMatchObject({ start: 0, end: 0 });
  });
});

describe('the keys of the grid', () => {
  const extent = { rowCount: 1_000, columnCount: 8, pageRows: 20 };
  const press = (key: string, { isControl = false, isRightToLeft = false, row = 10, column = 2 } = {}) =>
    placeFor({ key, isControl }, { row, column }, extent, isRightToLeft);

  it.each([
    ['ArrowDown', {}, { row: 11, column: 2 }],
    ['ArrowUp', { row: 0 }, { row: -1, column: 2 }],
    ['ArrowUp', { row: -1 }, { row: -1, column: 2 }],
    ['PageDown', {}, { row: 30, column: 2 }],
    ['PageDown', { row: 990 }, { row: 999, column: 2 }],
    ['PageUp', {}, { row: 0, column: 2 }],
    ['ArrowRight', { column: 7 }, { row: 10, column: 7 }],
    ['ArrowLeft', { isRightToLeft: true }, { row: 10, column: 3 }],
    ['Home', {}, { row: 10, column: 0 }],
    ['End', {}, { row: 10, column: 7 }],
    ['Home', { isControl: true }, { row: 0, column: 2 }],
    ['End', { isControl: true }, { row: 999, column: 2 }],
  ])('%s with %o moves the focus to %o', (key, how, to) => {
    expect(press(key, how)).toEqual(to);
  });

  it('are left to the browser if they move nowhere', () => {
    for (const key of ['Tab', 'a', 'Enter', 'F5']) expect(press(key)).toBeUndefined();
  });
});

describe('the columns', () => {
  it.each(resourceNames)('of %s fit into a saved view', (resource) => {
    expect(columnsOf(resource).length).toBeLessThanOrEqual(60);
  });
});

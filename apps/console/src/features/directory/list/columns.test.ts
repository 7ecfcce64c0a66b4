import { describe, expect, it } from 'vitest';
import { mapResources, resourceNames } from '../../../api/contract/contracts.ts';
import { defaultColumnsOf } from '../../../resources/index.ts';
import { fittingColumns, rowSizes } from './columns.ts';

/** The width of a list in a window of 1,280 pixels, beside the navigation. */
const AT_1280 = 1_040;

const widthOf = (columns: readonly string[], available: number, widths = {}) =>
  Number.parseInt(rowSizes(columns, widths, { isCard: false, available })['--row-width'] ?? '', 10);

describe('the columns of a list', () => {
  it('that are there by default fit a window of 1,280 pixels, none left out', () => {
    const all = mapResources((name) => defaultColumnsOf(name));
    for (const name of resourceNames) {
      expect(widthOf(all[name], AT_1280), name).toBeLessThanOrEqual(AT_1280);
      expect(fittingColumns(all[name], {}, AT_1280)).toEqual(all[name]);
    }
  });

  it('are left out from the last on where there is less room, but for the first', () => {
    const columns = ['name', 'status', 'email', 'phone'];
    expect(fittingColumns(columns, {}, 600)).toEqual(columns);
    expect(fittingColumns(columns, {}, 480)).toEqual(['name', 'status', 'email']);
    expect(fittingColumns(columns, {}, 10)).toEqual(['name']);
  });

  it('keep the width that someone has given them, whatever the room', () => {
    const sizes = rowSizes(['name', 'email'], { name: 500 }, { isCard: false, available: 600 });
    expect(sizes['--columns']).toBe('40px 500px minmax(161px,1fr)');
  });
});

import type { HTMLAttributes } from 'react';

type Attributes = HTMLAttributes<HTMLDivElement> & { [data: `data-${string}`]: unknown };

const withRole = (role: string) => (attributes: Attributes) => ({ role, ...attributes });

/**
 * The attributes of the elements of the grid (ARIA grid pattern), each with its role. They are no elements of a table: its rows could
 * not be taken out of the flow and keep their roles. The grid itself has the keys and clicks of all.
 */
export const attributesOf = {
  grid: withRole('grid'),
  rowGroup: withRole('rowgroup'),
  row: withRole('row'),
  columnHeader: withRole('columnheader'),
  cell: withRole('gridcell'),
};

/**
 * The attributes of what the focus roves among: a cell, or the control in it. Tab reaches the one that is active, and the arrow keys
 * the others.
 */
export function cellFocus(isActive: boolean) {
  return { 'data-cell': '', tabIndex: isActive ? 0 : -1 };
}

/** A cell of a grid: -1 is the row of the headers. */
export interface Place {
  row: number;
  column: number;
}

export interface Extent {
  rowCount: number;
  columnCount: number;
  pageRows: number;
}

type Key = { key: string; isControl: boolean };

function rowFor({ key, isControl }: Key, row: number, { rowCount, pageRows }: Extent): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return row + 1;
    case 'ArrowUp':
      return row - 1;
    case 'PageDown':
      return row + pageRows;
    case 'PageUp':
      // Not from the first rows to the headers.
      return row < 0 ? row : Math.max(0, row - pageRows);
    case 'Home':
      return isControl ? 0 : undefined;
    case 'End':
      return isControl ? rowCount - 1 : undefined;
    default:
      return undefined;
  }
}

/**
 * The cell that a key moves to (ARIA grid pattern); undefined if the key moves nowhere. With Control, Home and End are the first
 * and the last row, without it the first and the last cell of the row.
 */
export function placeFor(
  key: Key,
  { row, column }: Place,
  extent: Extent,
  isRightToLeft: boolean,
): Place | undefined {
  const { rowCount, columnCount } = extent;
  const to = rowFor(key, row, extent);
  if (to !== undefined) return { row: Math.max(-1, Math.min(to, rowCount - 1)), column };
  const forward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight';
  const back = isRightToLeft ? 'ArrowRight' : 'ArrowLeft';
  if (key.key === forward) return { row, column: Math.min(column + 1, columnCount - 1) };
  if (key.key === back) return { row, column: Math.max(column - 1, 0) };
  if (key.key === 'Home') return { row, column: 0 };
  if (key.key === 'End') return { row, column: columnCount - 1 };
  return undefined;
}

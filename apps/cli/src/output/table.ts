import stringWidth from 'string-width';
import { type Column, type Row, valueAt } from '../columns.ts';
import { linesOf, type Styled, styled, stylesFor } from '../terminal/styled.ts';
import { fieldTexts, printable, textOf } from '../terminal/text.ts';
import { type Highlight, highlighted } from './highlights.ts';

const GAP = '  ';
const ELLIPSIS = '…';
const graphemes = new Intl.Segmenter();

/** Fits a text into a number of cells: pads it, or truncates it with an ellipsis. */
export function fitted(text: string, width: number): string {
  const own = stringWidth(text);
  if (own <= width) return text + ' '.repeat(width - own);
  let cut = '';
  let cells = 0;
  for (const { segment } of graphemes.segment(text)) {
    const next = stringWidth(segment);
    if (cells + next > width - 1) break;
    cut += segment;
    cells += next;
  }
  return cut + ELLIPSIS + ' '.repeat(width - 1 - cells);
}

interface Measured {
  /** Width of its widest value. */
  natural: number;
  /** Minimum width. */
  least: number;
}

const total = (widths: number[]) =>
  widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);

/**
 * Distributes the available width to columns: omits the last ones while not even the minimum widths fit, then narrows the
 * widest until all fit. The first column is never omitted.
 */
export function widthsThatFit(columns: Measured[], available: number): number[] {
  let shown = columns;
  while (shown.length > 1 && total(shown.map(({ least }) => least)) > available) shown = shown.slice(0, -1);
  const widths = shown.map(({ natural }) => natural);
  for (let excess = total(widths) - available; excess > 0; excess -= 1) {
    const slack = widths.map((width, index) => (width > (shown[index]?.least ?? width) ? width : 0));
    const widest = slack.indexOf(Math.max(...slack));
    if (slack[widest] === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

interface TableOptions {
  columns: Column[];
  rows: readonly Row[];
  /** Width of the terminal, in cells. */
  width: number;
  color: boolean;
  /** The parts of each row that match a search; shown in bold. */
  highlights?: readonly (readonly Highlight[])[] | undefined;
}

/** The ranges of a line that show matches. `shown` are the cells as they are in the line, `texts` all of what they show. */
function rangesIn(
  highlights: readonly Highlight[],
  { columns, row, texts, shown }: { columns: Column[]; row: Row; texts: string[]; shown: string[] },
): { start: number; end: number }[] {
  let left = 0;
  return shown.flatMap((cell, index) => {
    const text = texts[index] ?? '';
    const visible = cell.startsWith(text) ? text.length : cell.lastIndexOf(ELLIPSIS);
    const place = left;
    left += cell.length + GAP.length;
    const field = columns[index]?.field ?? '';
    // With escaped characters the places are others.
    if (textOf(valueAt(row, field)) !== text) return [];
    return highlights
      .filter((highlight) => highlight.field === field && highlight.start < visible)
      .map(({ start, end }) => ({ start: place + start, end: place + Math.min(end, visible) }));
  });
}

/**
 * An aligned table that fits the terminal, with the titles of the columns for which there is no room; wide characters count as two
 * cells.
 */
export function table(options: TableOptions): { text: Styled; omitted: string[] } {
  const { columns, rows, width, color, highlights } = options;
  const { bold, dim } = stylesFor(color);
  const cells = rows.map((row) => columns.map((column) => printable(textOf(valueAt(row, column.field)))));
  const measured = columns.map(({ title, widthMin }, index) => {
    const natural = Math.max(stringWidth(title), ...cells.map((line) => stringWidth(line[index] ?? '')));
    return { natural, least: widthMin === undefined ? natural : Math.min(natural, widthMin) };
  });
  const widths = widthsThatFit(measured, width);
  const fittedCells = (texts: string[]) => widths.map((cell, index) => fitted(texts[index] ?? '', cell));
  const line = (texts: string[]) => fittedCells(texts).join(GAP).trimEnd();
  const head = bold(line(columns.map(({ title }) => title)));
  const body = cells.map((texts, index) => {
    const text = line(texts);
    const row = rows[index] ?? {};
    const isDimmed = row.status === 'inactive';
    const found = highlights?.[index] ?? [];
    if (found.length === 0) return isDimmed ? dim(text) : text;
    const ranges = rangesIn(found, { columns, row, texts, shown: fittedCells(texts) });
    return highlighted(text, { ranges, isDimmed, color });
  });
  const omitted = columns.slice(widths.length).map(({ title }) => title);
  return { text: linesOf([head, ...body]), omitted };
}

/** A record in two columns: fields and values. The terminal wraps long values. */
export function listing(row: Row, color: boolean): Styled {
  const { dim } = stylesFor(color);
  const pairs = [...fieldTexts(row)].map(([field, text]) => [printable(field), printable(text)] as const);
  const width = Math.max(...pairs.map(([field]) => stringWidth(field)));
  return linesOf(
    pairs.map(([field, text]) =>
      text === '' ? dim(field) : styled`${dim(fitted(field, width))}${GAP}${text.trimEnd()}`,
    ),
  );
}

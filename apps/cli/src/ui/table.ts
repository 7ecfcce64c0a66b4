import stringWidth from 'string-width';
import { type Column, type Row, valueAt } from '../contract/columns.ts';
import type { Highlight } from '../service/client.ts';
import { isPhoneField } from './phones.ts';
import { fieldTexts, joined, linesOf, printable, type Styled, styled, stylesFor, textOf } from './text.ts';

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
  least: number;
}

const total = (widths: number[]) =>
  widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);

/**
 * Distributes the width to columns: omits each whose minimum doesn't fit beside those before it, then narrows the widest until
 * all fit. The first column stays. The width of an omitted column is undefined.
 */
export function widthsThatFit(columns: Measured[], available: number): (number | undefined)[] {
  const shown: Measured[] = [];
  for (const column of columns)
    if (shown.length === 0 || total([...shown, column].map(({ least }) => least)) <= available)
      shown.push(column);
  const widths = shown.map(({ natural }) => natural);
  for (let excess = total(widths) - available; excess > 0; excess -= 1) {
    const slack = widths.map((width, index) => (width > (shown[index]?.least ?? width) ? width : 0));
    const widest = slack.indexOf(Math.max(...slack));
    if (slack[widest] === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return columns.map((column) => (shown.includes(column) ? widths[shown.indexOf(column)] : undefined));
}

/** Ids, email addresses, and what has digits alone, such as phone numbers and days: a part of one is worth nothing. */
const indivisible = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\S+@\S+|\+?\d[\d ()./-]*)$/i;

/** The widths of a column by its texts. A text that is worth nothing in part is not cut, whatever the minimum width. */
function measure(texts: readonly string[], { title, widthMin }: Column): Measured {
  const natural = Math.max(stringWidth(title), ...texts.map((text) => stringWidth(text)));
  if (widthMin === undefined) return { natural, least: natural };
  const whole = texts.filter((text) => indivisible.test(text)).map((text) => stringWidth(text));
  return { natural, least: Math.min(natural, Math.max(widthMin, ...whole)) };
}

interface TableOptions {
  columns: Column[];
  rows: readonly Row[];
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
    // With escaped characters, and in phone numbers as people read them, the places are others.
    if (textOf(valueAt(row, field)) !== text || isPhoneField(field)) return [];
    return highlights
      .filter((highlight) => highlight.field === field && highlight.start < visible)
      .map(({ start, end }) => ({ start: place + start, end: place + Math.min(end, visible) }));
  });
}

/** An aligned table that fits the terminal, and the titles of the columns that don't fit. Wide characters take two cells. */
export function table(options: TableOptions): { text: Styled; omitted: string[] } {
  const { rows, width, color, highlights } = options;
  const { bold, dim } = stylesFor(color);
  const measured = options.columns.map((column) => {
    const texts = rows.map((row) => printable(textOf(valueAt(row, column.field))));
    return { column, texts, ...measure(texts, column) };
  });
  const widths = widthsThatFit(measured, width);
  const shown = measured.flatMap((one, index) => {
    const cells = widths[index];
    return cells === undefined ? [] : [{ ...one, cells }];
  });
  const columns = shown.map(({ column }) => column);
  const fittedCells = (texts: string[]) => shown.map(({ cells }, index) => fitted(texts[index] ?? '', cells));
  const line = (texts: string[]) => fittedCells(texts).join(GAP).trimEnd();
  const head = bold(line(columns.map(({ title }) => title)));
  const body = rows.map((row, index) => {
    const texts = shown.map((one) => one.texts[index] ?? '');
    const text = line(texts);
    const isDimmed = row.status === 'inactive';
    const found = highlights?.[index] ?? [];
    if (found.length === 0) return isDimmed ? dim(text) : text;
    const ranges = rangesIn(found, { columns, row, texts, shown: fittedCells(texts) });
    return highlighted(text, { ranges, isDimmed, color });
  });
  const omitted = options.columns.filter((column) => !columns.includes(column)).map(({ title }) => title);
  return { text: linesOf([head, ...body]), omitted };
}

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

interface HighlightedOptions {
  ranges: readonly Pick<Highlight, 'start' | 'end'>[];
  isDimmed: boolean;
  color: boolean;
}

function highlighted(line: string, { ranges, isDimmed, color }: HighlightedOptions): Styled {
  const { bold, dim } = stylesFor(color);
  const plain = (text: string) => (isDimmed && text !== '' ? dim(text) : text);
  let shownTo = 0;
  const parts = ranges.flatMap(({ start, end }) => {
    const between = line.slice(shownTo, start);
    shownTo = end;
    return [plain(between), bold(line.slice(start, end))];
  });
  return joined([...parts, plain(line.slice(shownTo))]);
}

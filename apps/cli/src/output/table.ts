import stringWidth from 'string-width';
import type { IdKind, ShortIds } from '../context/short-ids.ts';
import { type Column, type Row, valueAt } from '../resources.ts';
import { linesOf, type Styled, styled, stylesFor } from './styled.ts';
import { flattened, printable, textOf } from './text.ts';

const GAP = '  ';
const ELLIPSIS = '…';
const graphemes = new Intl.Segmenter();

/** The text in exactly this many cells: padded, or cut with an ellipsis where it is wider. */
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
  /** As wide as its widest value. */
  natural: number;
  /** As narrow as it may become. */
  least: number;
}

const total = (widths: number[]) =>
  widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);

/**
 * The widths of the columns that fit: the last ones are left out while not even the least widths fit, and then the
 * widest are narrowed until all fit. The first column always stays.
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
  /** Cells of the terminal. */
  width: number;
  color: boolean;
  /** What shows ids short and remembers them; without it they are shown whole. */
  ids?: ShortIds | undefined;
}

/** What a person looks for first: the name, and then the id. */
function namesFirst(columns: Column[]): Column[] {
  const [first, second, ...rest] = columns;
  return first?.place === 'id' && first.idOf !== undefined && second !== undefined
    ? [second, first, ...rest]
    : columns;
}

/** How a cell with an id is shown. */
function idShortener({
  columns,
  rows,
  ids,
}: TableOptions): (column: Column, row: Row, text: string) => string {
  const kindOf = ({ idOf }: Column, row: Row): IdKind | undefined =>
    typeof idOf === 'function' ? idOf(row) : idOf;
  const byKind = new Map<IdKind, string[]>();
  for (const column of ids === undefined ? [] : columns) {
    for (const row of rows) {
      const kind = kindOf(column, row);
      const id = valueAt(row, column.place);
      if (kind !== undefined && typeof id === 'string') byKind.set(kind, [...(byKind.get(kind) ?? []), id]);
    }
  }
  const short = new Map([...byKind].map(([kind, all]) => [kind, ids?.shorten(kind, [...new Set(all)])]));
  return (column, row, text) => {
    const kind = kindOf(column, row);
    return (kind && short.get(kind)?.(text)) ?? text;
  };
}

/** An aligned table that fits the terminal; wide scripts count as the two cells they take. */
export function table(options: TableOptions): Styled {
  const { rows, width, color } = options;
  const columns = namesFirst(options.columns);
  const shown = idShortener(options);
  const { bold, dim } = stylesFor(color);
  const cells = rows.map((row) =>
    columns.map((column) => printable(shown(column, row, textOf(valueAt(row, column.place))))),
  );
  const measured = columns.map(({ title, widthMin }, index) => {
    const natural = Math.max(stringWidth(title), ...cells.map((line) => stringWidth(line[index] ?? '')));
    return { natural, least: widthMin === undefined ? natural : Math.min(natural, widthMin) };
  });
  const widths = widthsThatFit(measured, width);
  const line = (texts: string[]) =>
    widths
      .map((cell, index) => fitted(texts[index] ?? '', cell))
      .join(GAP)
      .trimEnd();
  const head = bold(line(columns.map(({ title }) => title)));
  const body = cells.map((texts, index) => {
    const text = line(texts);
    return rows[index]?.status === 'inactive' ? dim(text) : text;
  });
  return linesOf([head, ...body]);
}

/** One record in two columns, the fields and their values; long values are left for the terminal to wrap. */
export function listing(row: Row, color: boolean): Styled {
  const { dim } = stylesFor(color);
  const pairs = [...flattened(row)].map(([place, text]) => [printable(place), printable(text)] as const);
  const width = Math.max(...pairs.map(([place]) => stringWidth(place)));
  return linesOf(
    pairs.map(([place, text]) =>
      text === '' ? dim(place) : styled`${dim(fitted(place, width))}${GAP}${text.trimEnd()}`,
    ),
  );
}

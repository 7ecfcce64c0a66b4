import { trimmedText } from '@roster/fields/text';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { CellParseError, parseCell } from './cell-values.ts';
import type { FileColumn } from './header.ts';
import { BrokenRow, type ReadRow, ROW_MAX } from './rows.ts';

/** A record as csv-parse emits it with its place in the file. */
export interface ParsedRecord {
  record: string[];
  /** Its text, perhaps with blank lines before it. */
  raw: string;
  info: { bytes: number; records: number; empty_lines: number };
}

/** The beginning of a part of a file: the number of its first row and line. */
export interface Place {
  row: number;
  line: number;
}

/** A record with the row and line in which it starts, and those of the next one. */
export type PlacedRecord = ParsedRecord & Place & { next: Place };

/** The way a CSV file is divided into cells, and the place of its header. */
export interface Dialect {
  delimiter: string;
  /** Between lines: CR alone is `cr`, as in files of old Macs; else LF or CRLF. */
  lineEnd: 'lf' | 'cr';
  /** The row of the header, counted as in a spreadsheet. Rows before it are titles, or `sep=;`. */
  headerRow: number;
}

export const recordDelimiters = { lf: ['\r\n', '\n'], cr: ['\r'] } satisfies Record<
  Dialect['lineEnd'],
  string[]
>;

/** Whether a record has nothing but delimiters, in which spreadsheets end, and some begin. */
export const isBlank = (record: readonly string[]) => record.every((cell) => trimmedText(cell) === '');

const unreadableRow: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote; a quote inside quotes must be doubled',
  INVALID_OPENING_QUOTE: 'a quote occurs in a cell that does not start with one',
  CSV_MAX_RECORD_SIZE: `the row is longer than ${ROW_MAX} bytes; a quote may be unclosed`,
};

/**
 * Cells as spreadsheets write them so that a text is not read as a number: `="02138"`. Quoted cells are matched too, so that nothing
 * inside them is taken for one.
 */
const textFormulas: Readonly<Record<string, RegExp>> = Object.fromEntries(
  [',', ';', '\t', '|'].map((delimiter) => [
    delimiter,
    new RegExp(`(^|[${delimiter}\r\n])(?:="([^"]*)"|("(?:[^"]|"")*"))(?=[${delimiter}\r\n]|$)`, 'g'),
  ]),
);

type CellsOfDialect = Pick<Dialect, 'delimiter' | 'lineEnd'>;

/** Parses one record, in which every quote must be in its place. Throws `CsvError`. */
function parseStrictly(text: string, { delimiter, lineEnd }: CellsOfDialect): string[] {
  const options = { delimiter, record_delimiter: recordDelimiters[lineEnd], relax_column_count: true };
  return parse(text, options)[0] ?? [];
}

/**
 * The cells of a record, whose quotes are checked: the parser takes a quote in the wrong place for a part of its cell. Returns the
 * reason why the record cannot be read, if there is one.
 */
export function strictCells(
  { record, raw, line, next }: PlacedRecord,
  dialect: CellsOfDialect,
): { cells: string[]; fault: string | undefined } {
  if (!record.some((cell) => cell.includes('"'))) return { cells: record, fault: undefined };
  const quoted = raw
    .replaceAll(/^[\r\n]+|[\r\n]+$/g, '')
    .replaceAll(
      textFormulas[dialect.delimiter] ?? '',
      (_, before: string, text: string, cell?: string) => before + (cell ?? `"${text}"`),
    );
  try {
    const cells = parseStrictly(quoted, dialect).map((cell) => cell.replace(/^="([^"]*)"$/, '$1'));
    return { cells, fault: undefined };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const last = next.line - 1;
    const lines = last > line ? `; lines ${line} to ${last} are not read` : '';
    return { cells: record, fault: `${unreadableRow[error.code] ?? error.message}${lines}` };
  }
}

/** An error of the parser, at the row in which it started. */
function brokenAt({ code, message }: CsvError, field: Place): BrokenRow {
  const description = unreadableRow[code] ?? message;
  return new BrokenRow({
    ...field,
    column: '',
    code: 'unreadable',
    message: `${description}; the file is not read from line ${field.line} on`,
  });
}

function newlinesIn(record: string[]): number {
  return record.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}

/**
 * Places the records of a parser, the header included, or those after a place of the file, until the first failure: records after it are meaningless. Throws
 * `BrokenRow` for it.
 */
export async function* placedRecords(
  records: AsyncIterable<ParsedRecord>,
  failures: readonly CsvError[],
  from: Place,
): AsyncGenerator<PlacedRecord> {
  let { row, line } = from;
  let emptyLines = 0;
  for await (const one of records) {
    const passed = one.info.empty_lines - emptyLines;
    emptyLines += passed;
    row += passed;
    line += passed;
    const [failure] = failures;
    if (failure !== undefined && one.info.records > Number(failure.records)) break;
    // The line count of the parser counts CRLF inside quotes twice.
    const next = { row: row + 1, line: line + 1 + newlinesIn(one.record) };
    yield { ...one, row, line, next };
    ({ row, line } = next);
  }
  const [failure] = failures;
  if (failure !== undefined) throw brokenAt(failure, { row, line });
}

/** Parses a cell into the row. */
function readCell(read: ReadRow, { header, column, isKey }: FileColumn, cell: string): void {
  if (isKey) read.key = cell.trim();
  if (column === undefined) return;
  try {
    read.values.push([column, parseCell(cell, column)]);
  } catch (error) {
    if (!(error instanceof CellParseError)) throw error;
    const { row, line } = read;
    read.rowErrors.push({ row, line, column: header, code: error.code, message: error.message });
  }
}

/**
 * Parses the cells of a record.
 *
 * @param isKept Whether an empty cell of a column leaves its field as it is
 */
export function csvRowOf(
  { record, row, line, fault }: Pick<PlacedRecord, 'record' | 'row' | 'line'> & { fault: string | undefined },
  columns: readonly FileColumn[],
  isKept: (index: number) => boolean,
): ReadRow {
  const read: ReadRow = { row, line, values: [], key: undefined, rowErrors: [] };
  if (fault !== undefined) {
    read.rowErrors.push({ row, line, column: '', code: 'unreadable', message: fault });
    return read;
  }
  const extra = record.slice(columns.length);
  if (!isBlank(extra)) {
    const message = `has ${record.length} cells, but the header has ${columns.length}`;
    read.rowErrors.push({ row, line, column: '', code: 'cell_count', message });
    return read;
  }
  for (const [index, column] of columns.entries()) {
    const cell = record[index] ?? '';
    // Whether a row is an item of a list is said by its columns.
    const isLeft = cell.trim() === '' && isKept(index) && column.column?.isOfItem !== true;
    readCell(read, isLeft ? { ...column, column: undefined } : column, cell);
  }
  return read;
}

import type { CsvError } from 'csv-parse';
import type { FileColumn } from './header.ts';
import { BrokenRow, type ReadRow, ROW_MAX } from './rows.ts';
import { CellParseError, parseCell } from './values/cell-values.ts';

/** A record as csv-parse emits it with its place in the file. */
export interface ParsedRecord {
  record: string[];
  info: { bytes: number; records: number; empty_lines: number };
}

/** The beginning of a part of a file: the number of its first row and line. */
export interface Place {
  row: number;
  line: number;
}

/** A record with the row and line in which it starts, and those of the next one. */
export type PlacedRecord = ParsedRecord & Place & { next: Place };

const delimiters = [',', ';', '\t', '|'];

/** Detects the delimiter: the most frequent candidate in the first line that is not blank. */
export function delimiterOf(text: string): string {
  const [line = ''] = /^.*\S.*$/m.exec(text) ?? [];
  const countOf = (delimiter: string) => line.split(delimiter).length;
  return delimiters.toSorted((one, other) => countOf(other) - countOf(one))[0] ?? ',';
}

const unreadableRow: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote; a quote inside quotes must be doubled',
  INVALID_OPENING_QUOTE: 'a quote occurs in a cell that does not start with one',
  CSV_MAX_RECORD_SIZE: `the row is longer than ${ROW_MAX} bytes; a quote may be unclosed`,
};

/** An error of the parser, at the row in which it started. */
function brokenAt({ code, message }: CsvError, field: Place): BrokenRow {
  const description = unreadableRow[code] ?? message;
  return new BrokenRow({
    ...field,
    column: '',
    code: 'unreadable',
    message: `${description}; the rest of the file cannot be read`,
  });
}

function newlinesIn(record: string[]): number {
  return record.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);
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
  { record, row, line }: PlacedRecord,
  columns: readonly FileColumn[],
  isKept: (index: number) => boolean,
): ReadRow {
  const read: ReadRow = { row, line, values: [], key: undefined, rowErrors: [] };
  if (record.length !== columns.length) {
    const cells = record.length === 1 ? '1 cell' : `${record.length} cells`;
    const message = `has ${cells}, but the header has ${columns.length}`;
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

import { Readable } from 'node:stream';
import { trimmedText } from '@roster/fields/text';
import { CsvError, parse as parser } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { CellParseError, parseCell } from './cell-values.ts';
import type { FileColumn } from './header.ts';
import { type ReadRow, ROW_MAX } from './rows.ts';

/** A record as csv-parse emits it with its place in the file. */
interface ParsedRecord {
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

/** A record of a file, with the place where it starts and that of the next one. */
export interface PlacedRecord extends Place {
  cells: string[];
  /** Why the record cannot be read; undefined if it can. */
  fault: string | undefined;
  /** The bytes of the part of the file up to the end of the record. */
  bytes: number;
  next: Place;
}

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
function strictCells(
  { record, raw }: ParsedRecord,
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
    return { cells: record, fault: unreadableRow[error.code] ?? error.message };
  }
}

function newlinesIn(record: string[]): number {
  return record.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}

/** The bytes of a text. */
export type Pieces = AsyncIterable<Buffer> | Iterable<Buffer>;

/** The text of a file from a byte on, which is kept as long as it may have to be read again. */
class RereadableText {
  readonly #pieces: AsyncIterator<Buffer> | Iterator<Buffer>;
  #held: Buffer[] = [];
  /** The number of bytes before those that are held. */
  #start = 0;
  #isEnded = false;

  constructor(pieces: Pieces) {
    this.#pieces =
      Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  }

  /** Forgets the bytes before an offset. */
  forget(offset: number): void {
    while (this.#held[0] !== undefined && this.#start + this.#held[0].length <= offset) {
      this.#start += this.#held[0].length;
      this.#held.shift();
    }
  }

  /** The bytes from an offset on: those that are held, then the others. */
  async *from(offset: number): AsyncGenerator<Buffer> {
    let place = this.#start;
    for (const piece of [...this.#held]) {
      if (place + piece.length > offset) yield piece.subarray(Math.max(0, offset - place));
      place += piece.length;
    }
    while (await this.#readOn()) {
      const piece = this.#held.at(-1);
      if (piece !== undefined) yield piece;
    }
  }

  /** Reads the next piece; false at the end. */
  async #readOn(): Promise<boolean> {
    if (this.#isEnded) return false;
    const { value, done } = await this.#pieces.next();
    if (done) this.#isEnded = true;
    else this.#held.push(value);
    return !this.#isEnded;
  }

  /** The end of the line at an offset, the number of blank lines before it, and the beginning of its text. */
  async lineAt(
    offset: number,
    lineEnd: Dialect['lineEnd'],
  ): Promise<{ end: number; blank: number; text: string }> {
    const newline = lineEnd === 'cr' ? 0x0d : 0x0a;
    let [start, blank, text] = [offset, 0, ''];
    for (;;) {
      const held = Buffer.concat(this.#held).subarray(start - this.#start);
      const at = held.indexOf(newline);
      const part = held.subarray(0, at < 0 ? held.length : at).toString();
      if (at >= 0 && text === '' && part.replace('\r', '') === '') {
        blank += 1;
        start += 1 + at;
        continue;
      }
      if (text.length < ROW_MAX) text += part;
      if (at >= 0) return { end: start + at + 1, blank, text };
      start += held.length;
      this.forget(start);
      if (!(await this.#readOn())) return { end: start, blank, text };
    }
  }
}

/** The records of a text up to the first that the parser cannot divide, and the error of that one. */
async function* parsedRecords(
  text: AsyncGenerator<Buffer>,
  { delimiter, lineEnd }: CellsOfDialect,
): AsyncGenerator<ParsedRecord | CsvError> {
  const failures: CsvError[] = [];
  const source = Readable.from(text, { objectMode: false });
  const records = parser({
    bom: true,
    info: true,
    raw: true,
    relax_column_count: true,
    // A quote in the wrong place is an error of its row alone, which `strictCells` finds.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: ROW_MAX,
    delimiter,
    record_delimiter: recordDelimiters[lineEnd],
    // As an error of the stream it would discard the records before it.
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error !== undefined) failures.push(error);
      source.unpipe(records);
      if (!records.writableEnded) records.end();
    },
  });
  source.on('error', (error) => records.destroy(error));
  source.pipe(records);
  try {
    for await (const one of records as AsyncIterable<ParsedRecord>) {
      const [failure] = failures;
      if (failure !== undefined && one.info.records > Number(failure.records)) break;
      yield one;
    }
    if (failures[0] !== undefined) yield failures[0];
  } finally {
    source.destroy();
    // A piece that is being read is held before another parser reads on.
    await text.return(undefined);
  }
}

/**
 * The records of a part of a CSV file, the header included. A record whose quotes are wrong is one line, with a fault, and reading continues
 * at the next line: an unclosed quote must not hide the rows after it.
 */
export async function* csvRecords(
  pieces: Pieces,
  dialect: CellsOfDialect,
  from: Place,
): AsyncGenerator<PlacedRecord> {
  const text = new RereadableText(pieces);
  let { row, line } = from;
  let [bytes, isEnded] = [0, false];
  while (!isEnded) {
    isEnded = true;
    const start = bytes;
    let emptyLines = 0;
    for await (const one of parsedRecords(text.from(start), dialect)) {
      const read = one instanceof CsvError ? undefined : strictCells(one, dialect);
      const lines = one instanceof CsvError ? Number.POSITIVE_INFINITY : 1 + newlinesIn(one.record);
      if (one instanceof CsvError || (read?.fault !== undefined && lines > 1)) {
        const fault = one instanceof CsvError ? (unreadableRow[one.code] ?? one.message) : read?.fault;
        const broken = await text.lineAt(bytes, dialect.lineEnd);
        const at = { row: row + broken.blank, line: line + broken.blank };
        bytes = broken.end;
        ({ row, line } = { row: at.row + 1, line: at.line + 1 });
        yield { ...at, cells: [broken.text.replace(/\r$/, '')], fault, bytes, next: { row, line } };
        isEnded = false;
        break;
      }
      const passed = one.info.empty_lines - emptyLines;
      emptyLines += passed;
      const at = { row: row + passed, line: line + passed };
      bytes = start + one.info.bytes;
      text.forget(bytes);
      // The line count of the parser counts CRLF inside quotes twice.
      ({ row, line } = { row: at.row + 1, line: at.line + lines });
      yield { ...at, cells: read?.cells ?? [], fault: read?.fault, bytes, next: { row, line } };
    }
  }
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
  { cells, row, line, fault }: Pick<PlacedRecord, 'cells' | 'row' | 'line' | 'fault'>,
  columns: readonly FileColumn[],
  isKept: (index: number) => boolean,
): ReadRow {
  const read: ReadRow = { row, line, values: [], key: undefined, rowErrors: [] };
  if (fault !== undefined) {
    read.rowErrors.push({ row, line, column: '', code: 'unreadable', message: fault });
    return read;
  }
  if (!isBlank(cells.slice(columns.length))) {
    const message = `has ${cells.length} cells, but the header has ${columns.length}`;
    read.rowErrors.push({ row, line, column: '', code: 'cell_count', message });
    return read;
  }
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? '';
    // Whether a row is an item of a list is said by its columns.
    const isLeft = cell.trim() === '' && isKept(index) && column.column?.isOfItem !== true;
    readCell(read, isLeft ? { ...column, column: undefined } : column, cell);
  }
  return read;
}

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import {
  csvRowOf,
  type Dialect,
  isBlank,
  type ParsedRecord,
  type Place,
  placedRecords,
  recordDelimiters,
  strictCells,
} from '../csv.ts';
import type { FileColumn } from '../header.ts';
import type { Importable } from '../importable.ts';
import { ndjsonRowOf } from '../ndjson.ts';
import { recordOf, rowIdentityOf } from '../row-record.ts';
import { BrokenRow, type Headers, headerOf, type Input, type ReadRow, ROW_MAX } from '../rows.ts';
import { cellRules, settledCell } from './cell-texts.ts';
import { columnReader, fileColumns, headersByField } from './file-columns.ts';
import type { FileSettings } from './settings.ts';

/** A fault of a row by itself. */
export interface CellFault {
  /** The name of the column in the file; empty for the whole row. */
  column: string;
  /** The text of the cell. */
  value: string | null;
  code: string;
  detail: string;
}

/** A row of a file as a record. */
export interface FileRow extends Place {
  /** The bytes of the text up to the end of the row, and where the next one begins. */
  bytes: number;
  next: Place;
  record: Input;
  source: string | null;
  recordId: string | null;
  email: string | null;
  main: string | null;
  status: string | null;
  /** The texts of its cells in their order; of NDJSON the line. */
  cells: string[];
  /** The list of the record of which the row is an item, if it is one. */
  list: string | null;
  faults: CellFault[];
}

/** A row as it is read, with the texts of its cells by the names of their columns. */
interface TextRow {
  read: ReadRow;
  bytes: number;
  next: Place;
  cells: ReadonlyMap<string, string>;
  /** The texts of all cells in their order; of NDJSON the line. */
  texts: string[];
}

/** The bytes of a text. */
type Pieces = AsyncIterable<Buffer> | Iterable<Buffer>;

/** The records of a part of a CSV file, each with where it begins. Throws `BrokenRow` if the rest cannot be read. */
export async function* csvRecords(
  text: Pieces,
  { delimiter, lineEnd }: Pick<Dialect, 'delimiter' | 'lineEnd'>,
  from: Place,
) {
  const failures: CsvError[] = [];
  const source = Readable.from(text, { objectMode: false });
  const parser = parse({
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
      source.unpipe(parser);
      if (!parser.writableEnded) parser.end();
    },
  });
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    yield* placedRecords(parser as AsyncIterable<ParsedRecord>, failures, from);
  } finally {
    source.destroy();
  }
}

async function* csvTextRows(
  text: AsyncIterable<Buffer>,
  settings: FileSettings,
  { columns, from }: { columns: readonly FileColumn[]; from: Place },
): AsyncGenerator<TextRow> {
  const { headers, headerRow, emptyCells } = settings;
  const rulesOf = cellRules(settings);
  const rules = headers.map(rulesOf);
  for await (const placed of csvRecords(text, settings, from)) {
    const { info, next } = placed;
    if (placed.row <= headerRow || isBlank(placed.record)) continue;
    const { cells: given, fault } = strictCells(placed, settings);
    // Missing cells are empty.
    const record = [...given, ...headers.slice(given.length).fill('')];
    const cells = new Map(record.map((cell, index) => [headers[index] ?? '', cell]));
    const settled = record.map((cell, index) =>
      settledCell(cell, rules[index] ?? rulesOf(''), columns[index]?.column),
    );
    // A text that stands for nothing clears a field: somebody has said so.
    const isKept = (index: number) =>
      record[index]?.trim() === '' && (rules[index]?.emptyCells ?? emptyCells) === 'keep';
    yield {
      read: csvRowOf({ ...placed, record: settled, fault }, columns, isKept),
      bytes: info.bytes,
      next,
      cells,
      texts: record,
    };
  }
}

const NEWLINE = 0x0a;

/** The lines of a text, each with the bytes up to its end. A line that is too long is the last. */
export async function* linesOf(text: Pieces): AsyncGenerator<{ line: string; bytes: number }> {
  let held: Buffer = Buffer.alloc(0);
  let bytes = 0;
  for await (const piece of text) {
    let rest = held.length === 0 ? piece : Buffer.concat([held, piece]);
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      bytes += at + 1;
      yield { line: rest.toString('utf8', 0, at), bytes };
      rest = rest.subarray(at + 1);
    }
    held = rest;
    if (held.length > ROW_MAX) break;
  }
  if (held.length > 0) yield { line: held.toString(), bytes: bytes + held.length };
}

/** A member of an object as the text of a cell. */
export const textOf = (member: unknown) => (typeof member === 'string' ? member : JSON.stringify(member));

async function* ndjsonTextRows(
  text: AsyncIterable<Buffer>,
  settings: FileSettings,
  { importable, from }: { importable: Importable; from: Place },
): AsyncGenerator<TextRow> {
  const columnOf = columnReader(importable, settings);
  const rulesOf = cellRules(settings);
  let { row } = from;
  for await (const { line, bytes } of linesOf(text)) {
    const object = row === 1 ? line.replace(/^\uFEFF/, '') : line;
    if (object.trim() !== '') {
      const { read, members } = ndjsonRowOf({ text: object, row }, columnOf, (name, cell, column) =>
        settledCell(cell, rulesOf(name), column),
      );
      const cells = new Map(members.map(([name, member]) => [name, textOf(member)]));
      yield { read, bytes, next: { row: row + 1, line: row + 1 }, cells, texts: [object.trim()] };
    }
    row += 1;
  }
}

/** The key of a row without one: a hash of its values. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

const states = new Set<unknown>(['active', 'inactive']);

function fileRowOf(
  { read, bytes, next, cells, texts }: TextRow,
  importable: Importable,
  { settings, headers }: { settings: FileSettings; headers: Headers },
): FileRow {
  const whole = read.rowErrors.find(({ column }) => column === '');
  // Without this it would have the key of a row without values.
  if (whole !== undefined) {
    const { row, line, code, message: detail } = whole;
    return { ...rowWithoutValues({ row, line, bytes, next }, { column: '', code, detail }), cells: texts };
  }
  const row = recordOf(read, importable, { sourceName: settings.sourceName, hashOf });
  const faultAt = (column: string, code: string, detail: string): CellFault => {
    return { column, value: cells.get(column) ?? null, code, detail };
  };
  const faults = [
    ...read.rowErrors.map(({ column, code, message }) => faultAt(column, code, message)),
    ...row.rowErrors.map(({ field, code, message }) => faultAt(headerOf(headers, field), code, message)),
  ];
  const { status } = row;
  if (status !== undefined && status !== null && !states.has(status))
    faults.push(faultAt(headerOf(headers, 'status'), 'invalid_choice', 'must be one of active, inactive'));
  const { id: recordId, ...identity } = rowIdentityOf(row, importable);
  const list = row.isItem ? (importable.itemRows?.field ?? null) : null;
  return {
    row: read.row,
    line: read.line,
    bytes,
    next,
    record: row.record,
    recordId,
    ...identity,
    cells: texts,
    list,
    faults,
  };
}

/** A row that says nothing, because of a fault. */
function rowWithoutValues(
  { row, line, bytes, next }: Pick<FileRow, 'row' | 'line' | 'bytes' | 'next'>,
  fault: Omit<CellFault, 'value'>,
): FileRow {
  const nothing = {
    source: null,
    recordId: null,
    email: null,
    main: null,
    status: null,
    cells: [],
    list: null,
  };
  return { row, line, bytes, next, record: {}, ...nothing, faults: [{ ...fault, value: null }] };
}

/** The path of the first name or text of a value that does not pass a test; undefined if all do. */
function findText(
  value: unknown,
  isGood: (text: string) => boolean,
  path: readonly string[] = [],
): readonly string[] | undefined {
  if (typeof value === 'string') return isGood(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const found = isGood(name) ? findText(part, isGood, [...path, name]) : path;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The column with the first text of a row that does not pass a test; undefined if all do. */
function findColumn(
  { cells, texts }: TextRow,
  { record }: FileRow,
  { columnOf, isGood }: { columnOf: (field: string) => string; isGood: (text: string) => boolean },
): string | undefined {
  for (const [name, text] of cells) if (!isGood(text)) return name;
  // An escape of JSON stands for a character that the line has not.
  const path = findText(record, isGood);
  if (path !== undefined) return columnOf(path.join('.'));
  return texts.every(isGood) ? undefined : '';
}

/** The name in a file of a field; the field if no column has it. */
export function columnNameOf({ office }: Importable, headers: Headers, field: string): string {
  const column = headerOf(headers, field);
  // The source of an office may come from the column with its id in another system.
  const isSource = column === field && field.split('.')[0] === office?.source;
  return office && isSource ? headerOf(headers, office.id) : column;
}

/** The names of the columns of a file. Throws `FileError` if the header and the settings do not fit. */
export function headersOf(importable: Importable, settings: FileSettings): Headers {
  return settings.format === 'csv'
    ? headersByField(fileColumns(importable, settings))
    : new Map(Object.entries(settings.columns).map(([header, field]) => [field, header]));
}

/** The columns of a CSV file with the fields that they set; null for one that is left out. Throws `FileError` if the settings do not fit. */
export function fieldsByColumn(
  importable: Importable,
  settings: FileSettings,
): { name: string; field: string | null }[] {
  if (settings.format !== 'csv') {
    headersOf(importable, settings);
    return [];
  }
  const columns = fileColumns(importable, settings);
  return columns.map(({ header, column }) => ({ name: header, field: column?.field ?? null }));
}

/**
 * Reads the rows of a part of a file, which begins where a row begins. A row after which nothing can be read is the last one, with
 * that fault. One with a text that cannot be kept has that fault alone.
 *
 * @param isStorable tells whether a text can be kept
 */
export async function* readFileRows(
  text: AsyncIterable<Buffer>,
  importable: Importable,
  {
    settings,
    from,
    isStorable,
  }: { settings: FileSettings; from: Place; isStorable: (text: string) => boolean },
): AsyncGenerator<FileRow> {
  const headers = headersOf(importable, settings);
  const rows =
    settings.format === 'csv'
      ? csvTextRows(text, settings, { columns: fileColumns(importable, settings), from })
      : ndjsonTextRows(text, settings, { importable, from });
  const columnOf = (field: string) => columnNameOf(importable, headers, field);
  const code = 'invalid_character';
  const detail = 'must be well-formed Unicode without NUL';
  try {
    for await (const read of rows) {
      const row = fileRowOf(read, importable, { settings, headers });
      const column = findColumn(read, row, { columnOf, isGood: isStorable });
      yield column === undefined
        ? row
        : rowWithoutValues(row, { column: isStorable(column) ? column : '', code, detail });
    }
  } catch (error) {
    if (!(error instanceof BrokenRow)) throw error;
    const { row, line, code: broken, message } = error.rowError;
    const place = { row, line, bytes: Number.MAX_SAFE_INTEGER, next: { row, line } };
    yield rowWithoutValues(place, { column: '', code: broken, detail: message });
  }
}

import { createHash } from 'node:crypto';
import { trimmedText } from '@roster/fields/text';
import type { Column } from '../columns.ts';
import { csvRecords, csvRowOf, isBlank, type Pieces, type Place, type PlacedRecord } from '../csv.ts';
import { type Guess, guessOf, guessOfRow } from '../guesses.ts';
import type { FileColumn } from '../header.ts';
import type { Importable } from '../importable.ts';
import { ndjsonRowOf } from '../ndjson.ts';
import { recordOf, rowIdentityOf } from '../row-record.ts';
import { type Headers, headerOf, type Input, type ReadRow, ROW_MAX } from '../rows.ts';
import { unescapeFormula } from '../values/formulas.ts';
import { type CellRules, cellRules, settledCell } from './cell-texts.ts';
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

/** Why a row, or a cell of it, may be read wrongly: it is written only if that is accepted. */
export interface CellNote extends Guess {
  /** The name of the column in the file; empty for the whole row. */
  column: string;
  value: string | null;
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
  /** The list that the row is an item of; null if the row is a record. */
  list: string | null;
  faults: CellFault[];
  notes: CellNote[];
}

/** A row as it is read, with the texts of its cells by the names of their columns. */
interface TextRow {
  read: ReadRow;
  bytes: number;
  next: Place;
  cells: ReadonlyMap<string, string>;
  /** The texts of all cells in their order; of NDJSON the line. */
  texts: string[];
  notes: CellNote[];
}

/** Makes a function that reads the cells of a record as the settings say. */
function csvTextReader(settings: FileSettings, columns: readonly FileColumn[]) {
  const { headers, emptyCells } = settings;
  const rulesOf = cellRules(settings);
  const rules = headers.map(rulesOf);
  return ({ cells: given, ...placed }: PlacedRecord): TextRow => {
    // Missing cells are empty.
    const record = [...given, ...headers.slice(given.length).fill('')];
    const cells = new Map(record.map((cell, index) => [headers[index] ?? '', cell]));
    const settled = record.map((cell, index) =>
      settledCell(cell, rules[index] ?? rulesOf(''), columns[index]?.column),
    );
    // A text that stands for nothing clears a field, because the mapping says so.
    const isKept = (index: number) =>
      record[index]?.trim() === '' && (rules[index]?.emptyCells ?? emptyCells) === 'keep';
    const notes = placed.fault === undefined ? notesOf(record, { columns, rules, settings }) : [];
    const read = csvRowOf({ ...placed, cells: settled }, columns, isKept);
    return { read, bytes: placed.bytes, next: placed.next, cells, texts: record, notes };
  };
}

async function* csvTextRows(
  text: AsyncIterable<Buffer>,
  settings: FileSettings,
  { columns, from }: { columns: readonly FileColumn[]; from: Place },
): AsyncGenerator<TextRow> {
  const read = csvTextReader(settings, columns);
  for await (const placed of csvRecords(text, settings, from))
    if (placed.row > settings.headerRow && !isBlank(placed.cells)) yield read(placed);
}

/** Whether a cell has a line with as many cells as the header. */
const hasRows = (cell: string, { delimiter, headers }: FileSettings) =>
  cell.includes('\n') &&
  cell.split('\n').some((line) => line.split(delimiter).length >= Math.max(headers.length, 3));

/** Possible faults of the reading of a row of a CSV file, by itself and in its cells. */
function notesOf(
  cells: readonly string[],
  {
    columns,
    rules,
    settings,
  }: { columns: readonly FileColumn[]; rules: readonly CellRules[]; settings: FileSettings },
): CellNote[] {
  const { headers } = settings;
  const isItem = columns.some(({ column }) => column?.isOfItem);
  const ofRow = isItem ? undefined : guessOfRow(cells, headers);
  if (ofRow !== undefined) return [{ column: '', value: null, ...ofRow }];
  const swallowing = cells.findIndex((cell) => hasRows(cell, settings));
  if (swallowing >= 0) {
    const detail = 'has lines that look like rows; a quote may not be closed';
    return [{ column: headers[swallowing] ?? '', value: null, kind: 'guessed', detail }];
  }
  return columns.flatMap(({ header, column }, index) =>
    noteOf(header, cells[index] ?? '', { column, rules: rules[index] }),
  );
}

/** Possible faults of the reading of a cell. A text that the mapping gives a meaning reads one way. */
function noteOf(
  header: string,
  text: string,
  { column, rules }: { column: Column | undefined; rules: CellRules | undefined },
): CellNote[] {
  const cell = trimmedText(unescapeFormula(text));
  if (column === undefined || rules?.choices.has(cell)) return [];
  const guess = guessOf(cell, column, rules?.dates);
  return guess === undefined ? [] : [{ column: header, value: text, ...guess }];
}

const NEWLINE = 0x0a;

/** The lines of a text, each with the bytes up to its end. Of one that is too long only the beginning is read. */
export async function* linesOf(text: Pieces): AsyncGenerator<{ line: string; bytes: number }> {
  let held: Buffer = Buffer.alloc(0);
  let [bytes, cut] = [0, 0];
  for await (const piece of text) {
    let rest = held.length === 0 ? piece : Buffer.concat([held, piece]);
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      bytes += cut + at + 1;
      yield { line: rest.toString('utf8', 0, at), bytes };
      rest = rest.subarray(at + 1);
      cut = 0;
    }
    cut += Math.max(0, rest.length - ROW_MAX - 1);
    held = rest.subarray(0, ROW_MAX + 1);
  }
  if (held.length > 0) yield { line: held.toString(), bytes: bytes + cut + held.length };
}

/** A member of an object as the text of a cell. */
export const textOf = (member: unknown) => (typeof member === 'string' ? member : JSON.stringify(member));

/** The texts of a member and of what is in it. */
function textsIn(member: unknown): string[] {
  if (typeof member === 'string') return [member];
  return typeof member === 'object' && member !== null ? Object.values(member).flatMap(textsIn) : [];
}

/** Makes a function that reads a line as the settings say. */
function ndjsonTextReader(settings: FileSettings, importable: Importable) {
  const columnOf = columnReader(importable, settings);
  const rulesOf = cellRules(settings);
  return (line: string, { row, bytes }: { row: number; bytes: number }): TextRow => {
    const { read, members } = ndjsonRowOf({ text: line, row }, columnOf, (name, cell, column) =>
      settledCell(cell, rulesOf(name), column),
    );
    const cells = new Map(members.map(([name, member]) => [name, textOf(member)]));
    const notes = members.flatMap(([name, member]) => {
      const found = columnOf(name);
      const column = 'why' in found ? undefined : found.column;
      const inner = textsIn(member).map((text) => noteOf(name, text, { column, rules: rulesOf(name) }));
      return inner.find((some) => some.length > 0) ?? [];
    });
    return { read, bytes, next: { row: row + 1, line: row + 1 }, cells, texts: [line.trim()], notes };
  };
}

async function* ndjsonTextRows(
  text: AsyncIterable<Buffer>,
  settings: FileSettings,
  { importable, from }: { importable: Importable; from: Place },
): AsyncGenerator<TextRow> {
  const read = ndjsonTextReader(settings, importable);
  let { row } = from;
  for await (const { line, bytes } of linesOf(text)) {
    const object = row === 1 ? line.replace(/^\uFEFF/, '') : line;
    if (object.trim() !== '') yield read(object, { row, bytes });
    row += 1;
  }
}

/** The key of a row without one: a hash of its values. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

const states = new Set<unknown>(['active', 'inactive']);

function fileRowOf(
  { read, bytes, next, cells, texts, notes }: TextRow,
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
    notes,
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
    notes: [],
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

interface Reading {
  settings: FileSettings;
  /** Tells whether a text can be kept. */
  isStorable: (text: string) => boolean;
}

/** Makes a function that turns the texts of a row into a record. One with a text that cannot be kept has that fault alone. */
function recordReader(importable: Importable, { settings, isStorable }: Reading) {
  const headers = headersOf(importable, settings);
  const columnOf = (field: string) => columnNameOf(importable, headers, field);
  const code = 'invalid_character';
  const detail = 'must be well-formed Unicode without NUL';
  return (read: TextRow): FileRow => {
    const row = fileRowOf(read, importable, { settings, headers });
    const column = findColumn(read, row, { columnOf, isGood: isStorable });
    return column === undefined
      ? row
      : rowWithoutValues(row, { column: isStorable(column) ? column : '', code, detail });
  };
}

/** Reads the rows of a part of a file, which begins where a row begins. */
export async function* readFileRows(
  text: AsyncIterable<Buffer>,
  importable: Importable,
  { from, ...reading }: Reading & { from: Place },
): AsyncGenerator<FileRow> {
  const { settings } = reading;
  const recordFrom = recordReader(importable, reading);
  const rows =
    settings.format === 'csv'
      ? csvTextRows(text, settings, { columns: fileColumns(importable, settings), from })
      : ndjsonTextRows(text, settings, { importable, from });
  for await (const read of rows) yield recordFrom(read);
}

/** A line of NDJSON with some of its members corrected. */
function correctedLine(line: string, corrections: Readonly<Record<string, string>>): string {
  if (Object.keys(corrections).length === 0) return line;
  const object: unknown = JSON.parse(line);
  return JSON.stringify({ ...(object as object), ...corrections });
}

/**
 * Makes a function that reads a row again from its texts and their corrections, by the names of the columns. The row keeps its place.
 */
export function rowReader(
  importable: Importable,
  reading: Reading,
): (row: Place & { cells: readonly string[] }, corrections: Readonly<Record<string, string>>) => FileRow {
  const { settings } = reading;
  const recordFrom = recordReader(importable, reading);
  const isCsv = settings.format === 'csv';
  const readCsv = isCsv ? csvTextReader(settings, fileColumns(importable, settings)) : undefined;
  const readLine = ndjsonTextReader(settings, importable);
  return ({ row, line, cells }, corrections) => {
    const place = { row, line, bytes: 0, next: { row, line } };
    if (readCsv === undefined) return recordFrom(readLine(correctedLine(cells[0] ?? '', corrections), place));
    const corrected = cells.map((cell, index) => corrections[settings.headers[index] ?? ''] ?? cell);
    return recordFrom(readCsv({ ...place, cells: corrected, fault: undefined }));
  };
}

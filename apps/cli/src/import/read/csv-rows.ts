import { Readable } from 'node:stream';
import { type CsvError, type InfoRecord, parse } from 'csv-parse';
import { CliError } from '../../errors/errors.ts';
import { CellParseError, parseCell } from './cell-values.ts';
import { utf8Of } from './encoding.ts';
import type { FileColumn } from './header.ts';
import type { InputFile } from './input-file.ts';
import { BrokenRow, type ReadRow, ROW_MAX, type Rows } from './rows.ts';

interface Parsed {
  record: string[];
  info: InfoRecord;
}

type Placed = Parsed & { row: number; line: number };

const delimiters = [',', ';', '\t', '|'];

/** Detects the delimiter: the most frequent candidate in the first line. */
function delimiterOf(pieces: Iterable<Buffer>): string {
  let text = '';
  for (const piece of pieces) {
    text += piece.toString();
    if (text.includes('\n') || text.length > ROW_MAX) break;
  }
  const [line = ''] = text.split('\n');
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
function brokenAt({ code, message }: CsvError, field: { row: number; line: number }): BrokenRow {
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

/** A parser of a file, which stops at the first unreadable row. */
function parserOf({ path }: InputFile, encoding: string) {
  const failures: CsvError[] = [];
  const source = Readable.from(utf8Of(path, encoding), { objectMode: false });
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(utf8Of(path, encoding)),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: ROW_MAX,
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
  return { parser: parser as AsyncIterable<Parsed>, failures, stop: () => source.destroy() };
}

/** The records of a CSV file, including the header, with the row and line in which each starts. */
async function* parsed(input: InputFile, encoding: string): AsyncGenerator<Placed> {
  const { parser, failures, stop } = parserOf(input, encoding);
  let [row, line, emptyLines] = [1, 1, 0];
  try {
    for await (const one of parser) {
      const passed = one.info.empty_lines - emptyLines;
      emptyLines += passed;
      row += passed;
      line += passed;
      // Records after an error are meaningless.
      const [failure] = failures;
      if (failure !== undefined && one.info.records > Number(failure.records)) break;
      yield { ...one, row, line };
      row += 1;
      // The line count of the parser counts CRLF inside quotes twice.
      line += 1 + newlinesIn(one.record);
    }
  } finally {
    stop();
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
    read.rowErrors.push({ row, line, column: header, code: 'invalid_format', message: error.message });
  }
}

function rowOf({ record, row, line, info }: Placed, columns: FileColumn[], size: number): ReadRow {
  const share = Math.min(1, info.bytes / size);
  const read: ReadRow = { row, line, values: [], key: undefined, rowErrors: [], share };
  if (record.length !== columns.length) {
    const message = `has ${record.length} cells, but the header has ${columns.length}`;
    read.rowErrors.push({ row, line, column: '', code: 'cell_count', message });
    return read;
  }
  for (const [index, column] of columns.entries()) readCell(read, column, record[index] ?? '');
  return read;
}

/** Reads the rows of a CSV file; `columnsOf` interprets its header. Throws `CliError` if the header is invalid. */
export async function readCsv(
  input: InputFile,
  { encoding, columnsOf }: { encoding: string; columnsOf: (headers: string[]) => FileColumn[] },
): Promise<Rows> {
  const records = parsed(input, encoding);
  const first = await records.next().catch((error: unknown) => {
    throw error instanceof BrokenRow ? new CliError(`the header cannot be read: ${error.message}`) : error;
  });
  if (first.done) throw new CliError(`${input.name} is empty; its first line must be a header`);
  const columns = columnsOf(first.value.record);
  async function* rows() {
    for await (const record of records) yield rowOf(record, columns, input.size);
  }
  const headers = columns.flatMap(({ header, column }): [string, string][] =>
    column === undefined ? [] : [[column.field, header]],
  );
  return { rows: rows(), headers: new Map(headers) };
}

import { Readable } from 'node:stream';
import { type CsvError, type InfoRecord, parse } from 'csv-parse';
import { CliError } from '../../errors/errors.ts';
import { UnreadableCell, valueOfCell } from './cell-values.ts';
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

/** What stands between the cells: what there is most of in the first line. */
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

const broken: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'after a closing quote the cell goes on; a quote within quotes is written twice',
  INVALID_OPENING_QUOTE: 'a quote stands within a cell that does not begin with one',
  CSV_MAX_RECORD_SIZE: `the row is longer than ${ROW_MAX} bytes; a quote may be open`,
};

/** The parser's errors, at the row in which they began. */
function brokenAt({ code, message }: CsvError, place: { row: number; line: number }): BrokenRow {
  const reason = `${broken[code] ?? message}; nothing after it can be read`;
  return new BrokenRow({ ...place, column: '', code: 'unreadable', reason });
}

function newlinesIn(record: string[]): number {
  return record.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);
}

/** A parser that is fed with a file until something in it cannot be read. */
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
    // As an error of the stream it would take the records before it along.
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

/** The records of a CSV file, the header first, with the row and line each begins in. */
async function* parsed(input: InputFile, encoding: string): AsyncGenerator<Placed> {
  const { parser, failures, stop } = parserOf(input, encoding);
  let [row, line, emptyLines] = [1, 1, 0];
  try {
    for await (const one of parser) {
      const passed = one.info.empty_lines - emptyLines;
      emptyLines += passed;
      row += passed;
      line += passed;
      // What the parser makes of the rest after a failure is nothing.
      const [failure] = failures;
      if (failure !== undefined && one.info.records > Number(failure.records)) break;
      yield { ...one, row, line };
      row += 1;
      // The parser's own count of lines takes CRLF within quotes for two.
      line += 1 + newlinesIn(one.record);
    }
  } finally {
    stop();
  }
  const [failure] = failures;
  if (failure !== undefined) throw brokenAt(failure, { row, line });
}

/** Reads a cell into the row. */
function readCell(read: ReadRow, { header, column, isKey }: FileColumn, cell: string): void {
  if (isKey) read.key = cell.trim();
  if (column === undefined) return;
  try {
    read.values.push([column, valueOfCell(cell, column)]);
  } catch (error) {
    if (!(error instanceof UnreadableCell)) throw error;
    const { row, line } = read;
    read.faults.push({ row, line, column: header, code: 'invalid_format', reason: error.message });
  }
}

function rowOf({ record, row, line, info }: Placed, columns: FileColumn[], size: number): ReadRow {
  const share = Math.min(1, info.bytes / size);
  const read: ReadRow = { row, line, values: [], key: undefined, faults: [], share };
  if (record.length !== columns.length) {
    const reason = `has ${record.length} cells, and the header ${columns.length}`;
    read.faults.push({ row, line, column: '', code: 'cell_count', reason });
    return read;
  }
  for (const [index, column] of columns.entries()) readCell(read, column, record[index] ?? '');
  return read;
}

/** The rows of a CSV file; `columnsOf` understands its header. Throws what is wrong with the header. */
export async function readCsv(
  input: InputFile,
  { encoding, columnsOf }: { encoding: string; columnsOf: (headers: string[]) => FileColumn[] },
): Promise<Rows> {
  const records = parsed(input, encoding);
  const first = await records.next().catch((error: unknown) => {
    throw error instanceof BrokenRow ? new CliError(`the header cannot be read: ${error.message}`) : error;
  });
  if (first.done) throw new CliError(`${input.name} is empty; its first line is to name the columns`);
  const columns = columnsOf(first.value.record);
  async function* rows() {
    for await (const record of records) yield rowOf(record, columns, input.size);
  }
  const headers = columns.flatMap(({ header, column }): [string, string][] =>
    column === undefined ? [] : [[column.place, header]],
  );
  return { rows: rows(), headers: new Map(headers) };
}

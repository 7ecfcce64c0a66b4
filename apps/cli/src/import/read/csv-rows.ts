import { Readable } from 'node:stream';
import {
  BrokenRow,
  csvOptions,
  csvRowOf,
  delimiterOf,
  type FileColumn,
  type ParsedRecord,
  type PlacedRecord,
  placedRecords,
  ROW_MAX,
  type Rows,
} from '@roster/import';
import { type CsvError, parse } from 'csv-parse';
import { CliError } from '../../errors/errors.ts';
import { utf8Of } from './encoding.ts';
import type { InputFile } from './input-file.ts';

/** The first line of a file, or as much of it as a row may have. */
function firstLineOf(pieces: Iterable<Buffer>): string {
  let text = '';
  for (const piece of pieces) {
    text += piece.toString();
    if (text.includes('\n') || text.length > ROW_MAX) break;
  }
  return text;
}

/** A parser of a file, which stops at the first unreadable row. */
function parserOf({ path }: InputFile, encoding: string) {
  const failures: CsvError[] = [];
  const source = Readable.from(utf8Of(path, encoding), { objectMode: false });
  const parser = parse({
    ...csvOptions,
    delimiter: delimiterOf(firstLineOf(utf8Of(path, encoding))),
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
  return { parser: parser as AsyncIterable<ParsedRecord>, failures, stop: () => source.destroy() };
}

/** The records of a CSV file, including the header, with the row and line in which each starts. */
async function* parsed(input: InputFile, encoding: string): AsyncGenerator<PlacedRecord> {
  const { parser, failures, stop } = parserOf(input, encoding);
  try {
    yield* placedRecords(parser, failures);
  } finally {
    stop();
  }
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
    for await (const record of records) yield csvRowOf(record, columns, input.size);
  }
  const headers = columns.flatMap(({ header, column }): [string, string][] =>
    column === undefined ? [] : [[column.field, header]],
  );
  return { rows: rows(), headers: new Map(headers) };
}

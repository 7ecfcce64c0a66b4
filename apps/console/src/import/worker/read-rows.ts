import {
  csvOptions,
  csvRowOf,
  distinctHeaders,
  type FileColumn,
  ndjsonRowOf,
  type ParsedRecord,
  type ParseFailure,
  placedRecords,
  type ReadRow,
  ROW_MAX,
} from '@roster/import';
import { type CsvError, parse } from 'csv-parse/browser/esm';
import { whyUnknown } from '../mapping.ts';
import type { ImportDocument, Mapping, ReadOptions } from '../types.ts';
import { reviewedCell } from '../values.ts';

/** A row of a file with the texts of its cells. */
export interface TextRow {
  row: number;
  line: number;
  cells: string[];
  /** Parses it. */
  read: (columns: readonly FileColumn[], mapping: Mapping) => ReadRow;
}

/** A file that is being read. */
export interface TextRows {
  headers: string[];
  rows: AsyncIterable<TextRow>;
}

/** The text of a file in pieces. Throws if it is not in the encoding. */
async function* textOf(file: Blob, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoderStream(encoding, { fatal: true });
  const reader = file.stream().pipeThrough(decoder).getReader();
  try {
    while (true) {
      const { done, value } = await reader.read().catch(() => {
        throw new Error(`The file is not in the encoding ${encoding}.`);
      });
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The records of a CSV file, one piece of the file after the other, so that only a piece is in memory. */
async function* parsedRecords(
  file: Blob,
  { encoding, delimiter }: ReadOptions,
  failures: ParseFailure[],
): AsyncGenerator<ParsedRecord> {
  const parser = parse({
    ...csvOptions,
    delimiter,
    skip_records_with_error: true,
    on_skip: (error?: CsvError) => {
      if (error !== undefined) failures.push(error);
    },
  });
  const ready: ParsedRecord[] = [];
  parser.on('data', (record: ParsedRecord) => ready.push(record));
  for await (const text of textOf(file, encoding)) {
    await new Promise<void>((resolve) => {
      parser.write(text, () => resolve());
    });
    yield* ready.splice(0);
    if (failures.length > 0) break;
  }
  await new Promise<void>((resolve) => {
    parser.on('end', resolve);
    parser.end();
  });
  yield* ready.splice(0);
}

async function readCsv(file: Blob, options: ReadOptions): Promise<TextRows> {
  const failures: ParseFailure[] = [];
  const records = placedRecords(parsedRecords(file, options, failures), failures);
  const first = await records.next();
  if (first.done) throw new Error('The file is empty; its first line must be a header.');
  const headers = distinctHeaders(first.value.record);
  async function* rows(): AsyncGenerator<TextRow> {
    for await (const placed of records) {
      yield {
        row: placed.row,
        line: placed.line,
        cells: placed.record,
        read: (columns, mapping) => {
          const record = placed.record.map((cell, index) =>
            reviewedCell(cell, headers[index] ?? '', mapping),
          );
          return csvRowOf({ ...placed, record }, columns, file.size);
        },
      };
    }
  }
  return { headers, rows: rows() };
}

/** The lines of a file. One that is too long ends it. */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > ROW_MAX) break;
  }
  if (rest !== '') yield rest;
}

type Members = Record<string, unknown>;

function membersOf(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Members)
      : undefined;
  } catch {
    return undefined;
  }
}

const cellOf = (member: unknown) =>
  member === undefined ? '' : typeof member === 'string' ? member : JSON.stringify(member);

/** Rows whose members are the columns of an NDJSON file. */
const NAMED_ROWS = 200;

async function headersOfNdjson(file: Blob, { encoding }: ReadOptions): Promise<string[]> {
  const names = new Set<string>();
  let count = 0;
  for await (const line of linesOf(textOf(file, encoding))) {
    for (const name of Object.keys(membersOf(line) ?? {})) names.add(name);
    count += 1;
    if (count === NAMED_ROWS) break;
  }
  if (names.size === 0) throw new Error('No line of the file is a JSON object.');
  return [...names];
}

async function readNdjson(
  file: Blob,
  options: ReadOptions,
  resource: ImportDocument['resource'],
): Promise<TextRows> {
  const headers = await headersOfNdjson(file, options);
  async function* rows(): AsyncGenerator<TextRow> {
    let row = 0;
    for await (const line of linesOf(textOf(file, options.encoding))) {
      row += 1;
      if (line.trim() === '') continue;
      const members = membersOf(line);
      const cells = members === undefined ? [line] : headers.map((header) => cellOf(members[header]));
      yield {
        row,
        line: row,
        cells,
        read: (columns, mapping) => {
          const reviewed = Object.entries(members ?? {}).map(([name, member]) => [
            name,
            typeof member === 'string' ? reviewedCell(member, name, mapping) : member,
          ]);
          const text = members === undefined ? line : JSON.stringify(Object.fromEntries(reviewed));
          return ndjsonRowOf({ text, row, share: 0 }, (name) => {
            const known = columns.find(({ header }) => header === name);
            const why = whyUnknown(resource, name) ?? 'is not among the first rows; import it by itself';
            return known ?? { header: name, why };
          }).read;
        },
      };
    }
  }
  return { headers, rows: rows() };
}

/** Reads a file with some options. Throws what people can read, if it cannot be read so. */
export function readRows(
  file: Blob,
  options: ReadOptions,
  resource: ImportDocument['resource'],
): Promise<TextRows> {
  return options.format === 'csv' ? readCsv(file, options) : readNdjson(file, options, resource);
}

import type { Io } from '../context/io-streams.ts';
import type { ShortIds } from '../context/short-ids.ts';
import type { JsonWanted } from '../input/json-option.ts';
import type { Column, Row } from '../resources.ts';
import { jsonLine, jsonText, picked, tsvHeader, tsvRecord, tsvRows } from './serializers.ts';

/** One page of a list, as the API answers it. */
export interface Page {
  items: readonly Row[];
  nextCursor?: string | undefined;
  total?: number | undefined;
  /** Of the log: where to go on, and whether there is more already. */
  nextAfter?: string;
  hasMore?: boolean;
}

/** Puts records on stdout: as JSON if asked for, else as a table for a person and as TSV for a program. */
export interface Printer {
  record(row: Row): Promise<void>;
  /** Prints pages as one list and answers the last of them. */
  pages(pages: AsyncIterable<Page>, columns: Column[]): Promise<Page>;
}

/** Puts records on stdout, each on a line, at any time. */
export type LinePrinter = (rows: readonly Row[]) => void;

async function joined(pages: AsyncIterable<Page>): Promise<Page> {
  const items: Row[] = [];
  let last: Page = { items };
  for await (const page of pages) {
    items.push(...page.items);
    last = page;
  }
  return { ...last, items };
}

function jsonPrinter({ stdout }: Io, fields: readonly string[]): Printer {
  return {
    record: async (row) => void stdout.write(jsonText(picked(row, fields))),
    pages: async (pages) => {
      const page = await joined(pages);
      stdout.write(jsonText({ ...page, items: page.items.map((row) => picked(row, fields)) }));
      return page;
    },
  };
}

/** What prints lines: JSON if asked for, else TSV, whose header comes before the first one. */
export function linePrinterFor(io: Io, columns: Column[], json: JsonWanted | undefined): LinePrinter {
  const { stdout } = io;
  if (json !== undefined) {
    return (rows) => void stdout.write(rows.map((row) => jsonLine(picked(row, json.fields))).join(''));
  }
  let isFirst = true;
  return (rows) => {
    stdout.write(`${isFirst ? tsvHeader(columns) : ''}${tsvRows(columns, rows)}`);
    isFirst = false;
  };
}

/** Lines are written as the pages come, so that a list of any length needs the memory of one page. */
function streamingPrinter(io: Io, json: JsonWanted | undefined): Printer {
  const { stdout } = io;
  return {
    record: async (row) =>
      void stdout.write(json === undefined ? tsvRecord(row) : jsonLine(picked(row, json.fields))),
    pages: async (pages, columns) => {
      const print = linePrinterFor(io, columns, json);
      let last: Page = { items: [] };
      for await (const page of pages) {
        print(page.items);
        last = page;
      }
      return last;
    },
  };
}

function tablePrinter({ stdout, size }: Io, ids: ShortIds | undefined): Printer {
  const { color } = stdout;
  return {
    record: async (row) => {
      const { listing } = await import('./table.ts');
      stdout.write(listing(row, color));
    },
    pages: async (pages, columns) => {
      const page = await joined(pages);
      const { table } = await import('./table.ts');
      const width = size().columns;
      if (page.items.length > 0) stdout.write(table({ columns, rows: page.items, width, color, ids }));
      return page;
    },
  };
}

/** The printer for this output. */
export function printerFor(io: Io, json: JsonWanted | undefined, ids?: ShortIds): Printer {
  if (json?.isLines === false) return jsonPrinter(io, json.fields);
  return io.isTerminal && json === undefined ? tablePrinter(io, ids) : streamingPrinter(io, json);
}

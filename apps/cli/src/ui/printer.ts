import type { Column, Row } from '../contract/columns.ts';
import type { Highlight, Page } from '../service/client.ts';
import type { IoStreams } from './io-streams.ts';
import type { JsonWanted } from './json-option.ts';
import { type ReadHome, withReadablePhones } from './phones.ts';
import { jsonLine, jsonText, picked, tsvHeader, tsvRecord, tsvRows } from './serializers.ts';

export interface Printer {
  /** Whether it prints tables, for a person at a terminal, who gets sentences on stderr too; else data for a program. */
  isForPeople: boolean;
  record(row: Row): Promise<void>;
  /** Prints pages as one list and resolves to the last page. */
  pages(pages: AsyncIterable<Page>, columns: Column[]): Promise<Page>;
}

export type LinePrinter = (rows: readonly Row[]) => void;

async function joined(pages: AsyncIterable<Page>): Promise<Page> {
  const items: Row[] = [];
  const highlights: (readonly Highlight[])[] = [];
  let last: Page = { items };
  for await (const page of pages) {
    items.push(...page.items);
    highlights.push(...(page.highlights ?? []));
    last = page;
  }
  return { ...last, items, ...(last.highlights && { highlights }) };
}

function jsonPrinter({ stdout }: IoStreams, fields: readonly string[]): Printer {
  return {
    isForPeople: false,
    record: async (row) => void stdout.write(jsonText(picked(row, fields))),
    pages: async (pages) => {
      const page = await joined(pages);
      stdout.write(jsonText({ ...page, items: page.items.map((row) => picked(row, fields)) }));
      return page;
    },
  };
}

/** A printer of lines: JSON if requested, else TSV with a header before the first line. */
export function linePrinterFor(io: IoStreams, columns: Column[], json: JsonWanted | undefined): LinePrinter {
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

/** Prints each page when it arrives, so that a list of any length needs the memory of one page. */
function streamingPrinter(io: IoStreams, json: JsonWanted | undefined): Printer {
  const { stdout } = io;
  return {
    isForPeople: false,
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

function tablePrinter({ stdout, stderr, size }: IoStreams, readHome: ReadHome): Printer {
  const { color } = stdout;
  return {
    isForPeople: true,
    record: async (row) => {
      const { listing } = await import('./table.ts');
      const [shown = row] = await withReadablePhones([row], readHome);
      stdout.write(listing(shown, color));
    },
    pages: async (pages, columns) => {
      const page = await joined(pages);
      const { table } = await import('./table.ts');
      const width = size().columns;
      const { items, highlights } = page;
      if (items.length === 0) return page;
      const rows = await withReadablePhones(items, readHome);
      const { text, omitted } = table({ columns, rows, width, color, highlights });
      stdout.write(text);
      if (omitted.length > 0) stderr.write(`There is no room for ${omitted.join(', ')}: see --columns.\n`);
      return page;
    },
  };
}

export function printerFor(
  io: IoStreams,
  json: JsonWanted | undefined,
  readHome: ReadHome = async () => null,
): Printer {
  if (json?.isLines === false) return jsonPrinter(io, json.fields);
  return io.isTerminal && json === undefined ? tablePrinter(io, readHome) : streamingPrinter(io, json);
}

import type { Io } from '../io.ts';
import type { Column, Row } from '../nouns.ts';
import { jsonText, picked } from './json.ts';
import { tsvHeader, tsvRecord, tsvRows } from './tsv.ts';

/** One page of a list, as the API answers it. */
export interface Page {
  items: readonly Row[];
  nextCursor?: string | undefined;
  total?: number | undefined;
}

/** Puts records on stdout: as JSON if asked for, else as a table for a person and as TSV for a program. */
export interface Printer {
  record(row: Row): Promise<void>;
  /** Prints pages as one list and answers the last of them. */
  pages(pages: AsyncIterable<Page>, columns: Column[]): Promise<Page>;
}

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

/** Lines are written as the pages come, so that a list of any length needs the memory of one page. */
function tsvPrinter({ stdout }: Io): Printer {
  return {
    record: async (row) => void stdout.write(tsvRecord(row)),
    pages: async (pages, columns) => {
      let last: Page | undefined;
      for await (const page of pages) {
        if (last === undefined) stdout.write(tsvHeader(columns));
        stdout.write(tsvRows(columns, page.items));
        last = page;
      }
      return last ?? { items: [] };
    },
  };
}

function tablePrinter({ stdout, columns: width, color }: Io): Printer {
  return {
    record: async (row) => {
      const { listing } = await import('./table.ts');
      stdout.write(listing(row, color));
    },
    pages: async (pages, columns) => {
      const page = await joined(pages);
      const { table } = await import('./table.ts');
      if (page.items.length > 0) stdout.write(table({ columns, rows: page.items, width, color }));
      return page;
    },
  };
}

/** The printer for this output; `json` holds the fields asked for, none of them for all. */
export function printerFor(io: Io, json: readonly string[] | undefined): Printer {
  if (json !== undefined) return jsonPrinter(io, json);
  return io.isTerminal ? tablePrinter(io) : tsvPrinter(io);
}

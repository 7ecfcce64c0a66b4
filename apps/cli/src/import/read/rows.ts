import type { Column } from './columns.ts';

/** Something wrong with a row of a file. */
export interface Fault {
  /** As a spreadsheet counts: the header is row 1. */
  row: number;
  /** The line of the file in which the row begins. */
  line: number;
  /** The column as the file names it; empty where it is about the whole row. */
  column: string;
  code: string;
  reason: string;
}

/** One row of a file, read but not judged. */
export interface ReadRow {
  row: number;
  line: number;
  values: [column: Column, value: unknown][];
  /** The text of the key column; undefined where there is none. */
  key: string | undefined;
  faults: Fault[];
  /** How much of the file has been read, from 0 to 1. */
  share: number;
}

/** The names a file has for places in a record: `address.city` may be called `OfficeCity`. */
export type Headers = ReadonlyMap<string, string>;

/** What a reader of a format gives. */
export interface Rows {
  rows: AsyncIterable<ReadRow>;
  headers: Headers;
}

/** A reader that cannot go on: what follows in the file is not known. */
export class BrokenRow extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.reason);
    this.fault = fault;
  }
}

/** The most characters of one row. */
export const ROW_MAX = 16 * 1024 * 1024;

/** The name a file has for a place, for what it is a part of, or for a part of it; the place where it has none. */
export function headerOf(headers: Headers, place: string): string {
  const own = headers.get(place);
  if (own !== undefined) return own;
  const within = [...headers].find(([known]) => place.startsWith(`${known}.`));
  const part = [...headers].find(([known]) => known.startsWith(`${place}.`) || known.startsWith(`${place}[`));
  return (within ?? part)?.[1] ?? place;
}

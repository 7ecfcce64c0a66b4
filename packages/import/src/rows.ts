import type { Column } from './columns.ts';

/** The input of a procedure; the service validates it. */
export type Input = Record<string, unknown>;

/** A record as the service returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** An error in a row of the file. */
interface RowError {
  /** Counted as in a spreadsheet: the header is row 1. */
  row: number;
  /** The line of the file in which the row starts. */
  line: number;
  /** The column as named in the file; empty if the error is about the whole row. */
  column: string;
  code: string;
  message: string;
}

/** A parsed row of the file, not yet validated. */
export interface ReadRow {
  row: number;
  line: number;
  values: [column: Column, value: unknown][];
  /** The text of the key column; undefined if there is none. */
  key: string | undefined;
  rowErrors: RowError[];
}

/** The names of fields in the file: `address.city` may be `OfficeCity`. */
export type Headers = ReadonlyMap<string, string>;

/** Maximum length of a row, in characters. */
export const ROW_MAX = 1024 * 1024;

/** The name in the file of a field, of its parent, or of a part of it; the path of the field if there is none. */
export function headerOf(headers: Headers, field: string): string {
  // A part of a licence is `licenses[0].number` as a column, and `licenses.0.number` as the path in a record.
  const own = headers.get(field) ?? headers.get(field.replace('.0.', '[0].'));
  if (own !== undefined) return own;
  const within = [...headers].find(([known]) => field.startsWith(`${known}.`));
  const part = [...headers].find(([known]) => known.startsWith(`${field}.`) || known.startsWith(`${field}[`));
  return (within ?? part)?.[1] ?? field;
}

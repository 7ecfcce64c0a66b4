import type { DateFormat } from '../days.ts';

/** How the rows of a file are read. */
export interface FileSettings {
  format: 'csv' | 'ndjson';
  delimiter: string;
  /** The names of the columns of a CSV file, in their order. */
  headers: readonly string[];
  /** The source of rows that name none. */
  sourceName?: string | undefined;
  /** The column with the key of each row in its source. */
  keyColumn?: string | undefined;
  /** The field of a column by its name in the file; empty for a column that is ignored. Others are known by their names. */
  columns: Readonly<Record<string, string>>;
  /** What the cells of a column stand for, by their text. */
  values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** How the days of a column are written. */
  dates: Readonly<Record<string, DateFormat>>;
  /** Whether columns that are not known are ignored. */
  isUnknownIgnored: boolean;
}

/** A file that cannot be read so. */
export class FileError extends Error {
  /** A code for programs. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

import type { Dialect } from '../csv.ts';
import type { DateFormat } from '../values/days.ts';

/** The effect of an empty cell on a field that has a value: it is kept, or cleared. */
export type EmptyCells = 'keep' | 'clear';

/** The settings by which the rows of a file are read. */
export interface FileSettings extends Dialect {
  format: 'csv' | 'ndjson';
  /** The names of the columns of a CSV file, in their order. */
  headers: readonly string[];
  /** The source of rows that name none. */
  sourceName?: string | undefined;
  /** The column with the key of each row in its source. */
  keyColumn?: string | undefined;
  /** The field of a column by its name in the file; empty for a column that is ignored. Others are known by their names. */
  columns: Readonly<Record<string, string>>;
  /** The values that the cells of a column stand for, by their text. */
  values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The format of the days of a column. */
  dates: Readonly<Record<string, DateFormat>>;
  /** The effect of the empty cells of a CSV file. In NDJSON an absent member keeps a field, and null clears it. */
  emptyCells: EmptyCells;
  /** The effect of those of a column, if it is another one. */
  columnEmptyCells: Readonly<Record<string, EmptyCells>>;
  /** Whether columns that are not known are ignored. */
  isUnknownIgnored: boolean;
}

/** A column that is none of those that an import reads, why, and the fields with the closest names. */
export interface UnreadColumn {
  header: string;
  why: string;
  nearest: readonly string[];
}

/** A file that cannot be read so. */
export class FileError extends Error {
  /** A code for programs. */
  readonly code: string;
  /** The unknown columns, if it is about these. */
  readonly columns: readonly UnreadColumn[];

  constructor(code: string, message: string, columns: readonly UnreadColumn[] = []) {
    super(message);
    this.code = code;
    this.columns = columns;
  }
}

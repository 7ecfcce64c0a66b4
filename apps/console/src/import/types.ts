import type { Counts, DateFormat, MatchedBy, OutgoingRow } from '@roster/import';
import type { ResourceName } from '../contract/contracts.ts';

/** How the bytes of a file become rows. */
export interface ReadOptions {
  format: 'csv' | 'ndjson';
  /** A label of the Encoding Standard: `utf-8`. */
  encoding: string;
  /** Between the cells of a CSV file. */
  delimiter: string;
}

/** The beginning of a file, read with some options. */
export interface Inspection extends ReadOptions {
  headers: string[];
  /** The first rows, without the header. */
  rows: string[][];
  /** Why it cannot be read so; undefined if it can. */
  problem?: string;
}

export type { DateFormat } from '@roster/import';

/** What the columns of a file mean. */
export interface Mapping {
  /** By the name of the column: the path of its field, or empty if it is ignored. */
  fields: Record<string, string>;
  /** The source of rows that name none; empty for none. */
  sourceName: string;
  /** The column with the key of each row in that source; empty for none. */
  keyColumn: string;
  /** By the name of the column: what its values stand for, by the value in the file. */
  values: Record<string, Record<string, string>>;
  /** By the name of the column. */
  dateFormats: Record<string, DateFormat>;
}

/** What a column of a file holds, for those whose values are reviewed. */
export interface SurveyedColumn {
  header: string;
  field: string;
  kind: 'choice' | 'date';
  /** The distinct values with their numbers, the most frequent first. */
  values: [value: string, count: number][];
  /** Whether there are more. */
  isCut: boolean;
}

export type Stage =
  | 'file'
  | 'columns'
  | 'values'
  | 'checking'
  | 'checked'
  | 'applying'
  | 'applied'
  | 'undoing'
  | 'undone';

/** What became of rows. */
export type RowCounts = Pick<Counts, 'created' | 'updated' | 'unchanged' | 'rejected'>;

/** One import, as this browser keeps it. */
export interface ImportDocument {
  id: string;
  /** Who started it: others who use this browser do not see it. */
  callerId: string;
  resource: ResourceName;
  fileName: string;
  size: number;
  /** The file itself, until the import is over. */
  file?: Blob;
  createdAt: string;
  stage: Stage;
  inspection: Inspection;
  mapping: Mapping;
  survey: SurveyedColumn[];
  /** The names of the columns by field. */
  headers: [field: string, header: string][];
  /** Whether all rows of the file are in batches, or have an error that was found before the service was asked. */
  isRead: boolean;
  rows: number;
  /** How many rows have such an error. */
  rejected: number;
  /** The numbers of the batches, in the order in which they are sent. */
  batches: number[];
  /** How many batches are checked, and with what result. */
  checkedBatches: number;
  checked: RowCounts;
  /** Whether a record that its e-mail address alone led to may get another name, and how many rows the check rejected for that. */
  acceptRenames: boolean;
  renames: number;
  /** How many batches are written, and with what result. */
  appliedBatches: number;
  applied: RowCounts;
  /** How many batches are undone, how many records of them, and how many could not be. */
  undoneBatches: number;
  undone: { done: number; left: number };
}

/** A row in a batch, with the texts of its cells for the report. */
export type JournalRow = OutgoingRow & { cells: string[] };

/** What was written of a row. */
export interface WrittenRow {
  row: number;
  id: string;
  /** The version before; null for a new record. */
  from: number | null;
  to: number;
}

/** The record that a row matched in the check, and by what; nulls if it matched none. */
export interface MatchedRow {
  row: number;
  matchedBy: MatchedBy | null;
  id: string | null;
}

/** Rows that are sent in one call, with what became of them. */
export interface JournalBatch {
  importId: string;
  number: number;
  level: number;
  rows: JournalRow[];
  /** The rows that the check rejected; undefined before it. */
  excluded?: number[];
  /** What the rows matched; undefined before the check. */
  matched?: MatchedRow[];
  /** When it was sent first; undefined if it was not. */
  sentAt?: number;
  /** What was written; undefined until the service has answered. */
  written?: WrittenRow[];
}

/** What is wrong with a cell; with an empty column, with the whole row. */
export interface CellError {
  column: string;
  code: string;
  message: string;
}

/** A row that was not imported, or whose import could not be undone, and why. */
export interface FaultyRow {
  importId: string;
  row: number;
  line: number;
  cells: string[];
  errors: CellError[];
}

import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from './column-types.ts';

export interface ImportTables {
  import: {
    id: string;
    step: 'read' | 'check' | 'write';
    /** Whether to write it after the check, unless it finds errors or warnings that are neither accepted nor skipped. */
    is_write: boolean;
    settings: ColumnType<unknown, string, never>;
    position: ColumnType<unknown, string, string>;
    /** The rows by outcome: expected after the check, actual of the batches that are written. A row is in one number. */
    created: Generated<number>;
    updated: Generated<number>;
    unchanged: Generated<number>;
    errors: Generated<number>;
    warnings: Generated<number>;
    skipped: Generated<number>;
    /** Row counts by result of the check; null until it has ended. */
    findings: ColumnType<unknown, string | null, string | null> | null;
    /** Kinds of warnings that are accepted, and kinds of rows to skip. */
    accept_warnings: Generated<string[]>;
    skip: Generated<string[]>;
    /** Whether rows update the records that they certainly are. */
    updates_look_alikes: Generated<boolean>;
    /** A hash of the names of its columns, in any order; null for NDJSON. */
    columns_key: string | null;
  };
  upload: {
    id: string;
    created_by: string | null;
    /** Then it is abandoned, unless it has an import. */
    expires_at: Timestamp;
    /** Null until the whole file is received. */
    import_id: string | null;
  };
  upload_chunk: {
    upload_id: string;
    number: number;
    /** The offset in bytes. */
    start: string;
    text: Buffer;
  };
  import_row: {
    import_id: string;
    /** As in a spreadsheet: the header is row 1. */
    row: number;
    /** In row order. */
    id: string;
    created_at: Timestamp;
    line: number;
    /** The batch of the row; null if it is rejected earlier. */
    batch: number | null;
    /** The record's keys: its source as one text, ID, and email if unique. */
    source: string | null;
    record_id: string | null;
    email: string | null;
    /** The source of its main office. */
    main: string | null;
    /** The number of the file's offices above its own. */
    level: Generated<number>;
    status: string | null;
    /** Rows and lines of list items that are rows themselves. */
    item_rows: ColumnType<unknown, string | null, string | null> | null;
    /** The address that its record has when the row is read, and the row takes from it. */
    left_email: string | null;
    /** The first of the rows that pass on email addresses to each other; null for others. */
    linked_to: number | null;
    /** The record that the row certainly is, by its duplicate score, and updates. */
    same_as: string | null;
    /** Why the row may be read wrongly: the column, the kind of warning and the reason of each. */
    notes: ColumnType<unknown, string | undefined, string>;
    /** The texts that are read instead of those of the file, by the names of their columns. */
    corrections: ColumnType<unknown, string | undefined, string>;
    /** Null if the row could not be parsed. */
    record: ColumnType<unknown, string | null, string | null> | null;
    cells: ColumnType<unknown, string, string>;
    outcome: 'created' | 'updated' | 'unchanged' | 'error' | 'warning' | 'skipped' | null;
    subject_id: string | null;
    matched_by: string | null;
    /** With the old and new value of each field. */
    changes: ColumnType<unknown, string, string>;
    look_alikes: ColumnType<unknown, string | undefined, string>;
    warnings: Generated<string[]>;
    cleared: Generated<string[]>;
    /** The country used for phone numbers; null if none. */
    phone_country: string | null;
  };
  import_error: {
    import_id: string;
    /** In row order. */
    id: string;
    created_at: Timestamp;
    row: number;
    line: number;
    /** As in the file; empty for the whole row. */
    column: string;
    value: string | null;
    code: string;
    detail: string;
  };
}

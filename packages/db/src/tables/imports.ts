import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from './column-types.ts';

/** The tables of imported files. */
export interface ImportTables {
  /** A file that a job imports. It has the id of the job, which has its progress, its end and its offices. */
  import: {
    id: string;
    /** The step that runs, or at which the job ended. */
    step: 'read' | 'check' | 'write';
    /** Whether it is to be written after its check, unless the check finds what no one has confirmed. */
    is_write: boolean;
    /** The settings by which the file is read. */
    settings: ColumnType<unknown, string, never>;
    /** The position at which reading goes on. */
    position: ColumnType<unknown, string, string>;
    /** The number of records that it has created. */
    created: Generated<number>;
    /** The number of rows by what the check says of them; null until it has ended. */
    findings: ColumnType<unknown, string | null, string | null> | null;
    /** The findings of the check that must be confirmed or skipped before the file is written. */
    unconfirmed: Generated<string[]>;
    /** The suspicious findings that someone has confirmed, and those that are left out. */
    confirmed: Generated<string[]>;
    skipped: Generated<string[]>;
  };
  /** A file that is being received, or whose rows are to be read. */
  upload: {
    id: string;
    created_by: string | null;
    /** When it counts as abandoned, unless it has an import by then. */
    expires_at: Timestamp;
    /** The import that reads it; null until the whole file has been received. */
    import_id: string | null;
  };
  /** A piece of the text of a file, in UTF-8. */
  upload_chunk: {
    upload_id: string;
    number: number;
    /** The number of bytes before it. */
    start: string;
    text: Buffer;
  };
  /** A row of a file, and what became of it, or would. */
  import_row: {
    import_id: string;
    /** Counted as in a spreadsheet: the header is row 1. */
    row: number;
    /** In the order of the rows. */
    id: string;
    created_at: Timestamp;
    line: number;
    /** The batch in which it is checked and written; null of a row that is rejected before. */
    batch: number | null;
    /** The keys of its record: the source as one text, the id, and the e-mail address if it must be unique. */
    source: string | null;
    record_id: string | null;
    email: string | null;
    /** The source of the office above its own. */
    main: string | null;
    /** The number of offices of the file that are above its own. */
    level: Generated<number>;
    status: string | null;
    /** The rows and lines of the items of a list of the record, if these are rows by themselves. */
    item_rows: ColumnType<unknown, string | null, string | null> | null;
    /** The record; null if the row could not be parsed. */
    record: ColumnType<unknown, string | null, string | null> | null;
    /** The texts of its cells. */
    cells: ColumnType<unknown, string, string>;
    outcome: 'created' | 'updated' | 'unchanged' | 'rejected' | 'skipped' | null;
    subject_id: string | null;
    matched_by: string | null;
    /** The fields that change, each from what to what. */
    changes: ColumnType<unknown, string, string>;
    /** The existing records that look like the one it would create. */
    look_alikes: ColumnType<unknown, string | undefined, string>;
    suspicious: Generated<string[]>;
    /** The fields of its record that empty cells clear. */
    cleared: Generated<string[]>;
    /** The country by which its phone numbers without a country code were read; null if it has none. */
    phone_country: string | null;
  };
  /** An error for which a row was rejected. */
  import_error: {
    import_id: string;
    /** In the order of the rows. */
    id: string;
    created_at: Timestamp;
    row: number;
    line: number;
    /** Its name in the file; empty if the error is about the whole row. */
    column: string;
    value: string | null;
    code: string;
    detail: string;
  };
}

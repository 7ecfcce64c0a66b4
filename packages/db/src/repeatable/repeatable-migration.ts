import { createHash } from 'node:crypto';
import type { Database, RecordColumns } from '../tables.ts';

/** The tables whose rows have the columns of records, and with them a materialised JSON record. */
export type RecordTable = {
  [Table in keyof Database]: Database[Table] extends RecordColumns ? Table : never;
}[keyof Database];

/**
 * The statements that build the materialised JSON of a table's rows. They are no migration of their own but follow from the schemas of the
 * API, and run after the versioned migrations if the database has others (Flyway calls that a repeatable migration).
 */
export interface RepeatableMigration {
  /**
   * The schema version of the JSON. A release that changes the statements has a greater one, which tells the older of two
   * releases from the newer.
   */
  version: number;
  /** They create or replace functions and types, lock no table, and can run again. The function of the trigger is the last. */
  statements: string[];
}

export type RepeatableMigrations = Record<RecordTable, RepeatableMigration>;

/** The name of a repeatable migration in messages: 'office-record-2'. */
export function nameOf(table: string, { version }: RepeatableMigration): string {
  return `${table}-record-${version}`;
}

/**
 * Identifies what has run, by version and checksum. The database has it as the comment on the trigger's function, so a
 * restore, which creates that function by the versioned migrations, has none.
 */
export function commentOf({ version, statements }: RepeatableMigration): string {
  const checksum = createHash('sha256').update(statements.join(';\n')).digest('hex');
  return `version ${version}, checksum ${checksum}`;
}

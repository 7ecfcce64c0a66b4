import { createHash } from 'node:crypto';
import type { Database, RecordColumns } from '../tables.ts';

/** Tables with the columns of records and materialised JSON. */
export type RecordTable = {
  [Table in keyof Database]: Database[Table] extends RecordColumns ? Table : never;
}[keyof Database];

/**
 * The statements that build a table's materialised JSON. They derive from the API's schemas and run after the
 * versioned migrations if the database has others (a repeatable migration, in Flyway's terms).
 */
export interface RepeatableMigration {
  /**
   * The schema version of the JSON. Changed statements have a greater one, which identifies the newer
   * release.
   */
  version: number;
  /**
   * They only create or replace functions and types, lock no table, and can run again. The trigger's function
   * is last.
   */
  statements: string[];
}

export type RepeatableMigrations = Record<RecordTable, RepeatableMigration>;

/** Such as 'office-record-2'. */
export function nameOf(table: string, { version }: RepeatableMigration): string {
  return `${table}-record-${version}`;
}

/**
 * Version and checksum, stored as the comment on the trigger's function. A restore creates that function by
 * versioned migrations, without the comment.
 */
export function commentOf({ version, statements }: RepeatableMigration): string {
  const checksum = createHash('sha256').update(statements.join(';\n')).digest('hex');
  return `version ${version}, checksum ${checksum}`;
}

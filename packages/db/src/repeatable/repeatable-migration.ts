import { createHash } from 'node:crypto';
import type { Database, RecordColumns } from '../tables.ts';

export type RecordTable = {
  [Table in keyof Database]: Database[Table] extends RecordColumns ? Table : never;
}[keyof Database];

/** Runs after the versioned migrations if the schemas changed (Flyway's repeatable migration). */
export interface RepeatableMigration {
  /** Changed statements have a greater version, which identifies the newer release. */
  version: number;
  /** Statements lock no table, and can run again. The trigger's function is last. */
  statements: string[];
}

export type RepeatableMigrations = Record<RecordTable, RepeatableMigration>;

export function nameOf(table: string, { version }: RepeatableMigration): string {
  return `${table}-record-${version}`;
}

/** Stored as the comment on the trigger's function, which a restored database lacks. */
export function commentOf({ version, statements }: RepeatableMigration): string {
  const checksum = createHash('sha256').update(statements.join(';\n')).digest('hex');
  return `version ${version}, checksum ${checksum}`;
}

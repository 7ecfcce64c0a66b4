import { type Kysely, sql } from 'kysely';

/** The rows of a file that would create records, with the keys by which they meet each other, as long as the file is checked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table compared_row (
      import_id uuid not null constraint compared_row_import_id_fkey references import (id) on delete cascade,
      row integer not null,
      batch integer not null,
      keys bigint[] not null,
      record json not null,
      primary key (import_id, row)
    )`.execute(db);
  await sql`create index compared_row_keys_idx on compared_row using gin (keys) with (fastupdate = off)`.execute(
    db,
  );
}

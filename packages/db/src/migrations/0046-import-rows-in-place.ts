import { type Kysely, sql } from 'kysely';

/** The rows of an import are changed twice, by its check and when they are written: their pages leave room for it, so that no index is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table import_row set (fillfactor = 45)`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** The texts of the cells of each row of an imported file, so that a rejected row can be shown, corrected and imported again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table import_row add cells json`.execute(db);
}

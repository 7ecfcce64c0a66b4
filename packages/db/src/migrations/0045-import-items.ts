import { type Kysely, sql } from 'kysely';

/** The rows of a file that are items of a list of one record become one row, which knows the rows and lines of its items. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table import_row add item_rows json`.execute(db);
}

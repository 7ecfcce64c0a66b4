import { type Kysely, sql } from 'kysely';

/** The records that are there and look like those which the rows of an import would create. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table import_row add look_alikes json not null default '[]'`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** The fields that the empty cells of a row clear, which someone confirms before they are written. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table import_row add cleared text[] not null default '{}'`.execute(db);
}

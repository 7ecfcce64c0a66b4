import { type Kysely, sql } from 'kysely';

/** The rows of a file are not compared with each other any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop table compared_row`.execute(db);
}

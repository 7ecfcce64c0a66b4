import { type Kysely, sql } from 'kysely';

/**
 * Builds an index beside the traffic, for a concurrent migration: `buildIndex(db, 'office_fax_idx', 'office (fax)')`. What
 * a build that broke off has left, which is an invalid index, is taken away first. In a transaction, as a restore has it,
 * it is built where it stands, because nobody is there to be held up.
 */
export async function buildIndex(db: Kysely<unknown>, name: string, definition: string): Promise<void> {
  const how = db.isTransaction ? '' : 'concurrently';
  await sql.raw(`drop index ${how} if exists ${name}`).execute(db);
  await sql.raw(`create index ${how} ${name} on ${definition}`).execute(db);
}

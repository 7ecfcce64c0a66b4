import { type Kysely, sql } from 'kysely';

/**
 * Creates an index without blocking writes, for a concurrent migration. Drops an existing index of this name first, such as
 * the invalid one of an attempt that failed. In a transaction, as in a restore, creates it without `concurrently`, which
 * PostgreSQL does not allow there.
 *
 * @param name the name of the index: 'office_fax_idx'
 * @param definition the table and the expressions: 'office (fax)'
 */
export async function buildIndex<Tables>(
  db: Kysely<Tables>,
  name: string,
  definition: string,
): Promise<void> {
  const how = db.isTransaction ? '' : 'concurrently';
  await sql.raw(`drop index ${how} if exists ${name}`).execute(db);
  await sql.raw(`create index ${how} ${name} on ${definition}`).execute(db);
}

/**
 * Drops an index, if it exists, without blocking writes. In a transaction, drops it without `concurrently`.
 *
 * @param name the name of the index: 'office_fax_idx'
 */
export async function dropIndex<Tables>(db: Kysely<Tables>, name: string): Promise<void> {
  await sql.raw(`drop index ${db.isTransaction ? '' : 'concurrently'} if exists ${name}`).execute(db);
}

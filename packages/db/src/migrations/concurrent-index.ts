import { type Kysely, sql } from 'kysely';

/**
 * Creates an index without blocking writes, for a concurrent migration. First drops an index of this name,
 * such as an invalid one of a failed attempt. In a transaction, as for a restore, it omits `concurrently`,
 * which PostgreSQL forbids there.
 *
 * @param name such as 'office_fax_idx'
 * @param definition table and expressions: 'office (fax)'
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

/** Drops an index without blocking writes; in a transaction without `concurrently`. */
export async function dropIndex<Tables>(db: Kysely<Tables>, name: string): Promise<void> {
  await sql.raw(`drop index ${db.isTransaction ? '' : 'concurrently'} if exists ${name}`).execute(db);
}

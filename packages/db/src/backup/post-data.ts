import { type Kysely, sql } from 'kysely';
import type { Database } from '../tables.ts';

/** One object that is dropped while rows are loaded, and the statement that recreates it. */
interface PostDataObject {
  drop: string;
  recreate: string;
}

/**
 * Drops what would slow down or prevent loading rows table by table (the section *post-data* of pg_dump) and disables
 * triggers: what triggers check was checked when the record was written; foreign keys between offices and agents point
 * both ways; and creating an index at the end is faster than updating it for each row. Needs no more privileges than those
 * of the tables' owner.
 *
 * @returns a function that recreates everything; foreign keys then check every row
 */
export async function dropPostData(db: Kysely<Database>, schema: string): Promise<() => Promise<void>> {
  const objects = [
    ...(await triggers(db, schema)),
    ...(await foreignKeys(db, schema)),
    ...(await indexes(db, schema)),
  ];
  for (const { drop } of objects) await sql.raw(drop).execute(db);
  return async function restorePostData() {
    // Indexes first, because the checks of foreign keys use them.
    for (const { recreate } of objects.toReversed()) await sql.raw(recreate).execute(db);
  };
}

async function triggers(db: Kysely<Database>, schema: string): Promise<PostDataObject[]> {
  const { rows } = await sql<PostDataObject>`
    select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as drop,
      format('alter table %s enable trigger %I', tgrelid::regclass, tgname) as recreate
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where ${inSchema(schema)} and not tgisinternal and tgenabled = 'O'
    order by tgrelid, tgname`.execute(db);
  return rows;
}

async function foreignKeys(db: Kysely<Database>, schema: string): Promise<PostDataObject[]> {
  const { rows } = await sql<PostDataObject>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid))
        as recreate
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where ${inSchema(schema)} and contype = 'f'
    order by conrelid, conname`.execute(db);
  return rows;
}

/** Indexes that belong to no constraint. Primary keys and unique constraints stay. */
async function indexes(db: Kysely<Database>, schema: string): Promise<PostDataObject[]> {
  const { rows } = await sql<PostDataObject>`
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as recreate
    from pg_index join pg_class on pg_class.oid = indrelid
    where ${inSchema(schema)} and relkind = 'r' and not exists (
      select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x')
    )
    order by indexrelid`.execute(db);
  return rows;
}

function inSchema(schema: string) {
  return sql`pg_class.relnamespace = (select oid from pg_namespace where nspname = ${schema})`;
}

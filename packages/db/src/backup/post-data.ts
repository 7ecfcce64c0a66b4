import { type Kysely, sql } from 'kysely';
import type { Database } from '../tables.ts';

/** What is taken away while rows are loaded, and the statement that brings it back as it was. */
interface Aside {
  remove: string;
  bringBack: string;
}

/**
 * Takes away what would be in the way of rows that come table by table: triggers, for what they check was checked when
 * the record was written; foreign keys, for offices and agents refer to each other; indexes, for building one at the end
 * is faster than growing it. Answers what brings all of them back; foreign keys then look at every row. It asks for no
 * more rights than those of the tables' owner.
 */
export async function standAside(db: Kysely<Database>, schema: string): Promise<() => Promise<void>> {
  const asides = [
    ...(await triggers(db, schema)),
    ...(await foreignKeys(db, schema)),
    ...(await indexes(db, schema)),
  ];
  for (const { remove } of asides) await sql.raw(remove).execute(db);
  return async () => {
    // Indexes first: foreign keys look for their rows by them.
    for (const { bringBack } of asides.toReversed()) await sql.raw(bringBack).execute(db);
  };
}

async function triggers(db: Kysely<Database>, schema: string): Promise<Aside[]> {
  const { rows } = await sql<Aside>`
    select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as remove,
      format('alter table %s enable trigger %I', tgrelid::regclass, tgname) as "bringBack"
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where ${inSchema(schema)} and not tgisinternal and tgenabled = 'O'
    order by tgrelid, tgname`.execute(db);
  return rows;
}

async function foreignKeys(db: Kysely<Database>, schema: string): Promise<Aside[]> {
  const { rows } = await sql<Aside>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as remove,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid))
        as "bringBack"
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where ${inSchema(schema)} and contype = 'f'
    order by conrelid, conname`.execute(db);
  return rows;
}

/** Those that are no part of a constraint: primary keys and unique constraints stay. */
async function indexes(db: Kysely<Database>, schema: string): Promise<Aside[]> {
  const { rows } = await sql<Aside>`
    select format('drop index %s', indexrelid::regclass) as remove, pg_get_indexdef(indexrelid) as "bringBack"
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

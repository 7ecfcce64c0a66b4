import { type Kysely, sql } from 'kysely';
import type { Database } from '../tables.ts';
import type { Table } from './session.ts';

export interface Contents {
  schema: string;
  /** In the table's order, without generated columns. */
  tables: Table[];
  sequences: string[];
}

/** Read from the catalog, whose tables are unknown to the builder, so that it includes what a migration adds. */
export async function readContents(db: Kysely<Database>): Promise<Contents> {
  const { rows: schemas } = await sql<{ schema: string | null }>`
    select coalesce((
      select nspname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where pg_class.oid = to_regclass('kysely_migration')
    ), current_schema()) as schema`.execute(db);
  const schema = schemas[0]?.schema;
  if (schema == null) throw new Error('the search_path names no schema that exists');
  const { rows } = await sql<{ kind: 'r' | 'S'; name: string; columns: string[] }>`
    select relkind as kind, relname as name, coalesce((
      select json_agg(attname order by attnum) from pg_attribute
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
    ), '[]') as columns
    from pg_class
    where ${inSchema(schema)} and relkind in ('r', 'S') and relpersistence <> 'u' and not exists (
      select from pg_depend
      where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
    )
    order by relname`.execute(db);
  return {
    schema,
    tables: rows.filter(({ kind }) => kind === 'r').map(({ name, columns }) => ({ schema, name, columns })),
    sequences: rows.filter(({ kind }) => kind === 'S').map(({ name }) => name),
  };
}

/**
 * Drops what prevents or slows loading table by table (pg_dump's *post-data*): foreign keys, which point both
 * ways between offices and agents; triggers, whose checks passed when the record was written; and indexes.
 * Needs only the privileges of the tables' owner.
 *
 * @returns recreates everything; foreign keys then check every row
 */
export async function dropPostData(db: Kysely<Database>, schema: string): Promise<() => Promise<void>> {
  const { rows } = await sql<{ drop: string; recreate: string }>`
    select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as drop,
      format('alter table %s enable trigger %I', tgrelid::regclass, tgname) as recreate
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where ${inSchema(schema)} and not tgisinternal and tgenabled = 'O'
    union all
    select format('alter table %s drop constraint %I', conrelid::regclass, conname),
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid))
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where ${inSchema(schema)} and contype = 'f'
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    from pg_index join pg_class on pg_class.oid = indrelid
    where ${inSchema(schema)} and relkind = 'r' and not exists (
      select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x')
    )`.execute(db);
  for (const { drop } of rows) await sql.raw(drop).execute(db);
  return async () => {
    // Indexes first, because checks of foreign keys use them.
    for (const { recreate } of rows.toReversed()) await sql.raw(recreate).execute(db);
  };
}

function inSchema(schema: string) {
  return sql`pg_class.relnamespace = (select oid from pg_namespace where nspname = ${schema})`;
}

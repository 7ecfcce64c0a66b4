import { type Kysely, sql } from 'kysely';
import type { Database } from '../tables.ts';

/** A table of a backup. */
interface Table {
  name: string;
  /** In the table's order, without generated columns. */
  columns: string[];
}

/** The tables and sequences that a backup contains. */
export interface Contents {
  schema: string;
  tables: Table[];
  sequences: string[];
}

/** The schema of the tables, or in which they would be created; and whether they exist. */
export async function findSchema(db: Kysely<Database>): Promise<{ schema: string; isMigrated: boolean }> {
  const { rows } = await sql<{ schema: string; isMigrated: boolean }>`
    select coalesce(nspname, current_schema()) as schema, pg_class.oid is not null as "isMigrated"
    from (select to_regclass('kysely_migration') as found) as migrations
    left join pg_class on pg_class.oid = found left join pg_namespace on pg_namespace.oid = relnamespace`.execute(
    db,
  );
  const [found] = rows;
  if (found?.schema == null) throw new Error('the search_path names no schema that exists');
  return found;
}

/**
 * Every table of a schema, including that of the migrations, and every sequence, except those of extensions and unlogged
 * ones. Read from PostgreSQL's catalog, so that it always contains what a migration adds.
 */
export async function readContents(db: Kysely<Database>, schema: string): Promise<Contents> {
  const { rows } = await sql<{ kind: 'r' | 'S'; name: string; columns: string[] }>`
    select relkind as kind, relname as name, coalesce((
      select json_agg(attname order by attnum) from pg_attribute
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
    ), '[]') as columns
    from pg_class
    where relnamespace = (select oid from pg_namespace where nspname = ${schema}) and relkind in ('r', 'S')
      and relpersistence <> 'u' and not exists (
      select from pg_depend
      where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
    )
    order by relname`.execute(db);
  return {
    schema,
    tables: rows.filter(({ kind }) => kind === 'r').map(({ name, columns }) => ({ name, columns })),
    sequences: rows.filter(({ kind }) => kind === 'S').map(({ name }) => name),
  };
}

import { type Kysely, sql } from 'kysely';
import type { Database } from '../tables.ts';

/** A table as a backup holds it. */
interface Table {
  name: string;
  /** What is written, in the table's order: not what PostgreSQL computes from other columns. */
  columns: string[];
}

/** What of the database is the application's. */
export interface Contents {
  schema: string;
  tables: Table[];
  sequences: string[];
}

/** The schema that holds the tables, or where they would be made; whether they are there already. */
export async function findSchema(db: Kysely<Database>): Promise<{ schema: string; isMigrated: boolean }> {
  const { rows } = await sql<{ schema: string; isMigrated: boolean }>`
    select coalesce(nspname, current_schema()) as schema, pg_class.oid is not null as "isMigrated"
    from (select to_regclass('kysely_migration') as found) as looked
    left join pg_class on pg_class.oid = found left join pg_namespace on pg_namespace.oid = relnamespace`.execute(
    db,
  );
  const [place] = rows;
  if (place?.schema == null) throw new Error('the search_path names no schema that is there');
  return place;
}

/**
 * Every table of a schema, that of the migrations included, and every sequence; but for those of extensions, and the
 * unlogged ones, which a crash empties too. The list
 * is the catalog's, so that nothing a migration adds can be forgotten.
 */
export async function contentsOf(db: Kysely<Database>, schema: string): Promise<Contents> {
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

/** The names of the migrations the database has had, oldest first. */
export async function appliedMigrations(db: Kysely<Database>, schema: string): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.id(schema, 'kysely_migration')} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

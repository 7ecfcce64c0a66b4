import { type Kysely, sql } from 'kysely';

export interface Column {
  type: string;
  isRequired: boolean;
  /** Default, generation expression or identity. */
  default: string | null;
}

export interface Constraint {
  table: string;
  /** As PostgreSQL prints it. */
  definition: string;
  columns: string[];
}

export interface Index {
  table: string;
  /** As PostgreSQL prints it. */
  definition: string;
  isUnique: boolean;
  columns: string[];
}

/** By name: the objects of a schema that running servers may use. */
export interface Catalog {
  /** The file node, which changes when the table is rewritten. */
  tables: Record<string, number>;
  columns: Record<string, Column>;
  constraints: Record<string, Constraint>;
  indexes: Record<string, Index>;
  domains: Record<string, string>;
  functions: Record<string, string>;
  triggers: Record<string, string>;
}

/** The current schema without Kysely's tables and objects of extensions. */
export async function readCatalog<Tables>(db: Kysely<Tables>): Promise<Catalog> {
  const { rows } = await sql<{ catalog: Catalog }>`
    with tables as (
      select oid, relname, pg_relation_filenode(oid) as file from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm')
        and relname not like 'kysely\\_%'
    ), columns as (
      select relname || '.' || attname as name, json_build_object(
        'type', format_type(atttypid, atttypmod), 'isRequired', attnotnull, 'default', coalesce(
          case when attgenerated <> '' then 'generated: ' else '' end || pg_get_expr(adbin, adrelid),
          case attidentity when 'a' then 'generated: identity' when 'd' then 'identity' end
        )) as value
      from pg_attribute join tables on attrelid = tables.oid
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attnum > 0 and not attisdropped
    ), constraints as (
      select relname || '.' || conname as name, json_build_object(
        'table', relname, 'definition', pg_get_constraintdef(pg_constraint.oid), 'columns', (
          select coalesce(json_agg(attname), '[]') from pg_attribute where attrelid = conrelid and attnum = any(conkey)
        )) as value
      from pg_constraint join tables on conrelid = tables.oid where contype <> 'n'
    ), indexes as (
      select class.relname as name, json_build_object(
        'table', tables.relname, 'definition', pg_get_indexdef(indexrelid), 'isUnique', indisunique, 'columns', (
          select coalesce(json_agg(attname), '[]') from pg_attribute
          where attrelid = indrelid and attnum = any(indkey)
        )) as value
      from pg_index join tables on indrelid = tables.oid join pg_class as class on class.oid = indexrelid
      where indisvalid
    ), domains as (
      select typname as name, to_json(concat_ws(' ',
        format_type(typbasetype, typtypmod), case when typnotnull then 'not null' end, (
          select string_agg(pg_get_constraintdef(oid), ' ' order by conname) from pg_constraint where contypid = type.oid
        ))) as value
      from pg_type as type where typnamespace = current_schema()::regnamespace and typtype = 'd'
    ), functions as (
      select proname || '(' || pg_get_function_identity_arguments(oid) || ')' as name,
        to_json(pg_get_function_result(oid)) as value
      from pg_proc where pronamespace = current_schema()::regnamespace
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    ), triggers as (
      select relname || '.' || tgname as name, to_json(pg_get_triggerdef(pg_trigger.oid)) as value
      from pg_trigger join tables on tgrelid = tables.oid where not tgisinternal
    )
    select json_build_object(
      'tables', (select coalesce(json_object_agg(relname, coalesce(file, 0)), '{}') from tables),
      'columns', (select coalesce(json_object_agg(name, value), '{}') from columns),
      'constraints', (select coalesce(json_object_agg(name, value), '{}') from constraints),
      'indexes', (select coalesce(json_object_agg(name, value), '{}') from indexes),
      'domains', (select coalesce(json_object_agg(name, value), '{}') from domains),
      'functions', (select coalesce(json_object_agg(name, value), '{}') from functions),
      'triggers', (select coalesce(json_object_agg(name, value), '{}') from triggers)
    ) as catalog`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a select without a table returned no row');
  return row.catalog;
}

import { type Kysely, sql } from 'kysely';
import { contentsOf, findSchema } from '../backup/catalog.ts';
import type { Database } from '../tables.ts';

/** All that a database holds, short enough to be compared with another's. */
export interface Holding {
  /** Of each table how many rows, and a sum over their contents that does not depend on their order. */
  tables: Record<string, string>;
  /** The last number each sequence gave, and whether it gave it. */
  sequences: Record<string, string>;
  /** Every constraint, index and trigger, and whether it is in force. */
  rules: string[];
}

/**
 * What a database holds, read by the same statements on every version of PostgreSQL: the text of each row (computed
 * columns too) through MD5, added up. Reads every row, and takes no memory for them.
 */
export async function holdingOf(db: Kysely<Database>): Promise<Holding> {
  return db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`set local timezone = 'UTC'`.execute(trx);
    const { schema } = await findSchema(trx);
    const contents = await contentsOf(trx, schema);
    const holding: Holding = { tables: {}, sequences: {}, rules: await rulesOf(trx) };
    for (const { name } of contents.tables) {
      const { rows } = await sql<{ sum: string }>`
        select count(*) || ' rows, sum '
          || coalesce(sum(('x' || left(md5(held::text), 16))::bit(64)::bigint::numeric), 0) as sum
        from ${sql.id(schema, name)} as held`.execute(trx);
      holding.tables[name] = rows[0]?.sum ?? '';
    }
    for (const name of contents.sequences) {
      const { rows } = await sql<{ at: string }>`
        select last_value || ' ' || is_called as at from ${sql.id(schema, name)}`.execute(trx);
      holding.sequences[name] = rows[0]?.at ?? '';
    }
    return holding;
  });
}

async function rulesOf(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ rule: string }>`
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated as rule
    from pg_constraint where connamespace = current_schema()::regnamespace and conrelid <> 0 and contype <> 'n'
    union all
    select pg_get_indexdef(indexrelid) || ' ' || indisvalid || indisready from pg_index
      join pg_class on pg_class.oid = indrelid where relnamespace = current_schema()::regnamespace
    union all
    select pg_get_triggerdef(pg_trigger.oid) || ' ' || tgenabled::text from pg_trigger
      join pg_class on pg_class.oid = tgrelid
      where relnamespace = current_schema()::regnamespace and not tgisinternal
    order by rule`.execute(db);
  return rows.map(({ rule }) => rule);
}

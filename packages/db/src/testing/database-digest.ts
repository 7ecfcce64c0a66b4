import { type Kysely, sql } from 'kysely';
import { readContents } from '../backup/contents.ts';
import type { Database } from '../tables.ts';

export interface DatabaseDigest {
  /** Row count, and a checksum regardless of order. */
  tables: Record<string, string>;
  /** The last value, and whether it was used. */
  sequences: Record<string, string>;
  /** Every constraint, index and trigger, and whether it is valid and enabled. */
  rules: string[];
}

/** The sum of the MD5 of each row's text, the same on every version of PostgreSQL. */
export async function computeDigest(db: Kysely<Database>): Promise<DatabaseDigest> {
  return db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`set local timezone = 'UTC'`.execute(trx);
    const contents = await readContents(trx);
    const { schema } = contents;
    const digest: DatabaseDigest = { tables: {}, sequences: {}, rules: await readRules(trx) };
    for (const { name } of contents.tables) {
      const { rows } = await sql<{ sum: string }>`
        select count(*) || ' rows, sum '
          || coalesce(sum(('x' || left(md5(row::text), 16))::bit(64)::bigint::numeric), 0) as sum
        from ${sql.id(schema, name)} as row`.execute(trx);
      digest.tables[name] = rows[0]?.sum ?? '';
    }
    for (const name of contents.sequences) {
      const { rows } = await sql<{ value: string }>`
        select last_value || ' ' || is_called as value from ${sql.id(schema, name)}`.execute(trx);
      digest.sequences[name] = rows[0]?.value ?? '';
    }
    return digest;
  });
}

async function readRules(db: Kysely<Database>): Promise<string[]> {
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

import { compiledVariants, type Database } from '@roster/db';
import { type DialectAdapter, type Kysely, sql } from 'kysely';

/** Records of a sample, and for how long it is kept: a name that one record in a thousand has is nearly always in it. */
const SAMPLE = 5_000;
const ROWS_MAX = 4 * SAMPLE;
const TTL_MS = 10 * 60 * 1_000;

/** How often words of letters occur in a sample of the records of a table. */
export type Vocabulary = ReadonlyMap<string, number>;

const statements = compiledVariants<{ word: string; count: number }>({ isReadOnly: true });

async function readVocabulary(db: Kysely<Database>, table: string): Promise<Vocabulary> {
  const statement = statements(
    table,
    () => sql`
      select word, count(*)::int as count
      from (
        select search_text from ${sql.table(table)} tablesample system ((
          select least(100, 100.0 * ${sql.lit(SAMPLE)} / greatest(reltuples, 1)) from pg_class
          where oid = ${sql.lit(table)}::regclass
        )) limit ${sql.lit(ROWS_MAX)}
      ) as sampled cross join lateral unnest(string_to_array(search_text, ' ')) as word
      where char_length(word) between 4 and 30 and word !~ '[0-9@.]'
      group by word`,
  );
  const rows = await statement.execute(db, {});
  return new Map(rows.map(({ word, count }) => [word, count]));
}

interface Kept {
  vocabulary: Vocabulary;
  until: number;
}

/** By the adapter of the database, which all requests share: each request has a Kysely of its own. */
const kept = new WeakMap<DialectAdapter, Map<string, Kept>>();

/** The words of a sample of a table's records, which is read once in ten minutes. */
export async function vocabularyOf(db: Kysely<Database>, table: string): Promise<Vocabulary> {
  const { adapter } = db.getExecutor();
  const tables = kept.get(adapter) ?? new Map<string, Kept>();
  kept.set(adapter, tables);
  const last = tables.get(table);
  if (last !== undefined && performance.now() < last.until) return last.vocabulary;
  // Each search that comes meanwhile reads its own: the read of a request is cancelled if its client disconnects.
  const vocabulary = await readVocabulary(db, table);
  tables.set(table, { vocabulary, until: performance.now() + TTL_MS });
  return vocabulary;
}

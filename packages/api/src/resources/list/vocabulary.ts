import { compiledVariants, type Database } from '@roster/db';
import { type DialectAdapter, type Kysely, sql } from 'kysely';

/** Records of a sample, and for how long it is kept: a name that one record in a thousand has is nearly always in it. */
const SAMPLE = 5_000;
const ROWS_MAX = 4 * SAMPLE;
const TTL_MS = 10 * 60 * 1_000;
const BEGINNING_MIN = 3;

/** The words of letters in a sample of the records of a table. */
export interface Vocabulary {
  /** How often each occurs. */
  words: ReadonlyMap<string, number>;
  /** How many words with this beginning, of three letters or more, a sampled record has on average; 0 for none. */
  shareOf(beginning: string): number;
}

const statements = compiledVariants<{ word: string; count: number; records: number }>({ isReadOnly: true });

async function readVocabulary(db: Kysely<Database>, table: string): Promise<Vocabulary> {
  const statement = statements(
    table,
    () => sql`
      select word, count(*)::int as count, max(records)::int as records
      from (
        select search_text, count(*) over () as records from ${sql.table(table)} tablesample system ((
          select least(100, 100.0 * ${sql.lit(SAMPLE)} / greatest(reltuples, 1)) from pg_class
          where oid = ${sql.lit(table)}::regclass
        )) limit ${sql.lit(ROWS_MAX)}
      ) as sampled cross join lateral unnest(string_to_array(search_text, ' ')) as word
      where char_length(word) between 4 and 30 and word !~ '[0-9@.]'
      group by word`,
  );
  const rows = await statement.execute(db, {});
  return vocabularyFrom(rows);
}

function vocabularyFrom(rows: { word: string; count: number; records: number }[]): Vocabulary {
  const beginnings = new Map<string, number>();
  for (const { word, count } of rows) {
    for (let length = BEGINNING_MIN; length <= word.length; length += 1) {
      const beginning = word.slice(0, length);
      beginnings.set(beginning, (beginnings.get(beginning) ?? 0) + count);
    }
  }
  const records = rows[0]?.records ?? 1;
  return {
    words: new Map(rows.map(({ word, count }) => [word, count])),
    shareOf: (beginning) => (beginnings.get(beginning) ?? 0) / records,
  };
}

interface Kept {
  last?: { vocabulary: Vocabulary; until: number };
  /** Searches that are reading it. */
  reading: number;
}

/** By the adapter of the database, which all requests share: each request has a Kysely of its own. */
const kept = new WeakMap<DialectAdapter, Map<string, Kept>>();

function keptOf(db: Kysely<Database>, table: string): Kept {
  const { adapter } = db.getExecutor();
  const tables = kept.get(adapter) ?? new Map<string, Kept>();
  kept.set(adapter, tables);
  const entry = tables.get(table) ?? { reading: 0 };
  tables.set(table, entry);
  return entry;
}

const isFresh = ({ last }: Kept) => last !== undefined && performance.now() < last.until;

/** The words of a sample of a table's records, which is read once in ten minutes. */
export async function vocabularyOf(db: Kysely<Database>, table: string): Promise<Vocabulary> {
  const entry = keptOf(db, table);
  if (entry.last !== undefined && isFresh(entry)) return entry.last.vocabulary;
  entry.reading += 1;
  try {
    // Each search that needs it meanwhile reads its own: the read of a request is cancelled if its client disconnects.
    const vocabulary = await readVocabulary(db, table);
    entry.last = { vocabulary, until: performance.now() + TTL_MS };
    return vocabulary;
  } finally {
    entry.reading -= 1;
  }
}

/** The same for a search that can do without: undefined, or the previous one, while another search is reading it. */
export async function vocabularyUnlessBusy(
  db: Kysely<Database>,
  table: string,
): Promise<Vocabulary | undefined> {
  const entry = keptOf(db, table);
  return entry.reading > 0 || isFresh(entry) ? entry.last?.vocabulary : vocabularyOf(db, table);
}

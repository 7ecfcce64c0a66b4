import { type Database, statement } from '@roster/db';
import { type DialectAdapter, type Kysely, sql } from 'kysely';

const SAMPLE = 5_000;
const ROWS_MAX = 4 * SAMPLE;
const TTL_MS = 10 * 60 * 1_000;
const TRIGRAM = 3;

export interface Vocabulary {
  /** Whether a word has this beginning, of three letters or more. */
  has(beginning: string): boolean;
  rarestIn(text: string): string | undefined;
}

/** A word, or a part of an address or number without its last digits. */
interface SampledPart {
  part: string;
  is_word: boolean;
  count: number;
}

const sampleStatement = statement<{ table: string }, SampledPart>(
  ({ table }) => sql`
      select part, bool_or(part = word) as is_word, count(*)::int as count
      from (
        select search_text from ${sql.table(table)} tablesample system ((
          select least(100, 100.0 * ${sql.lit(SAMPLE)} / greatest(reltuples, 1)) from pg_class
          where oid = ${sql.lit(table)}::regclass
        )) limit ${sql.lit(ROWS_MAX)}
      ) as sampled
        cross join lateral unnest(string_to_array(search_text, ' ')) as word
        cross join lateral unnest(string_to_array(replace(word, '@', '.'), '.')) as piece
        cross join lateral rtrim(piece, '0123456789') as part
      where char_length(part) between ${sql.lit(TRIGRAM)} and 30
      group by part`,
  { isReadOnly: true },
);

async function readVocabulary(db: Kysely<Database>, table: string): Promise<Vocabulary> {
  return vocabularyFrom(await sampleStatement({ table }).execute(db, {}));
}

/** None for texts with marks, which may not count for the trigram index. */
function trigramsOf(text: string): string[] {
  const letters = Array.from(text);
  return letters
    .map((_, at) => letters.slice(at, at + TRIGRAM).join(''))
    .filter((trigram) => /^[\p{L}\p{N}]{3}$/u.test(trigram));
}

function vocabularyFrom(rows: SampledPart[]): Vocabulary {
  const beginnings = new Set<string>();
  const trigrams = new Map<string, number>();
  const countOf = (trigram: string) => trigrams.get(trigram) ?? 0;
  for (const { part, is_word, count } of rows) {
    for (const trigram of trigramsOf(part)) trigrams.set(trigram, countOf(trigram) + count);
    if (!is_word) continue;
    for (let length = TRIGRAM; length <= part.length; length += 1) beginnings.add(part.slice(0, length));
  }
  return {
    has: (beginning) => beginnings.has(beginning),
    rarestIn: (text) => trigramsOf(text).sort((a, b) => countOf(a) - countOf(b))[0],
  };
}

interface Kept {
  last?: { vocabulary: Vocabulary; until: number };
  reading: number;
}

/** By the dialect's adapter, which all requests share: each request has its own Kysely. */
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

export async function loadVocabulary(db: Kysely<Database>, table: string): Promise<Vocabulary> {
  const entry = keptOf(db, table);
  if (entry.last !== undefined && isFresh(entry)) return entry.last.vocabulary;
  entry.reading += 1;
  try {
    // Until it is loaded each search reads its own, because the read of a request is cancelled if its client
    // disconnects.
    const vocabulary = await readVocabulary(db, table);
    entry.last = { vocabulary, until: performance.now() + TTL_MS };
    return vocabulary;
  } finally {
    entry.reading -= 1;
  }
}

/** Returns undefined, or the previous vocabulary, while another search is reading it. */
export async function vocabularyUnlessBusy(
  db: Kysely<Database>,
  table: string,
): Promise<Vocabulary | undefined> {
  const entry = keptOf(db, table);
  return entry.reading > 0 || isFresh(entry) ? entry.last?.vocabulary : loadVocabulary(db, table);
}

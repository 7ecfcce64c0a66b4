import { type Database, type Fragment, statement } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { OfficeLimit } from '../office-limit.ts';
import type { Condition } from '../sql/filter.ts';
import { andMeets, limitFilter } from '../sql/limited-rows.ts';
import { escaped, type Searched, type SearchTerm, type WordForm } from './search.ts';
import { loadVocabulary, type Vocabulary } from './vocabulary.ts';

/** Words that occur in records and are one or two typos from a word that was searched. */

/** A word of so many letters may have one typo, and from this length on two; a shorter or longer one has none. */
const LETTERS_MIN = 5;
const TWO_TYPOS_MIN = 8;
const LETTERS_MAX = 30;

/** Words of a search that may have typos: the longest ones. */
const CORRECTED_MAX = 3;

/** Records whose words are looked at, for each part of a word that may be right. */
const SAMPLED_MAX = 200;

/** Letters alone: a number or an address is not spelt. */
const isSpelt = (word: string) => /^[\p{L}\p{M}]+$/u.test(word);

/** Whether the trigram index can look up a pattern: without such letters it would be read from end to end. */
const isIndexed = (pattern: string) => /\p{L}{3}|% \p{L}/u.test(pattern);

const typosMax = (length: number) => (length >= TWO_TYPOS_MIN ? 2 : 1);

/**
 * The typos that turn the beginning of a word, or all of it, into another one: letters that are missing, added, others, or
 * swapped (optimal string alignment). The end of the word that is left out is what has not been typed yet.
 */
export function typosBetween(typed: string, word: string): number {
  const [from, to] = [Array.from(typed), Array.from(word)];
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of from.entries()) {
    const next = [row + 1];
    for (const [column, other] of to.entries()) {
      const replaced = (last[column] ?? 0) + (letter === other ? 0 : 1);
      const isSwapped = row > 0 && column > 0 && letter === to[column - 1] && from[row - 1] === other;
      const swapped = isSwapped ? (beforeLast[column - 1] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (last[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    [beforeLast, last] = [last, next];
  }
  return Math.min(...last);
}

/**
 * Parts of a word of which a word with few typos has one: its beginning, its end, or both without the middle. Those that the
 * index cannot look up are left out.
 */
export function partsOf(word: string): { inText: string; inWord: string }[] {
  const letters = Array.from(word);
  const half = Math.ceil(letters.length / 2);
  const third = Math.max(2, Math.floor(letters.length / 3));
  const first = (count: number) => escaped(letters.slice(0, count).join(''));
  const last = (count: number) => escaped(letters.slice(-count).join(''));
  return [
    // A space before the letters makes the trigram index look for words that begin with them.
    { inText: `% ${first(half)}%`, inWord: `${first(half)}%` },
    { inText: `%${last(half)}%`, inWord: `%${last(half)}%` },
    { inText: `% ${first(third)}%${last(third)} %`, inWord: `${first(third)}%${last(third)}` },
  ].filter(({ inText }) => isIndexed(inText));
}

interface WordsShape {
  table: string;
  /** The number of parts. */
  parts: number;
  within: Fragment<Condition> | undefined;
}

const wordsStatement = statement<WordsShape, { word: string }>(
  ({ table, parts, within }, param) => {
    const places = [...Array(parts).keys()];
    const order = within === undefined ? sql`` : sql`order by uuid_hash(id), id`;
    // Hidden from the planner: for an unknown pattern it takes the index, whatever it expects of a known one.
    const sampled = places.map(
      (index) => sql`(
        select search_text from ${sql.table(table)} where search_text like (select ${param(`text ${index}`)})${andMeets(within, param)}
        ${order} limit ${sql.lit(SAMPLED_MAX)})`,
    );
    const matches = places.map((index) => sql`word like ${param(`word ${index}`)}`);
    return sql`
      select distinct word
      from (${sql.join(sampled, sql` union all `)}) as sampled
        cross join lateral unnest(string_to_array(search_text, ' ')) as word
      where char_length(word) between ${param('letters')}::int - 2 and ${sql.lit(LETTERS_MAX)}
        and (${sql.join(matches, sql` or `)})`;
  },
  ({ within }) => ({ isReadOnly: true, isPlannedForValues: within !== undefined }),
);

/**
 * The words that have a part of a word, of some records that have it. Of more records within a limit, those are taken that the hash
 * of the id puts first: others, which the caller may not see, do not change which.
 */
async function candidatesFor(
  db: Kysely<Database>,
  searched: Searched,
  { word, limit }: { word: string; limit: OfficeLimit | undefined },
): Promise<string[]> {
  const { table } = searched;
  const parts = partsOf(word);
  if (parts.length === 0) return [];
  const within = limitFilter(searched, limit);
  const values = parts.flatMap(({ inText, inWord }, index) => [
    [`text ${index}`, inText],
    [`word ${index}`, inWord],
  ]);
  const letters = Array.from(word).length;
  const words = wordsStatement({ table, parts: parts.length, within: within?.condition });
  const rows = await words.execute(db, { ...Object.fromEntries(values), letters, ...within?.values });
  return rows.map((row) => row.word);
}

/** Whether a word has one of the parts of another that may be right. */
function isCandidate(word: string, other: string): boolean {
  const half = Math.ceil(word.length / 2);
  const third = Math.max(2, Math.floor(word.length / 3));
  return (
    other.startsWith(word.slice(0, half)) ||
    other.includes(word.slice(-half)) ||
    (other.startsWith(word.slice(0, third)) && other.endsWith(word.slice(-third)))
  );
}

/** The most similar of some words, the more frequent one of two; the word itself if it is the beginning of one. */
function nearest(word: string, words: Iterable<[text: string, count: number]>): WordForm | undefined {
  const max = typosMax(Array.from(word).length);
  const [best] = [...words]
    .filter(([text]) => isCandidate(word, text) && isSpelt(text))
    .map(([text, count]) => ({ text, count, distance: typosBetween(word, text) }))
    .filter(({ distance }) => distance <= max)
    .sort((a, b) => a.distance - b.distance || b.count - a.count || (a.text < b.text ? -1 : 1));
  return best && { text: best.distance === 0 ? word : best.text, distance: best.distance };
}

/** Whether a word of a search, the longest ones first, may have typos. */
function canHaveTypos(word: string, index: number): boolean {
  const { length } = Array.from(word);
  return index < CORRECTED_MAX && length >= LETTERS_MIN && length <= LETTERS_MAX && isSpelt(word);
}

/** The word that is searched instead of one: a similar one that records have, or undefined. */
async function similarTo(
  db: Kysely<Database>,
  searched: Searched,
  { vocabulary, ...of }: { vocabulary: Vocabulary | undefined; word: string; limit: OfficeLimit | undefined },
): Promise<WordForm | undefined> {
  const { word } = of;
  const common = vocabulary && nearest(word, vocabulary.words);
  const found =
    common ??
    nearest(
      word,
      (await candidatesFor(db, searched, of)).map((text) => [text, 1]),
    );
  return found?.distance === 0 ? undefined : found;
}

/**
 * For each word of a search, in its order, the similar word that is searched instead, or null; undefined if there are none. A
 * word is looked for in the vocabulary of a sample first, which has the frequent names, and then in a bounded number of records
 * that have a part of it. So a rare word among many with the same beginning and the same end may be missed. The sample is of all
 * records, so that for a caller with a limit it is not used.
 */
export async function similarWords(
  db: Kysely<Database>,
  searched: Searched,
  { terms, limit }: { terms: SearchTerm[]; limit: OfficeLimit | undefined },
): Promise<(WordForm | null)[] | undefined> {
  const words = terms.map(([form]) => form?.text ?? '');
  if (!words.some(canHaveTypos)) return undefined;
  const vocabulary = limit === undefined ? await loadVocabulary(db, searched.table) : undefined;
  const similar = await Promise.all(
    words.map(async (word, index) =>
      canHaveTypos(word, index)
        ? ((await similarTo(db, searched, { vocabulary, word, limit })) ?? null)
        : null,
    ),
  );
  return similar.some((word) => word !== null) ? similar : undefined;
}

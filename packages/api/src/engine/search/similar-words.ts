import { type Database, type Fragment, statement } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { OfficeLimit } from '../office-limit.ts';
import type { Condition } from '../sql/filter.ts';
import { andMeets, limitFilter, searchedText } from '../sql/limited-rows.ts';
import { escaped, type Searched, type SearchTerm, type WordForm } from './search.ts';
import { loadVocabulary, type Vocabulary } from './vocabulary.ts';

/** Words from this length on can have one typo, and from the second length on two. */
const LETTERS_MIN = 5;
const TWO_TYPOS_MIN = 8;
const LETTERS_MAX = 30;

const CORRECTED_MAX = 3;

const SAMPLED_MAX = 200;

const isSpelt = (word: string) => /^[\p{L}\p{M}]+$/u.test(word);

/** Whether the trigram index supports the pattern; otherwise it would be read in full. */
const isIndexed = (pattern: string) => /\p{L}{3}|% \p{L}/u.test(pattern);

const typosMax = (length: number) => (length >= TWO_TYPOS_MIN ? 2 : 1);

/** Optimal string alignment with the beginning of a word, whose rest may not have been typed yet. */
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

/** A word with few typos shares one: the beginning, the end, or both without the middle. */
export function partsOf(word: string): { inText: string; inWord: string }[] {
  const letters = Array.from(word);
  const half = Math.ceil(letters.length / 2);
  const third = Math.max(2, Math.floor(letters.length / 3));
  const first = (count: number) => escaped(letters.slice(0, count).join(''));
  const last = (count: number) => escaped(letters.slice(-count).join(''));
  return [
    // The space makes the trigram index match only beginnings of words.
    { inText: `% ${first(half)}%`, inWord: `${first(half)}%` },
    { inText: `%${last(half)}%`, inWord: `%${last(half)}%` },
    { inText: `% ${first(third)}%${last(third)} %`, inWord: `${first(third)}%${last(third)}` },
  ].filter(({ inText }) => isIndexed(inText));
}

interface WordsShape {
  of: Searched;
  parts: number;
  within: Fragment<Condition> | undefined;
}

const wordsStatement = statement<WordsShape, { word: string }>(
  ({ of, parts, within }, param) => {
    const text = searchedText(of, { isLimited: within !== undefined, param });
    const places = [...Array(parts).keys()];
    const order = within === undefined ? sql`` : sql`order by uuid_hash(id), id`;
    // Hidden from the planner: for an unknown pattern it always uses the index.
    const sampled = places.map(
      (index) => sql`(
        select ${text} as search_text from ${sql.table(of.table)} where search_text like (select ${param(`text ${index}`)})${andMeets(within, param)}
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

/** Chosen by a hash of the ID, so that records out of the limit don't influence which are read. */
async function candidatesFor(
  db: Kysely<Database>,
  searched: Searched,
  { word, limit }: { word: string; limit: OfficeLimit | undefined },
): Promise<string[]> {
  const parts = partsOf(word);
  if (parts.length === 0) return [];
  const within = limitFilter(searched, limit);
  const values = parts.flatMap(({ inText, inWord }, index) => [
    [`text ${index}`, inText],
    [`word ${index}`, inWord],
  ]);
  const letters = Array.from(word).length;
  const words = wordsStatement({ of: searched, parts: parts.length, within: within?.condition });
  const rows = await words.execute(db, { ...Object.fromEntries(values), letters, ...within?.values });
  return rows.map((row) => row.word);
}

function isCandidate(word: string, other: string): boolean {
  const half = Math.ceil(word.length / 2);
  const third = Math.max(2, Math.floor(word.length / 3));
  return (
    other.startsWith(word.slice(0, half)) ||
    other.includes(word.slice(-half)) ||
    (other.startsWith(word.slice(0, third)) && other.endsWith(word.slice(-third)))
  );
}

/** The most similar word, the more frequent of two; the word itself if it is the beginning of one. */
function nearest(word: string, words: Iterable<[text: string, count: number]>): WordForm | undefined {
  const max = typosMax(Array.from(word).length);
  const [best] = [...words]
    .filter(([text]) => isCandidate(word, text) && isSpelt(text))
    .map(([text, count]) => ({ text, count, distance: typosBetween(word, text) }))
    .filter(({ distance }) => distance <= max)
    .sort((a, b) => a.distance - b.distance || b.count - a.count || (a.text < b.text ? -1 : 1));
  return best && { text: best.distance === 0 ? word : best.text, distance: best.distance };
}

function canHaveTypos(word: string, index: number): boolean {
  const { length } = Array.from(word);
  return index < CORRECTED_MAX && length >= LETTERS_MIN && length <= LETTERS_MAX && isSpelt(word);
}

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
 * The similar word to search instead of each word, or null; undefined if there are none. Looks in the sampled
 * vocabulary first, which has the frequent names, and then in a limited number of records with a part of the
 * word. A rare word among many with the same beginning and end can be missed. Under a limit the sample is not
 * used, because it is of all records.
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

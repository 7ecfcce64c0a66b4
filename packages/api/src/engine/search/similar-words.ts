import { type Database, type Fragment, statement } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { OfficeLimit } from '../office-limit.ts';
import type { Condition } from '../sql/filter.ts';
import { andMeets, limitFilter, searchedText } from '../sql/limited-rows.ts';
import { escaped, hasTrigram, type Searched, type SearchTerm, type WordForm } from './search.ts';

/** Words from this length on can have one typo, and from the second length on two. */
const LETTERS_MIN = 4;
const TWO_TYPOS_MIN = 8;
const LETTERS_MAX = 30;

const CORRECTED_MAX = 3;

/** Of one word. Each costs a look at the index. */
export const FORMS_MAX = 8;

const SAMPLED_MAX = 200;

/** Parts of family names that are often mistaken for each other or left out, folded. */
const PARTICLES = new Set(
  'AF AL AV BIN D DA DAS DE DEL DELLA DEN DER DI DO DOS DU EL IBN LA LE TEN TER VAN VOM VON ZU ZUM ZUR'.split(
    ' ',
  ),
);

const isSpelt = (word: string) => /^[\p{L}\p{M}]+$/u.test(word);

/** Whether the trigram index supports the pattern; otherwise it would be read in full. */
const isIndexed = (pattern: string) => /\p{L}{3}|% \p{L}/u.test(pattern);

const typosMax = (length: number) => (length >= TWO_TYPOS_MIN ? 2 : 1);

/** Optimal string alignment with every beginning of a word: at each place the typos up to there. */
function typosByLength(typed: string, word: string): number[] {
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
  return last;
}

/** The typos of a word, whose rest may not have been typed yet. */
export const typosBetween = (typed: string, word: string) => Math.min(...typosByLength(typed, word));

/** The word if it has no more typos than its beginnings have; otherwise the longest such beginning. */
function similarForm(typed: string, word: string): WordForm {
  const typos = typosByLength(typed, word);
  const distance = Math.min(...typos);
  const text = Array.from(word).slice(0, typos.lastIndexOf(distance)).join('');
  return { text, distance };
}

/**
 * A word with few typos shares one: the beginning, the end, or both without the middle. A short one with two
 * letters exchanged may share none, so there each exchange is a part.
 */
export function partsOf(word: string): { inText: string; inWord: string }[] {
  const letters = Array.from(word);
  const half = Math.ceil(letters.length / 2);
  const third = Math.max(2, Math.floor(letters.length / 3));
  const first = (count: number) => escaped(letters.slice(0, count).join(''));
  const last = (count: number) => escaped(letters.slice(-count).join(''));
  const isShort = letters.length <= LETTERS_MIN;
  const swaps = letters.slice(1).map((letter, at) => {
    const swapped = [...letters.slice(0, at), letter, letters[at] ?? '', ...letters.slice(at + 2)];
    return escaped(swapped.join(''));
  });
  return [
    // The space makes the trigram index match only beginnings of words.
    { inText: `% ${first(half)}%`, inWord: `${first(half)}%` },
    { inText: `%${last(half)}%`, inWord: `%${last(half)}%` },
    { inText: `% ${first(third)}%${last(third)} %`, inWord: `${first(third)}%${last(third)}` },
    ...(isShort ? [{ inText: `% ${first(1)}%${last(2)} %`, inWord: `${first(1)}%${last(2)}` }] : []),
    ...(isShort ? swaps.map((swap) => ({ inText: `% ${swap}%`, inWord: `${swap}%` })) : []),
  ].filter(({ inText }) => isIndexed(inText));
}

interface WordsShape {
  of: Searched;
  parts: number;
  /** The number of other words that the records have. */
  others: number;
  within: Fragment<Condition> | undefined;
}

const wordsStatement = statement<WordsShape, { word: string }>(
  ({ of, parts, others, within }, param) => {
    const text = searchedText(of, { isLimited: within !== undefined, param });
    const places = [...Array(parts).keys()];
    const beside = [...Array(others).keys()].map(
      (index) => sql`
        and search_text like (select ${param(`other pattern ${index}`)}) and strpos(${text}, (select ${param(`other ${index}`)})) > 0`,
    );
    const order = within === undefined ? sql`` : sql`order by id`;
    // Hidden from the planner, which for an unknown pattern always uses the index, as is best for several words. But to read all records
    // with a frequent part, only to sort them, takes seconds.
    const patternOf = (name: string) =>
      within === undefined || others > 0 ? sql`(select ${param(name)})` : param(name);
    const sampled = places.map(
      (index) => sql`(
        select ${text} as search_text from ${sql.table(of.table)} where search_text like ${patternOf(`text ${index}`)}${sql.join(beside, sql``)}${andMeets(within, param)}
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

interface Misspelt {
  word: string;
  /** Words that the records must have too. */
  others: string[];
  limit: OfficeLimit | undefined;
}

/** In the order of their IDs if access is limited, so that records out of the limit don't influence which are read. */
async function candidatesFor(
  db: Kysely<Database>,
  searched: Searched,
  { word, others, limit }: Misspelt,
): Promise<string[]> {
  const parts = partsOf(word);
  if (parts.length === 0) return [];
  const within = limitFilter(searched, limit);
  const values = parts.flatMap(({ inText, inWord }, index) => [
    [`text ${index}`, inText],
    [`word ${index}`, inWord],
  ]);
  const beside = others.flatMap((other, index) => [
    [`other pattern ${index}`, `%${escaped(other)}%`],
    [`other ${index}`, other],
  ]);
  const letters = Array.from(word).length;
  const shape = { of: searched, parts: parts.length, others: others.length, within: within?.condition };
  const rows = await wordsStatement(shape).execute(db, {
    ...Object.fromEntries([...values, ...beside]),
    letters,
    ...within?.values,
  });
  return rows.map((row) => row.word);
}

/** Those of the least distance, which does not depend on how frequent they are; none of which is the word. */
function nearest(word: string, words: readonly string[]): WordForm[] {
  const max = typosMax(Array.from(word).length);
  const forms = words.filter(isSpelt).map((other) => ({ ...similarForm(word, other), other }));
  const least = Math.min(max + 1, ...forms.map(({ distance }) => distance));
  if (least > max) return [];
  const texts = new Map<string, { isWhole: boolean }>();
  for (const { text, distance, other } of forms) {
    if (distance !== least) continue;
    texts.set(text, { isWhole: text === other || texts.get(text)?.isWhole === true });
  }
  const [initial] = Array.from(word);
  const rankOf = (text: string, isWhole: boolean) =>
    (isWhole ? 0 : 2) + (initial !== undefined && text.startsWith(initial) ? 0 : 1);
  return [...texts]
    .map(([text, { isWhole }]) => ({ text, rank: rankOf(text, isWhole) }))
    .sort((a, b) => a.rank - b.rank || (a.text < b.text ? -1 : 1))
    .slice(0, FORMS_MAX)
    .map(({ text }) => ({ text, distance: least }));
}

function canHaveTypos(word: string): boolean {
  const { length } = Array.from(word);
  return length >= LETTERS_MIN && length <= LETTERS_MAX && isSpelt(word);
}

const knownStatement = statement<Pick<WordsShape, 'of' | 'within'>, { is_known: boolean }>(
  ({ of, within }, param) => sql`
    select exists (
      select from ${sql.table(of.table)}
      where search_text like (select ${param('pattern')})${andMeets(within, param)}
        and strpos(${searchedText(of, { isLimited: within !== undefined, param })}, ${param('word')}) > 0
    ) as is_known`,
  { isReadOnly: true },
);

/** Whether a record has the word as it is. */
async function isKnown(
  db: Kysely<Database>,
  searched: Searched,
  { word, limit }: Misspelt,
): Promise<boolean> {
  const within = limitFilter(searched, limit);
  const whole = ` ${word} `;
  const values = { pattern: `%${escaped(whole)}%`, word: whole, ...within?.values };
  const [row] = await knownStatement({ of: searched, within: within?.condition }).execute(db, values);
  return row?.is_known === true;
}

/** In records with the other words, as long as one has a similar word; otherwise in all, unless one has the word itself. */
async function similarTo(
  db: Kysely<Database>,
  searched: Searched,
  misspelt: Misspelt,
): Promise<WordForm[] | null> {
  const { word, others } = misspelt;
  const find = async (beside: string[]) => {
    const found = nearest(word, await candidatesFor(db, searched, { ...misspelt, others: beside }));
    return found.length === 0 || found[0]?.distance === 0 ? null : found;
  };
  const beside = others.length === 0 ? null : await find(others);
  if (beside !== null || (await isKnown(db, searched, misspelt))) return beside;
  return find([]);
}

/**
 * The similar words to search instead of each word, or null; none for a particle, which is left out if there
 * are other words. Undefined if nothing is similar. They come from a limited number of records with a part of
 * the word, so a rare word among many with the same beginning and end can be missed.
 */
export async function similarWords(
  db: Kysely<Database>,
  searched: Searched,
  { terms, limit }: { terms: SearchTerm[]; limit: OfficeLimit | undefined },
): Promise<(WordForm[] | null)[] | undefined> {
  const words = terms.map(([form]) => form?.text ?? '');
  const named = words.filter((word) => !PARTICLES.has(word));
  if (!named.some(canHaveTypos)) return undefined;
  const corrected = new Set(named.filter(canHaveTypos).slice(0, CORRECTED_MAX));
  const similar = await Promise.all(
    words.map((word) => {
      if (PARTICLES.has(word)) return [];
      const others = named.filter((other) => other !== word && hasTrigram(other));
      return corrected.has(word) ? similarTo(db, searched, { word, others, limit }) : null;
    }),
  );
  return similar.some((word) => word !== null) ? similar : undefined;
}

import { compileOnce, type Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Param } from '../write/column-mapping.ts';
import type { Filter } from './filter.ts';

/** Words of a search that count at most; each is a condition that PostgreSQL checks for every row it looks at. */
export const SEARCH_WORDS_MAX = 8;

/**
 * The words of a search, longest first, in their compatibility forms, because some of those become a wildcard. A word that
 * is repeated, or contained in another one ignoring case, is left out: what contains the other contains it too.
 */
export function searchWords(text: string): string[] {
  const words = text
    .normalize('NFKC')
    .split(/\s+/)
    .filter((word) => word !== '')
    .sort((a, b) => b.length - a.length);
  const kept = new Map<string, string>();
  for (const word of words) {
    const upper = word.toUpperCase();
    if (![...kept.keys()].some((other) => other.includes(upper))) kept.set(upper, word);
  }
  return [...kept.values()];
}

const upperOf = compileOnce<{ text: string }, { folded: string }>(
  (param) => sql`select upper(${param('text')}::text collate "und-x-icu") as folded`,
  { isReadOnly: true },
);

const isAscii = (text: string) => /^[\x21-\x7e ]*$/.test(text);

/**
 * The words of a search in capitals, as the searched column is. It happens once, before the search: as a part of
 * its condition PostgreSQL would do it again for each row as soon as one plan serves all values. Of letters beyond ASCII
 * the database knows the capitals, whose version of Unicode made those of the column.
 */
export async function foldedWords(db: Kysely<Database>, text: string): Promise<string[]> {
  const words = searchWords(text).join(' ');
  if (isAscii(words)) return words.toUpperCase().split(' ');
  const [row] = await upperOf.execute(db, { text: words });
  if (row === undefined) throw new Error('a select without a table is one row');
  return row.folded.split(' ');
}

type Lookup = (param: RawBuilder<unknown>) => RawBuilder<boolean>;
const like: Lookup = (param) => sql`search_text like ${param}`;
const contains: Lookup = (param) => sql`strpos(search_text, ${param}) > 0`;

/** That these parts occur, one after another. */
function patternOf(parts: string[]): string {
  return `%${parts.map((part) => part.replaceAll(/[\\%_]/g, '\\$&')).join('%')}%`;
}

/** Words up to this length are looked up whole; of a longer one, so much of its beginning and its end. */
const WHOLE_MAX = 5;
const EDGE = 3;

/** The trigram index knows letters and digits in threes; asked for a word without any, it would be read from end to end. */
const hasTrigram = (word: string) => /[\p{L}\p{M}\p{N}]{3}/u.test(word);

function lookupsOf(word: string): { by: Lookup; value: string }[] {
  if (!hasTrigram(word)) return [{ by: contains, value: word }];
  const letters = Array.from(word);
  if (letters.length <= WHOLE_MAX) return [{ by: like, value: patternOf([word]) }];
  const ends = [letters.slice(0, EDGE).join(''), letters.slice(-EDGE).join('')];
  return [
    { by: like, value: patternOf(ends) },
    { by: contains, value: word },
  ];
}

/**
 * Every word, in capitals, has to occur somewhere in the folded text. The trigram index looks up all threes of letters it
 * is given, and those inside a word seldom leave out a row that both its ends let pass: so the index is asked for the
 * ends, which takes it half the time, and the rows it finds for the word.
 */
export function fullText(words: string[]): Filter {
  const named = words.flatMap(lookupsOf).map((lookup, index) => ({ ...lookup, name: `q ${index}` }));
  return {
    shape: named.map(({ by }) => (by === like ? 'l' : 'c')).join(''),
    condition: (param: Param) =>
      sql`${sql.join(
        named.map(({ by, name }) => by(param(name))),
        sql` and `,
      )}`,
    values: Object.fromEntries(named.map(({ name, value }) => [name, value])),
  };
}

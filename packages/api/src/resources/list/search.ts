import { compiledVariants, type Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Param } from '../write/column-mapping.ts';
import type { Filter } from './filter.ts';
import { unaccented } from './folding.ts';

/** Words of a search that count at most; each is a condition that PostgreSQL checks for every row it looks at. */
export const SEARCH_WORDS_MAX = 8;

/** One form of a word that is searched, in capitals. */
export interface WordForm {
  text: string;
  /** The typos between it and the word. */
  distance: number;
}

/** A word of a search: any of its forms will do. */
export type SearchTerm = WordForm[];

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

/** What a search needs to know of the table. */
interface Searched {
  table: string;
  materialized?: { isStale: RawBuilder<boolean> };
}

const upperOf = compiledVariants<{ folded: string; hasStale: boolean }>({ isReadOnly: true });

const isAscii = (text: string) => /^[\x21-\x7e ]*$/.test(text);

/** A word without accents; also with them if there are rows of another release, which may have only those. */
function termOf(capitals: string, hasStale: boolean): SearchTerm {
  const forms = new Set([unaccented(capitals) || capitals, ...(hasStale ? [capitals] : [])]);
  return [...forms].map((text) => ({ text, distance: 0 }));
}

/**
 * The words of a search in capitals, as the searched column is. It happens once, before the search: as a part of
 * its condition PostgreSQL would do it again for each row as soon as one plan serves all values. Of letters beyond ASCII
 * the database knows the capitals, whose version of Unicode made those of the column.
 */
export async function searchTerms(
  db: Kysely<Database>,
  { table, materialized }: Searched,
  text: string,
): Promise<SearchTerm[]> {
  const words = searchWords(text).join(' ');
  if (isAscii(words))
    return words
      .toUpperCase()
      .split(' ')
      .map((word) => termOf(word, false));
  const hasStale =
    materialized === undefined
      ? sql`false`
      : sql`exists (select from ${sql.table(table)} where ${materialized.isStale})`;
  const statement = upperOf(
    table,
    (param) =>
      sql`select upper(${param('text')}::text collate "und-x-icu") as folded, ${hasStale} as "hasStale"`,
  );
  const [row] = await statement.execute(db, { text: words });
  if (row === undefined) throw new Error('a select without a table is one row');
  return row.folded.split(' ').map((word) => termOf(word, row.hasStale));
}

type Lookup = (param: RawBuilder<unknown>) => RawBuilder<boolean>;
const like: Lookup = (param) => sql`search_text like ${param}`;
const contains: Lookup = (param) => sql`strpos(search_text, ${param}) > 0`;

/** A text in a pattern of LIKE, as the characters it has. */
export const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/** The trigram index knows letters and digits in threes; asked for a word without any, it would be read from end to end. */
const hasTrigram = (word: string) => /[\p{L}\p{M}\p{N}]{3}/u.test(word);

function lookupOf(word: string): { by: Lookup; value: string } {
  return hasTrigram(word) ? { by: like, value: `%${escaped(word)}%` } : { by: contains, value: word };
}

/**
 * Of every word a form has to occur somewhere in the folded text. The whole word is the pattern: PostgreSQL then knows that a
 * mistyped word is rare, and does not read the list in its order until the page is full, which it never would be.
 */
export function fullText(terms: SearchTerm[]): Filter {
  let count = 0;
  const named = terms.map((forms) =>
    forms.map(({ text }) => {
      count += 1;
      return { ...lookupOf(text), name: `q ${count - 1}` };
    }),
  );
  return {
    shape: named.map((forms) => forms.map(({ by }) => (by === like ? 'l' : 'c')).join('|')).join(),
    condition: (param: Param) => {
      const conditions = named.map((forms) => {
        const each = forms.map(({ by, name }) => by(param(name)));
        return each.length === 1 ? sql`${each[0]}` : sql`(${sql.join(each, sql` or `)})`;
      });
      return sql`${sql.join(conditions, sql` and `)}`;
    },
    values: Object.fromEntries(named.flat().map(({ name, value }) => [name, value])),
  };
}

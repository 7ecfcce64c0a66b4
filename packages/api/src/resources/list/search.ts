import { compiledVariants, type Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { OfficeLimit } from '../../access/office-limit.ts';
import { andMeets, type Limitable, limitFilter } from '../limited-rows.ts';
import type { Param } from '../write/column-mapping.ts';
import type { Filter } from './filter.ts';
import { unaccented } from './folding.ts';
import { type Vocabulary, vocabularyUnlessBusy } from './vocabulary.ts';

/** Words of a search that count at most; each is a condition that PostgreSQL checks for every row it looks at. */
export const SEARCH_WORDS_MAX = 8;

/** One form of a word that is searched, in capitals. */
export interface WordForm {
  text: string;
  /** The typos between it and the word. */
  distance: number;
  /** How many words with this beginning a record has on average, by a sample; absent if that is not known. */
  share?: number | undefined;
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
export interface Searched extends Limitable {
  table: string;
  materialized?: { isStale: RawBuilder<boolean> };
}

const upperOf = compiledVariants<{ folded: string; hasStale: boolean }>({ isReadOnly: true });

const isAscii = (text: string) => /^[\x21-\x7e ]*$/.test(text);

/** A word without accents; also with them if there are rows of another release, which may have only those. */
function termOf(
  capitals: string,
  { hasStale, vocabulary }: { hasStale: boolean; vocabulary: Vocabulary | undefined },
): SearchTerm {
  const forms = new Set([unaccented(capitals) || capitals, ...(hasStale ? [capitals] : [])]);
  return [...forms].map((text) => ({ text, distance: 0, share: vocabulary?.shareOf(text) }));
}

/**
 * The words of a search in capitals, as the searched column is. It happens once, before the search: as a part of
 * its condition PostgreSQL would do it again for each row as soon as one plan serves all values. Of letters beyond ASCII
 * the database knows the capitals, whose version of Unicode made those of the column.
 */
export async function searchTerms(
  db: Kysely<Database>,
  searched: Searched,
  { text, limit }: { text: string; limit: OfficeLimit | undefined },
): Promise<SearchTerm[]> {
  const { table, materialized } = searched;
  const words = searchWords(text).join(' ');
  // It is of all records, also those that a limit hides: it decides how a search is read, and never what it finds.
  const vocabulary = await vocabularyUnlessBusy(db, table);
  if (isAscii(words))
    return words
      .toUpperCase()
      .split(' ')
      .map((word) => termOf(word, { hasStale: false, vocabulary }));
  const within = limitFilter(searched, limit);
  const statement = upperOf([table, within?.shape].join(' '), (param) => {
    const hasStale =
      materialized === undefined
        ? sql`false`
        : sql`exists (select from ${sql.table(table)} where ${materialized.isStale}${andMeets(within, param)})`;
    return sql`select upper(${param('text')}::text collate "und-x-icu") as folded, ${hasStale} as "hasStale"`;
  });
  const [row] = await statement.execute(db, { text: words, ...within?.values });
  if (row === undefined) throw new Error('a select without a table is one row');
  return row.folded.split(' ').map((word) => termOf(word, { hasStale: row.hasStale, vocabulary }));
}

/** A text in a pattern of LIKE, as the characters it has. */
export const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/** The trigram index knows letters and digits in threes; asked for a word without any, it would be read from end to end. */
const hasTrigram = (word: string) => /[\p{L}\p{M}\p{N}]{3}/u.test(word);

/** Letters at each end of a word that the index is asked for, if there are some between them. */
const END = 3;

/** A word that so many records have is sooner found by reading the table than by reading the index for it. */
const FREQUENT = 0.02;

/** How a search is read. */
export interface Reading {
  /** Whether any matches will do, so that the table can be read until there are enough of them. */
  isRanked: boolean;
  /** Whether the records of some offices alone are searched, which can be read for a word that many records have. */
  isLimited?: boolean;
}

/** The patterns of LIKE, and the words that have to be somewhere in the text, that find a form of a word. */
function lookupOf(
  { text, distance, share = 0 }: WordForm,
  isScanned: boolean,
): { like: string[]; contained: string[] } {
  if (!hasTrigram(text) || (isScanned && share >= FREQUENT)) return { like: [], contained: [text] };
  // The planner may take the ends of a word that is in records for the word: there are fewer trigrams to read.
  const letters = Array.from(text);
  const ends = [letters.slice(0, END), letters.slice(-END)].map((end) => end.join(''));
  const isKnown = distance > 0 || share > 0;
  if (isKnown && letters.length > 2 * END && ends.every(hasTrigram)) {
    return { like: [`%${ends.map(escaped).join('%')}%`], contained: [text] };
  }
  return { like: [`%${escaped(text)}%`], contained: [] };
}

/**
 * Of every word a form has to occur somewhere in the folded text. The pattern of a word that may be in no record is all of it:
 * PostgreSQL then knows that it is rare, and does not read the list in its order until the page is full, which it never would be.
 */
export function fullText({ terms, isRanked, isLimited = false }: { terms: SearchTerm[] } & Reading): Filter {
  const isScanned = isLimited || (isRanked && terms.length === 1);
  const values: Record<string, string> = {};
  const named = (value: string) => {
    const name = `q ${Object.keys(values).length}`;
    values[name] = value;
    return name;
  };
  const lookups = terms.map((forms) =>
    forms.map((form) => {
      const { like, contained } = lookupOf(form, isScanned);
      return { like: like.map(named), contained: contained.map(named) };
    }),
  );
  const shapeOf = ({ like, contained }: { like: string[]; contained: string[] }) =>
    'l'.repeat(like.length) + 'c'.repeat(contained.length);
  return {
    shape: lookups.map((forms) => forms.map(shapeOf).join('|')).join(),
    condition: (param: Param) => {
      const conditions = lookups.map((forms) => {
        const each = forms.map(({ like, contained }) =>
          sql.join(
            [
              ...like.map((name) => sql`search_text like ${param(name)}`),
              ...contained.map((name) => sql`strpos(search_text, ${param(name)}) > 0`),
            ],
            sql` and `,
          ),
        );
        return each.length === 1 ? sql`${each[0]}` : sql`(${sql.join(each, sql` or `)})`;
      });
      return sql`${sql.join(conditions, sql` and `)}`;
    },
    values,
  };
}

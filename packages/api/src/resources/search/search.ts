import { compiledVariants, type Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Fields } from '../fields/field.ts';
import { unaccented } from '../folding.ts';
import type { OfficeLimit } from '../office-limit.ts';
import type { Param } from '../sql/column-mapping.ts';
import type { Filter } from '../sql/filter.ts';
import { andMeets, type Limitable, limitFilter } from '../sql/limited-rows.ts';
import {
  matchesTelephone,
  parseTelephoneSearch,
  type TelephoneSearch,
  telephoneValues,
} from './telephone-search.ts';
import { type Vocabulary, vocabularyUnlessBusy } from './vocabulary.ts';

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

/** The words of a search, folded, and those of a sample of records, if they are known. */
export interface Search {
  terms: SearchTerm[];
  vocabulary: Vocabulary | undefined;
  /** The search as a telephone, if it can be read as one; records with it are found too. */
  telephone?: TelephoneSearch | undefined;
}

/** A table that can be searched. */
export interface Searched extends Limitable {
  table: string;
  materialized?: { isStale: RawBuilder<boolean> };
  /** The fields of its records. */
  fields?: Fields;
}

const upperOf = compiledVariants<{ folded: string; hasStale: boolean }>({ isReadOnly: true });

const isAscii = (text: string) => /^[\x21-\x7e ]*$/.test(text);

/** A word without accents; also with them if there are rows of another release, which may have only those. */
function termOf(capitals: string, { hasStale }: { hasStale: boolean }): SearchTerm {
  const forms = new Set([unaccented(capitals) || capitals, ...(hasStale ? [capitals] : [])]);
  return [...forms].map((text) => ({ text, distance: 0 }));
}

/**
 * The words of a search in capitals, as the searched column is. It happens once, before the search: as a part of
 * its condition PostgreSQL would do it again for each row as soon as one plan serves all values. Of letters beyond ASCII
 * the database knows the capitals, whose version of Unicode made those of the column.
 */
async function searchTerms(
  db: Kysely<Database>,
  searched: Searched,
  { text, limit }: { text: string; limit: OfficeLimit | undefined },
): Promise<SearchTerm[]> {
  const { table, materialized } = searched;
  const words = searchWords(text).join(' ');
  if (isAscii(words)) {
    const capitals = words.toUpperCase().split(' ');
    return capitals.map((word) => termOf(word, { hasStale: false }));
  }
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
  return row.folded.split(' ').map((word) => termOf(word, { hasStale: row.hasStale }));
}

/** A search of the records of a table for a text. */
export async function searchFor(
  db: Kysely<Database>,
  searched: Searched,
  of: { text: string; limit: OfficeLimit | undefined },
): Promise<Search> {
  // It is of all records, also those that a limit hides: it decides how a search is read, and never what it finds.
  const vocabulary = await vocabularyUnlessBusy(db, searched.table);
  const telephone = parseTelephoneSearch(of.text, searched.fields);
  return { terms: await searchTerms(db, searched, of), vocabulary, telephone };
}

/** A text in a pattern of LIKE, as the characters it has. */
export const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/** The trigram index knows letters and digits in threes; asked for a word without any, it would be read from end to end. */
const hasTrigram = (word: string) => /[\p{L}\p{M}\p{N}]{3}/u.test(word);

/** A word that so many records have is sooner found by reading the table than by reading the index for it. */
const FREQUENT = 0.02;

/** The way in which a search reads its matches. */
export interface Reading {
  /** Whether any matches will do, so that the table can be read until there are enough of them. */
  isRanked: boolean;
  /** Whether the records of some offices alone are searched, which can be read for a word that many records have. */
  isLimited?: boolean;
}

/** The conditions that find the rows with a form of a word. */
interface Lookup {
  /** A pattern of LIKE, which the index is asked for. */
  pattern?: string;
  /** A text that has to be somewhere in the searched one, if the pattern does not say it or there is none. */
  contained?: string;
}

/** The three letters that stand for a form of a word that records are known to have. */
function rarestOf({ text, distance }: WordForm, vocabulary: Vocabulary | undefined): string | undefined {
  const isKnown = distance > 0 || (vocabulary?.shareOf(text) ?? 0) > 0;
  return isKnown ? vocabulary?.rarestIn(text) : undefined;
}

/**
 * The lookups of each form of each word. Where the index is asked for several words, it is asked for the rarest three letters of each
 * known one: the others would exclude few rows more, and those that many records have take long to read.
 */
function lookupsOf({ terms, vocabulary, isRanked, isLimited = false }: Search & Reading) {
  const isScanned = isLimited || (isRanked && terms.length === 1);
  const isIndexed = ({ text }: WordForm) =>
    hasTrigram(text) && !(isScanned && (vocabulary?.shareOf(text) ?? 0) >= FREQUENT);
  const areSeveral = terms.filter((forms) => forms.some(isIndexed)).length > 1;
  const lookupOf = (form: WordForm): Lookup => {
    const { text } = form;
    if (!isIndexed(form)) return { contained: text };
    const rarest = areSeveral ? rarestOf(form, vocabulary) : undefined;
    return rarest === undefined
      ? { pattern: `%${escaped(text)}%` }
      : { pattern: `%${rarest}%`, contained: text };
  };
  return { areSeveral, lookups: terms.map((forms) => forms.map(lookupOf)) };
}

/**
 * Of every word a form has to occur somewhere in the folded text. The planner sees the pattern of a word alone: it knows how rare
 * that is, and reads the list in its order until the page is full only if it soon will be. Of several words it would not know
 * how many records have all of them, and always takes the index. Of a search for a telephone, the records with it are found too; if its
 * words are groups of two digits, for which no index can be asked, only those.
 */
export function fullText(search: Search & Reading): Filter {
  const { telephone } = search;
  const isTelephoneAlone =
    telephone !== undefined && !search.terms.some((forms) => forms.some(({ text }) => hasTrigram(text)));
  const { areSeveral, lookups } = lookupsOf(isTelephoneAlone ? { ...search, terms: [] } : search);
  const values: Record<string, string> = {};
  const named = (value: string) => {
    const name = `q ${Object.keys(values).length}`;
    values[name] = value;
    return name;
  };
  const forms = lookups.map((each) =>
    each.map(({ pattern, contained }) => ({
      ...(pattern !== undefined && { pattern: named(pattern) }),
      ...(contained !== undefined && { contained: named(contained) }),
    })),
  );
  const conditionOf = ({ pattern, contained }: Lookup, param: Param) => {
    const patternOf = (name: string) => (areSeveral ? sql`(select ${param(name)})` : param(name));
    const matches = pattern === undefined ? [] : [sql`search_text like ${patternOf(pattern)}`];
    const contains = contained === undefined ? [] : [sql`strpos(search_text, ${param(contained)}) > 0`];
    return sql.join([...matches, ...contains], sql` and `);
  };
  return {
    shape: `${forms.map((each) => each.map((lookup) => Object.keys(lookup).join('+')).join('|')).join()}${telephone ? ' or telephone' : ''}`,
    condition: (param: Param) => {
      const conditions = forms.map((each) => {
        const any = each.map((lookup) => conditionOf(lookup, param));
        return any.length === 1 ? sql`${any[0]}` : sql`(${sql.join(any, sql` or `)})`;
      });
      const words = sql<boolean>`${sql.join(conditions, sql` and `)}`;
      if (telephone === undefined) return words;
      const isSame = matchesTelephone(telephone, param);
      return isTelephoneAlone ? isSame : sql<boolean>`(${words} or ${isSame})`;
    },
    values: telephone === undefined ? values : { ...values, ...telephoneValues(telephone) },
  };
}

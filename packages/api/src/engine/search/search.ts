import { compileOnce, type Database, fragment } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { Fields } from '../fields/field.ts';
import { folded, unaccented, wordsOf } from '../sameness/folding.ts';
import type { Condition, Filter } from '../sql/filter.ts';
import type { Limitable } from '../sql/limited-rows.ts';
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

/** Words, longest first, without those that are repeated or contained in another: what contains the other contains them too. */
function distinctWords(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (const word of words.toSorted((a, b) => b.length - a.length))
    if (!kept.some((other) => other.includes(word))) kept.push(word);
  return kept;
}

/** The number of words of a search that count. */
export const countWords = (text: string) => distinctWords(wordsOf(text).map(folded)).length;

/** The words of a search, folded, and those of a sample of records, if they are known. */
export interface Search {
  terms: SearchTerm[];
  /** All its words in their order, as they were typed. */
  words: string[];
  vocabulary: Vocabulary | undefined;
  /** The search as a telephone, if it can be read as one; records with it are found too. */
  telephone?: TelephoneSearch | undefined;
}

/** A table that can be searched. */
export interface Searched extends Limitable {
  table: string;
  /** The fields of its records. */
  fields?: Fields;
}

const capitalsOf = compileOnce<{ text: string }, { capitals: string }>(
  (param) => sql`select upper(${param('text')}::text collate "und-x-icu") as capitals`,
  { isReadOnly: true },
);

const isAscii = (text: string) => /^[\x21-\x7e ]*$/.test(text);

/**
 * The words of a search as they are in the searched column: in capitals and without accents. It happens once, before the search: as
 * a part of its condition PostgreSQL would do it again for each row as soon as one plan serves all values. Of letters beyond ASCII
 * the database knows the capitals, whose version of Unicode made those of the column.
 */
async function foldedWords(db: Kysely<Database>, text: string): Promise<string[]> {
  const words = wordsOf(text);
  const all = words.join(' ');
  if (isAscii(all)) return words.map((word) => word.toUpperCase());
  const [row] = await capitalsOf.execute(db, { text: all });
  if (row === undefined) throw new Error('a select without a table is one row');
  return row.capitals.split(' ').map((capitals) => unaccented(capitals) || capitals);
}

/** A search of the records of a table for a text. */
export async function searchFor(
  db: Kysely<Database>,
  searched: Pick<Searched, 'table' | 'fields'>,
  text: string,
): Promise<Search> {
  // It is of all records, also those that a limit hides: it decides how a search is read, and never what it finds.
  const vocabulary = await vocabularyUnlessBusy(db, searched.table);
  const words = await foldedWords(db, text);
  const terms = distinctWords(words).map((word) => [{ text: word, distance: 0 }]);
  return { terms, words, vocabulary, telephone: parseTelephoneSearch(text, searched.fields) };
}

/** A search with a similar word instead of some of its terms. */
export function withSimilar(search: Search, similar: (WordForm | null)[] | undefined): Search {
  if (similar === undefined) return search;
  const instead = new Map<string, string>();
  const terms = search.terms.map((forms, index) => {
    const form = similar[index] ?? undefined;
    if (form === undefined) return forms;
    for (const { text } of forms) instead.set(text, form.text);
    return [form];
  });
  return { ...search, terms, words: search.words.map((word) => instead.get(word) ?? word) };
}

/** The names that a search may be the whole of: its words in their order, and beginning at any other, as a family name may be first. */
export function wholeNames({ words }: Pick<Search, 'words'>): string[] {
  if (words.length > SEARCH_WORDS_MAX) return [];
  const names = words.map((_, first) => [...words.slice(first), ...words.slice(0, first)].join(' '));
  return [...new Set(names)];
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

interface TextShape {
  /** Of each form of each word, the names of the parameters that its conditions have. */
  forms: Lookup[][];
  /** Whether the planner must not see the patterns. */
  areSeveral: boolean;
  /** The columns that are telephones, if the search is one for a telephone. */
  telephones: string[] | undefined;
  /** Whether the words are no words but digits of a telephone. */
  isTelephoneAlone: boolean;
  isEmpty: boolean;
}

const hasText = fragment<TextShape, Condition>(
  ({ forms, areSeveral, telephones, isTelephoneAlone, isEmpty }, param) => {
    // A search of punctuation alone has no words, and finds nothing.
    if (isEmpty) return sql`false`;
    const conditionOf = ({ pattern, contained }: Lookup) => {
      const patternOf = (name: string) => (areSeveral ? sql`(select ${param(name)})` : param(name));
      const matches = pattern === undefined ? [] : [sql`search_text like ${patternOf(pattern)}`];
      const contains = contained === undefined ? [] : [sql`strpos(search_text, ${param(contained)}) > 0`];
      return sql.join([...matches, ...contains], sql` and `);
    };
    const conditions = forms.map((each) => {
      const any = each.map(conditionOf);
      return any.length === 1 ? sql`${any[0]}` : sql`(${sql.join(any, sql` or `)})`;
    });
    const words = sql<boolean>`${sql.join(conditions, sql` and `)}`;
    if (telephones === undefined) return words;
    const isSame = matchesTelephone({ columns: telephones }, param);
    return isTelephoneAlone ? isSame : sql`(${words} or ${isSame})`;
  },
);

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
  const isEmpty = search.terms.length === 0;
  return {
    condition: hasText({ forms, areSeveral, telephones: telephone?.columns, isTelephoneAlone, isEmpty }),
    values: telephone === undefined ? values : { ...values, ...telephoneValues(telephone) },
  };
}

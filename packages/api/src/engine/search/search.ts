import { compileOnce, type Database, fragment } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { columnOf } from '../fields/columns.ts';
import { type Fields, telephoneNames } from '../fields/field.ts';
import { folded, foldedSql, splitWords, wordsOf } from '../sameness/folding.ts';
import type { Param } from '../sql/column-mapping.ts';
import type { Condition, Filter } from '../sql/filter.ts';
import { type Limitable, searchedText } from '../sql/limited-rows.ts';
import { type Vocabulary, vocabularyUnlessBusy } from './vocabulary.ts';

/** PostgreSQL checks each word as a condition on every row it looks at. */
export const SEARCH_WORDS_MAX = 8;

export interface WordForm {
  text: string;
  distance: number;
}

export type SearchTerm = WordForm[];

/** Without words that are part of another: a text that contains the longer one contains both. */
function distinctWords(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (const word of words.toSorted((a, b) => b.length - a.length))
    if (!kept.some((other) => other.includes(word))) kept.push(word);
  return kept;
}

export const countWords = (text: string) => distinctWords(wordsOf(text).map(folded)).length;

/** The folded words of a search, and the vocabulary of a sample of records if loaded. */
export interface Search {
  /** The searched table. */
  of: Limitable;
  terms: SearchTerm[];
  words: string[];
  vocabulary: Vocabulary | undefined;
  /** The search as a telephone number, if it can be one. Records with that number match too. */
  telephone?: TelephoneSearch | undefined;
}

export interface Searched extends Limitable {
  table: string;
  fields?: Fields;
}

const foldedOf = compileOnce<{ text: string }, { folded: string }>(
  (param) => sql`
    select ${sql.raw(foldedSql('given'))} as folded from (select ${param('text')}::text as given) as search`,
  { isReadOnly: true, lane: 'keys' },
);

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);

/** In the database, which folds the searched column in the same way, and once instead of for each row. */
async function foldedWords(db: Kysely<Database>, text: string): Promise<string[]> {
  if (isAscii(text)) return wordsOf(text).map((word) => word.toUpperCase());
  const [row] = await foldedOf.execute(db, { text });
  if (row === undefined) throw new Error('a select without a table is one row');
  return splitWords(row.folded);
}

export async function searchFor(db: Kysely<Database>, searched: Searched, text: string): Promise<Search> {
  // Includes records out of the limit: the vocabulary affects how a search is read, never its results.
  const vocabulary = await vocabularyUnlessBusy(db, searched.table);
  const words = await foldedWords(db, text);
  const terms = distinctWords(words).map((word) => [{ text: word, distance: 0 }]);
  return { of: searched, terms, words, vocabulary, telephone: parseTelephoneSearch(text, searched.fields) };
}

/** A word that has no similar words, but an empty list of them, is left out. */
export function withSimilar(search: Search, similar: (WordForm[] | null)[] | undefined): Search {
  if (similar === undefined) return search;
  const instead = new Map<string, string>();
  const terms = search.terms.flatMap((forms, index) => {
    const others = similar[index] ?? forms;
    const [best] = others;
    for (const { text } of forms) if (best !== undefined) instead.set(text, best.text);
    return best === undefined ? [] : [others];
  });
  return { ...search, terms, words: search.words.map((word) => instead.get(word) ?? word) };
}

/** Names the search can equal: its words in order, and rotated, as a family name may come first. */
export function wholeNames({ words }: Pick<Search, 'words'>): string[] {
  if (words.length > SEARCH_WORDS_MAX) return [];
  const names = words.map((_, first) => [...words.slice(first), ...words.slice(0, first)].join(' '));
  return [...new Set(names)];
}

export const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/** The trigram index needs three letters or digits in a row; without, it would be read in full. */
export const hasTrigram = (word: string) => /[\p{L}\p{M}\p{N}]{3}/u.test(word);

/** Whether only the records of some offices are searched. */
export interface Reading {
  isLimited?: boolean;
}

interface Lookup {
  pattern?: string;
  contained?: string;
}

function rarestOf({ text, distance }: WordForm, vocabulary: Vocabulary | undefined): string | undefined {
  return distance > 0 || vocabulary?.has(text) ? vocabulary?.rarestIn(text) : undefined;
}

/** Of several words, only the rarest letters of known ones: to look for all letters of each takes three times as long. */
function lookupsOf({ of, terms, vocabulary, isLimited = false }: Search & Reading) {
  const isPartlySeen = isLimited && of.textWithin !== undefined;
  const areSeveral = terms.filter((forms) => forms.some(({ text }) => hasTrigram(text))).length > 1;
  const lookupOf = (form: WordForm): Lookup => {
    const { text } = form;
    if (!hasTrigram(text)) return { contained: text };
    const rarest = areSeveral ? rarestOf(form, vocabulary) : undefined;
    if (rarest !== undefined) return { pattern: `%${rarest}%`, contained: text };
    return { pattern: `%${escaped(text)}%`, ...(isPartlySeen && { contained: text }) };
  };
  return { areSeveral, lookups: terms.map((forms) => forms.map(lookupOf)) };
}

interface TextShape {
  /** The table, if only a part of the searched text may be seen. */
  within: Limitable | undefined;
  forms: Lookup[][];
  areSeveral: boolean;
  telephones: string[] | undefined;
  isTelephoneAlone: boolean;
  isEmpty: boolean;
}

const hasText = fragment<TextShape, Condition>(
  ({ within, forms, areSeveral, telephones, isTelephoneAlone, isEmpty }, param) => {
    // A search of only punctuation finds nothing.
    if (isEmpty) return sql`false`;
    const text = within && searchedText(within, { isLimited: true, param });
    const conditionOf = ({ pattern, contained }: Lookup) => {
      const patternOf = (name: string) => (areSeveral ? sql`(select ${param(name)})` : param(name));
      const matches = pattern === undefined ? [] : [sql`search_text like ${patternOf(pattern)}`];
      const contains =
        contained === undefined
          ? []
          : [sql`strpos(${text ?? sql.ref('search_text')}, ${param(contained)}) > 0`];
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
 * A form of every word must occur in the folded text. The planner sees a single word's pattern: it estimates
 * how rare it is, and reads the list in order only if that soon fills the page. It can't estimate several
 * words together, so those always use the index. A search for a telephone also matches records with that
 * number; if its groups have two digits, which no index supports, only those.
 */
export function fullText(search: Search & Reading): Filter {
  const { telephone } = search;
  const isTelephoneAlone =
    telephone !== undefined && !search.terms.some((forms) => forms.some(({ text }) => hasTrigram(text)));
  const { areSeveral, lookups } = lookupsOf(isTelephoneAlone ? { ...search, terms: [] } : search);
  const within = search.isLimited && search.of.textWithin !== undefined ? search.of : undefined;
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
    condition: hasText({
      within,
      forms,
      areSeveral,
      telephones: telephone?.columns,
      isTelephoneAlone,
      isEmpty,
    }),
    values: telephone === undefined ? values : { ...values, ...telephoneValues(telephone) },
  };
}

/** The digits needed for a telephone search. The index has this many last digits of each number. */
const DIGITS_MIN = 7;

interface TelephoneSearch {
  columns: string[];
  digits: string;
  national: string;
}

function parseTelephoneSearch(text: string, fields: Fields | undefined): TelephoneSearch | undefined {
  const trimmed = text.normalize('NFKC').trim();
  if (fields === undefined || !/^\+?[\d\s().\-‐–/]+$/.test(trimmed)) return undefined;
  const digits = trimmed.replaceAll(/\D/g, '').replace(/^0+/, '');
  const columns = telephoneNames({ fields }).map(columnOf);
  if (digits.length < DIGITS_MIN || columns.length === 0) return undefined;
  const parsed = trimmed.startsWith('+')
    ? parsePhoneNumberFromString(trimmed, { extract: false })
    : undefined;
  const national = parsed?.nationalNumber.replace(/^0+/, '');
  return { columns, digits, national: national && national.length >= DIGITS_MIN ? national : digits };
}

const digitsOf = (column: string) =>
  `regexp_replace(substring(${column} from '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g')`;

/** Either number may lack the country code, the area code or leading zeros. */
function matchesTelephone({ columns }: Pick<TelephoneSearch, 'columns'>, param: Param): RawBuilder<boolean> {
  const ends = columns.map((column) => sql.raw(`right(${digitsOf(column)}, ${DIGITS_MIN})`));
  const [digits, national] = [sql`${param('q digits')}::text`, sql`${param('q national')}::text`];
  const same = columns.map((column) => {
    const stored = sql.raw(digitsOf(column));
    return sql`length(${stored}) >= ${sql.lit(DIGITS_MIN)} and (
      right(${stored}, length(${digits})) = right(${digits}, length(${stored})) or ltrim(${stored}, '0') = ${national})`;
  });
  return sql`(array[${sql.join(ends)}] && array[${param('q end')}::text] and (${sql.join(same, sql` or `)}))`;
}

function telephoneValues({ digits, national }: TelephoneSearch): Record<string, string> {
  return { 'q digits': digits, 'q national': national, 'q end': digits.slice(-DIGITS_MIN) };
}

import { distance } from 'fastest-levenshtein';
import { type Column, headerReader } from '../columns.ts';
import {
  type FileColumn,
  foldedHeader,
  knownNames,
  readTogether,
  repeatedColumns,
  whyNoColumn,
  withoutRepeats,
} from '../header.ts';
import { headerWords } from '../header-words.ts';
import type { Importable } from '../importable.ts';
import type { ColumnReader } from '../ndjson.ts';
import { bareName } from '../synonyms.ts';
import { ownHeader } from './cell-texts.ts';
import { FileError, type FileSettings } from './settings.ts';

/** The names, by language, of the column of a file of rejected rows that says what is wrong with each. */
export const errorHeaders = { en: 'What to correct', pt: 'O que corrigir' };

const foldedErrorHeaders = Object.values(errorHeaders).map(foldedHeader);

/** Whether a column says what was wrong with the rows of an import: it is left out when the file is imported again. */
export const isErrorHeader = (header: string) => foldedErrorHeaders.includes(foldedHeader(header));

type Rules = Pick<FileSettings, 'columns' | 'keyColumn' | 'isUnknownIgnored' | 'headers'>;
type FileRules = Rules & Pick<FileSettings, 'values' | 'dates' | 'columnEmptyCells'>;

const wordsOf = (name: string) => new Set(headerWords(name));

/** The distance of two names, from 0 to 1: by their letters, or by the words that both have, whichever is less. */
function distanceOf(one: string, other: string): number {
  const [bare, otherBare] = [bareName(one), bareName(other)];
  const letters = distance(bare, otherBare) / Math.max(bare.length, otherBare.length, 1);
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const shared = [...words].filter((word) => others.has(word)).length;
  return Math.min(letters, 1 - (2 * shared) / Math.max(words.size + others.size, 1));
}

/** The three fields whose names are closest to that of an unknown column. */
export function nearestFields(header: string, importable: Importable): string[] {
  const ranked = [...knownNames(importable)]
    .map(([name, field]) => ({ field, distance: distanceOf(header, name) }))
    .toSorted((one, other) => one.distance - other.distance);
  return [...new Set(ranked.map(({ field }) => field))].slice(0, 3);
}

/** The fields with a name that has all words of a text, in any spelling; the last word may be its beginning. The shortest names come first. */
export function searchFields(text: string, importable: Importable): string[] {
  const wanted = headerWords(text);
  const last = bareName(/[\p{L}\p{N}]+$/u.exec(text.trim())?.[0] ?? '');
  const found = [...knownNames(importable)].flatMap(([name, field]) => {
    const words = headerWords(name);
    const isIn = (word: string, index: number) =>
      words.includes(word) ||
      (index === wanted.length - 1 && last !== '' && words.some((one) => one.startsWith(last)));
    return wanted.length > 0 && wanted.every(isIn) ? [{ field, length: words.length }] : [];
  });
  return [...new Set(found.toSorted((one, other) => one.length - other.length).map(({ field }) => field))];
}

/** The columns that a mapping gives, by folded names of the file; undefined for one that is ignored. Throws `FileError`. */
function mappedColumns(
  { columns }: Pick<Rules, 'columns'>,
  importable: Importable,
): Map<string, Column | undefined> {
  const read = headerReader(importable);
  return new Map(
    Object.entries(columns).map(([header, field]) => {
      if (field === '') return [foldedHeader(header), undefined];
      const meaning = read(field);
      if (meaning.kind !== 'column') {
        const why = `is mapped to ${field}, which ${whyNoColumn(meaning)}`;
        const column = { header, why, nearest: nearestFields(field, importable) };
        throw new FileError('unknown_field', `"${header}" ${why}`, [column]);
      }
      return [foldedHeader(header), meaning.column];
    }),
  );
}

/** Makes a function that interprets the names of the columns of a file. Throws `FileError` if the mapping names an unknown field. */
export function columnReader(importable: Importable, rules: Rules): ColumnReader {
  const read = headerReader(importable);
  const mapped = mappedColumns(rules, importable);
  const headers = new Set(rules.headers);
  return (header) => {
    const name = foldedHeader(header);
    if (isErrorHeader(header)) return { header, column: undefined, isKey: false };
    const isKey = rules.keyColumn !== undefined && foldedHeader(rules.keyColumn) === name;
    if (mapped.has(name)) return { header, column: mapped.get(name), isKey };
    const meaning = read(ownHeader(header, headers));
    if (meaning.kind === 'column') return { header, column: meaning.column, isKey };
    if (isKey || rules.isUnknownIgnored) return { header, column: undefined, isKey };
    return { header, why: whyNoColumn(meaning) ?? '' };
  };
}

/** The names that `distinctHeaders` gives to columns without one. */
const isNameless = (header: string, index: number) => header === `Column ${index + 1}`;

/**
 * The columns that `read` makes of the names of a file. One without a name is left out, such as the numbers that some programs write in
 * front of a table, unless the mapping says what it is.
 */
export function readColumns(
  { headers, columns }: Pick<Rules, 'headers' | 'columns'>,
  read: ColumnReader,
): ReturnType<ColumnReader>[] {
  const said = new Set(Object.keys(columns).map(foldedHeader));
  return headers.map((header, index) =>
    isNameless(header, index) && !said.has(foldedHeader(header))
      ? { header, column: undefined, isKey: false }
      : read(header),
  );
}

/** The columns of a file by its header. Throws `FileError` for columns that are unknown, repeated or not there. */
export function fileColumns(importable: Importable, rules: FileRules): FileColumn[] {
  const { headers } = rules;
  const read = columnReader(importable, rules);
  const columns = readColumns(rules, read);
  const unknown = columns.flatMap((column) => ('why' in column ? [column] : []));
  if (unknown.length > 0) {
    const words = unknown.map(({ header, why }) => `"${header}" ${why}`).join(', ');
    const found = unknown.map((column) => ({ ...column, nearest: nearestFields(column.header, importable) }));
    throw new FileError('unknown_field', `the header has unknown columns: ${words}`, found);
  }
  const given = new Set(headers.map(foldedHeader));
  const mapped = Object.keys(rules.columns).filter((header) => rules.columns[header] !== '');
  const named = [rules.values, rules.dates, rules.columnEmptyCells].flatMap(Object.keys);
  const absent = [...mapped, ...named, ...(rules.keyColumn === undefined ? [] : [rules.keyColumn])];
  const missing = absent.find((header) => !given.has(foldedHeader(header)));
  if (missing !== undefined) throw new FileError('not_found', `the file has no column "${missing}"`);
  const said = new Set(Object.keys(rules.columns).map(foldedHeader));
  const isSaid = ({ header }: FileColumn) => said.has(foldedHeader(header));
  const known = readTogether(columns as FileColumn[], importable, isSaid);
  const repeated = repeatedColumns(rules.isUnknownIgnored ? sameNamed(known, { headers, isSaid }) : known);
  if (repeated !== undefined) {
    const [first, second] = repeated;
    const field = second.column?.field;
    throw new FileError(
      'repeated',
      `the columns "${first.header}" and "${second.header}" set the same field (${field}); ignore one of them`,
    );
  }
  return rules.isUnknownIgnored ? withoutRepeats(known, isSaid) : known;
}

/** The columns whose name the file has twice: neither of them is better, so the mapping must say which is meant. */
export function sameNamed(
  columns: readonly FileColumn[],
  { headers, isSaid }: { headers: readonly string[]; isSaid: (column: FileColumn) => boolean },
): FileColumn[] {
  const all = new Set(headers);
  const open = columns.filter((column) => !isSaid(column));
  const byName = Map.groupBy(open, ({ header }) => foldedHeader(ownHeader(header, all)));
  return [...byName.values()].flatMap((same) => (same.length > 1 ? same : []));
}

/** The names in the file of the fields that its columns set. */
export function headersByField(columns: readonly FileColumn[]): Map<string, string> {
  return new Map(
    columns.flatMap(({ header, column }) => (column === undefined ? [] : [[column.field, header]])),
  );
}

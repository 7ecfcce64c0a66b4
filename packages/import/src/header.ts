import { trimmedText, withoutCase } from '@roster/fields/text';
import { type Column, columnsOf, type Meaning, WHOLE_NAME } from './columns.ts';
import type { Importable } from './importable.ts';
import { partsOf, synonymsOf } from './synonyms.ts';

/** A column of the file. */
export interface FileColumn {
  /** Its name in the file. */
  header: string;
  /** Undefined if it is ignored. */
  column: Column | undefined;
  /** Whether it holds the key of each row. */
  isKey: boolean;
}

/** A column that is none of those that an import reads, and why. */
export interface UnknownColumn {
  header: string;
  why: string;
}

/** Why a name in a header is not a column; undefined if it is one. */
export function whyNoColumn(meaning: Meaning): string | undefined {
  if (meaning.kind === 'column') return undefined;
  return meaning.kind === 'read-only' ? 'is set by the service' : 'is not a known column';
}

/** A name of a column as names are compared. */
export const foldedHeader = (name: string): string => withoutCase(trimmedText(name));

/** Every name that a column may have, and its field. */
export function knownNames(importable: Importable): Map<string, string> {
  const names = columnsOf(importable).flatMap(({ field, reso }) =>
    (reso === undefined ? [field] : [field, reso]).map((name): [string, string] => [name, field]),
  );
  const usual = synonymsOf(importable.name).map(({ name, field }): [string, string] => [name, field]);
  return new Map([...usual, ...names]);
}

/** Whether one of two paths contains the other, so that both cannot be set. */
export function overlaps(one: readonly string[], other: readonly string[]): boolean {
  return one.every((name, index) => index >= other.length || other[index] === name);
}

/** The first two columns that set the same field; undefined if all set their own. */
export function repeatedColumns(columns: readonly FileColumn[]): [FileColumn, FileColumn] | undefined {
  const seen: FileColumn[] = [];
  for (const given of columns) {
    const { column } = given;
    if (column === undefined) continue;
    const other = seen.find((before) => before.column && overlaps(before.column.path, column.path));
    if (other !== undefined) return [other, given];
    seen.push(given);
  }
  return undefined;
}

const wordsIn = (name: string) => name.replace(/ \(\d+\)$/, '').match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

/**
 * Leaves one column for each field: the one that is mapped, else the one with more words, such as `Job Title` beside `Title`, else
 * the first. The others are left out.
 *
 * @param isSaid Whether the mapping says what a column is: that is not changed
 */
export function withoutRepeats(
  columns: readonly FileColumn[],
  isSaid: (column: FileColumn) => boolean,
): FileColumn[] {
  const taken = columns.filter(isSaid);
  const others = columns.filter((column) => !isSaid(column) && column.column !== undefined);
  for (const column of others.toSorted((one, other) => wordsIn(other.header) - wordsIn(one.header)))
    if (repeatedColumns([...taken, column]) === undefined) taken.push(column);
  return columns.map((column) => (taken.includes(column) ? column : { ...column, column: undefined }));
}

/** Reads a column `Address` as the street if there are columns for other parts of the address. */
function streetOf(columns: readonly FileColumn[], importable: Importable): FileColumn[] {
  const street = columnsOf(importable).find(({ field }) => field === 'address.line1');
  const isPart = (field = '') => field.startsWith('address.') && field !== street?.field;
  if (!columns.some(({ column }) => isPart(column?.field))) return [...columns];
  return columns.map((one) => (one.column?.field === 'address' ? { ...one, column: street } : one));
}

/**
 * Reads columns by those beside them: `Address` is the street if other parts of the address have columns, and `Name` beside `Surname`
 * is the first name if nothing else is. A display name without first and last names beside it is the whole name, which is split.
 *
 * @param isSaid Whether the mapping says what a column is: that is not changed
 */
export function readTogether(
  columns: readonly FileColumn[],
  importable: Importable,
  isSaid: (column: FileColumn) => boolean,
): FileColumn[] {
  const has = (field: string) => columns.some(({ column }) => column?.field === field);
  const parts = partsOf(importable.name).filter(({ beside, part }) => has(beside) && !has(part));
  const known = columnsOf(importable);
  const whole = known.find(({ field }) => field === WHOLE_NAME);
  const isNameWhole = whole !== undefined && !has('firstName') && !has('lastName') && !has(WHOLE_NAME);
  return streetOf(columns, importable).map((one) => {
    if (isSaid(one)) return one;
    const { header, column } = one;
    if (column?.field === 'displayName' && isNameWhole) return { ...one, column: whole };
    const found = parts.find(
      ({ whole, names }) => whole === column?.field && names.includes(foldedHeader(header)),
    );
    return found === undefined ? one : { ...one, column: known.find(({ field }) => field === found.part) };
  });
}

import { type Column, columnsOf, type Meaning } from './columns.ts';
import type { Importable } from './importable.ts';
import { synonymsOf } from './synonyms.ts';

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

/** A name of a column as names are compared: in lower case. */
export const foldedHeader = (name: string): string => name.trim().toLowerCase();

/** Every name that a column may have, and its field. */
export function knownNames(importable: Importable): Map<string, string> {
  const names = columnsOf(importable).flatMap(({ field, reso }) =>
    (reso === undefined ? [field] : [field, reso]).map((name): [string, string] => [name, field]),
  );
  const usual = Object.entries(synonymsOf(importable.name)).flatMap(([field, others]) =>
    others.map((name): [string, string] => [name, field]),
  );
  return new Map([...usual, ...names]);
}

/** Whether one of two paths contains the other, so that both cannot be set. */
function overlaps(one: readonly string[], other: readonly string[]): boolean {
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

/** Reads a column `Address` as the street if there are columns for other parts of the address. */
export function streetOf<Given extends Pick<FileColumn, 'column'>>(
  columns: readonly Given[],
  importable: Importable,
): Given[] {
  const street = columnsOf(importable).find(({ field }) => field === 'address.line1');
  const isPart = (field = '') => field.startsWith('address.') && field !== street?.field;
  if (!columns.some(({ column }) => isPart(column?.field))) return [...columns];
  return columns.map((one) => (one.column?.field === 'address' ? { ...one, column: street } : one));
}

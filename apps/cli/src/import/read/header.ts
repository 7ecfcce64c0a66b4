import { nearestThree } from '../../errors/did-you-mean.ts';
import { usageError } from '../../errors/errors.ts';
import type { Importable } from '../importable.ts';
import { type Column, columnsOf, headerReader } from './columns.ts';
import { bareName, synonyms } from './synonyms.ts';

/** The options for interpreting the header. */
export interface HeaderRules {
  /** Columns to ignore, as they are named in the file. */
  ignored: readonly string[];
  isUnknownIgnored: boolean;
  /** The values of `--map`: `First Name=firstName`. */
  mapped: readonly string[];
  /** The column that holds the key of each row in its source. */
  key: string | undefined;
}

/** A column of the file. */
export interface FileColumn {
  /** Its name in the file. */
  header: string;
  /** Undefined if it is ignored. */
  column: Column | undefined;
  /** Whether it holds the key of each row. */
  isKey: boolean;
}

const folded = (name: string) => name.trim().toLowerCase();

/** Interprets the name of a column; `why` explains why it is not a column. */
export type ColumnReader = (header: string) => FileColumn | { header: string; why: string };

/** Every name that a column may have, and its field. */
function knownNames(importable: Importable): Map<string, string> {
  const names = columnsOf(importable).flatMap(({ field, reso }) =>
    (reso === undefined ? [field] : [field, reso]).map((name): [string, string] => [name, field]),
  );
  const usual = Object.entries(synonyms[importable.name]).flatMap(([field, others]) =>
    others.map((name): [string, string] => [name, field]),
  );
  return new Map([...usual, ...names]);
}

/** The three columns whose names are closest to an unknown one. */
function nearestColumns(header: string, importable: Importable): string {
  const byName = new Map([...knownNames(importable)].map(([name, field]) => [bareName(name), field]));
  return nearestThree(bareName(header), byName).join(', ');
}

/** Parses the values of `--map`. Throws a usage error for an unknown column. */
function mappingOf({ mapped }: HeaderRules, importable: Importable): Map<string, Column> {
  const meaningOf = headerReader(importable);
  return new Map(
    mapped.map((text) => {
      const at = text.lastIndexOf('=');
      if (at < 1) throw usageError(`--map takes <header>=<column>, not "${text}"`);
      const [header, name] = [text.slice(0, at), text.slice(at + 1).trim()];
      const meaning = meaningOf(name);
      if (meaning.kind === 'column') return [folded(header), meaning.column];
      const why = meaning.kind === 'read-only' ? 'is set by the service' : 'is not a known column';
      throw usageError(`--map: ${name} ${why}`, `The closest are ${nearestColumns(name, importable)}.`);
    }),
  );
}

/** Creates a function that interprets the names of the columns of a file. */
export function columnReader(importable: Importable, rules: HeaderRules): ColumnReader {
  const meaningOf = headerReader(importable);
  const ignored = new Set(rules.ignored.map(folded));
  const mapping = mappingOf(rules, importable);
  return (header) => {
    const isKey = rules.key !== undefined && folded(rules.key) === folded(header);
    if (ignored.has(folded(header))) return { header, column: undefined, isKey };
    const mapped = mapping.get(folded(header));
    if (mapped !== undefined) return { header, column: mapped, isKey };
    const meaning = meaningOf(header);
    if (meaning.kind === 'column') return { header, column: meaning.column, isKey };
    if (isKey || rules.isUnknownIgnored) return { header, column: undefined, isKey };
    if (meaning.kind === 'read-only') return { header, why: 'is set by the service' };
    return { header, why: 'is not a known column' };
  };
}

/** Whether one of two paths contains the other, so that both cannot be set. */
function overlaps(one: readonly string[], other: readonly string[]): boolean {
  return one.every((name, index) => index >= other.length || other[index] === name);
}

function checkRepeated(columns: readonly FileColumn[]): void {
  const seen: FileColumn[] = [];
  for (const given of columns) {
    const { column } = given;
    if (column === undefined) continue;
    const other = seen.find((before) => before.column && overlaps(before.column.path, column.path));
    if (other !== undefined) {
      throw usageError(
        `the columns ${other.header} and ${given.header} set the same field (${column.field})`,
        `Ignore one of them: --ignore ${given.header}`,
      );
    }
    seen.push(given);
  }
}

/** Number of unknown names for which the closest columns are listed. */
const SUGGESTIONS_SHOWN = 5;

/** Reads a column `Address` as the street if there are columns for other parts of the address. */
function streetOf(columns: FileColumn[], importable: Importable): FileColumn[] {
  const street = columnsOf(importable).find(({ field }) => field === 'address.line1');
  const isPart = (field = '') => field.startsWith('address.') && field !== street?.field;
  if (!columns.some(({ column }) => isPart(column?.field))) return columns;
  return columns.map((one) => (one.column?.field === 'address' ? { ...one, column: street } : one));
}

/** Throws a usage error if --map names a column that the file does not have. */
function checkMapped(headers: readonly string[], { mapped }: HeaderRules): void {
  const given = new Set(headers.map(folded));
  const missing = mapped
    .map((text) => text.slice(0, text.lastIndexOf('=')))
    .find((name) => !given.has(folded(name)));
  if (missing !== undefined) throw usageError(`--map: the file has no column ${missing}`);
}

/**
 * Interprets the header of a CSV file. Throws a usage error that lists unknown and duplicate columns.
 */
export function columnsOfHeader(
  headers: readonly string[],
  importable: Importable,
  rules: HeaderRules,
): FileColumn[] {
  const read = columnReader(importable, rules);
  const columns = headers.map(read);
  const unknown = columns.filter((column) => 'why' in column);
  if (unknown.length > 0) {
    const words = unknown.map(({ header, why }) => `"${header}" ${why}`).join(', ');
    const near = unknown
      .slice(0, SUGGESTIONS_SHOWN)
      .map(({ header }) => `Closest to "${header}": ${nearestColumns(header, importable)}.\n`);
    throw usageError(
      `the header has unknown columns: ${words}`,
      `${near.join('')}Map a column with --map "${unknown[0]?.header}=<column>", ignore one with ` +
        '--ignore <column>, or all of them with --ignore-unknown.',
    );
  }
  const known = streetOf(columns as FileColumn[], importable);
  checkMapped(headers, rules);
  checkRepeated(known);
  if (rules.key !== undefined && !known.some(({ isKey }) => isKey))
    throw usageError(`--key-column: the file has no column ${rules.key}`);
  return known;
}

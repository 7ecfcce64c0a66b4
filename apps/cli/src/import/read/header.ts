import { nearestThree } from '../../errors/did-you-mean.ts';
import { usageError } from '../../errors/errors.ts';
import type { Importable } from '../importable.ts';
import { type Column, columnsOf, headerReader } from './columns.ts';
import { bareName, synonyms } from './synonyms.ts';

/** What is to be done with columns that mean nothing here. */
export interface HeaderRules {
  /** Columns to leave out, as they are named in the file. */
  ignored: readonly string[];
  isUnknownIgnored: boolean;
  /** Columns of the file and what they mean: `First Name=firstName`, as --map gives them. */
  mapped: readonly string[];
  /** The column that holds the key of each row in its source. */
  key: string | undefined;
}

/** A column of a file: its name there, and what it means; undefined where it is left out. */
export interface FileColumn {
  header: string;
  column: Column | undefined;
  /** Whether it holds the key of each row. */
  isKey: boolean;
}

const folded = (name: string) => name.trim().toLowerCase();

/** Understands one name after the other. */
export type ColumnReader = (header: string) => FileColumn | { header: string; why: string };

/** Every name that a column may have, and the place it is for. */
function knownNames(importable: Importable): Map<string, string> {
  const names = columnsOf(importable).flatMap(({ place, reso }) =>
    (reso === undefined ? [place] : [place, reso]).map((name): [string, string] => [name, place]),
  );
  const usual = Object.entries(synonyms[importable.name]).flatMap(([place, others]) =>
    others.map((name): [string, string] => [name, place]),
  );
  return new Map([...usual, ...names]);
}

/** The three columns whose names are nearest to one that is not known. */
function nearestColumns(header: string, importable: Importable): string {
  const byName = new Map([...knownNames(importable)].map(([name, place]) => [bareName(name), place]));
  return nearestThree(bareName(header), byName).join(', ');
}

/** What --map says: the column that each header means. Throws a usage error for what it cannot mean. */
function mappingOf({ mapped }: HeaderRules, importable: Importable): Map<string, Column> {
  const meaningOf = headerReader(importable);
  return new Map(
    mapped.map((text) => {
      const at = text.lastIndexOf('=');
      if (at < 1) throw usageError(`--map takes <header>=<column>, and not "${text}"`);
      const [header, name] = [text.slice(0, at), text.slice(at + 1).trim()];
      const meaning = meaningOf(name);
      if (meaning.kind === 'column') return [folded(header), meaning.column];
      const why = meaning.kind === 'read-only' ? 'is set by the service' : 'is not a column of ours';
      throw usageError(`--map: ${name} ${why}`, `The nearest are ${nearestColumns(name, importable)}.`);
    }),
  );
}

/** How the names of a file's columns are understood; `why` says why one is not. */
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
    return { header, why: 'is not a column of ours' };
  };
}

/** Whether one of two places is in the other, so that both cannot be said. */
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
        `the columns ${other.header} and ${given.header} say the same (${column.place})`,
        `Leave one out: --ignore ${given.header}`,
      );
    }
    seen.push(given);
  }
}

/** Headers of which the nearest columns are said. */
const NEAREST_SHOWN = 5;

/** A column `Address` beside one for the city or another part of it is the street. */
function streetOf(columns: FileColumn[], importable: Importable): FileColumn[] {
  const street = columnsOf(importable).find(({ place }) => place === 'address.line1');
  const isPart = (place = '') => place.startsWith('address.') && place !== street?.place;
  if (!columns.some(({ column }) => isPart(column?.place))) return columns;
  return columns.map((one) => (one.column?.place === 'address' ? { ...one, column: street } : one));
}

/** Throws a usage error where --map names a column that the file has not. */
function checkMapped(headers: readonly string[], { mapped }: HeaderRules): void {
  const given = new Set(headers.map(folded));
  const missing = mapped
    .map((text) => text.slice(0, text.lastIndexOf('=')))
    .find((name) => !given.has(folded(name)));
  if (missing !== undefined) throw usageError(`--map: the file has no column ${missing}`);
}

/**
 * The columns of a CSV file's header. Throws a usage error that names those that are unknown, or that say the same.
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
      .slice(0, NEAREST_SHOWN)
      .map(({ header }) => `Nearest to "${header}": ${nearestColumns(header, importable)}.\n`);
    throw usageError(
      `the header cannot be understood: ${words}`,
      `${near.join('')}Say what a column means with --map "${unknown[0]?.header}=<column>", leave one out with ` +
        '--ignore <column>, or all of these with --ignore-unknown.',
    );
  }
  const understood = streetOf(columns as FileColumn[], importable);
  checkMapped(headers, rules);
  checkRepeated(understood);
  if (rules.key !== undefined && !understood.some(({ isKey }) => isKey))
    throw usageError(`--key-column: the file has no column ${rules.key}`);
  return understood;
}

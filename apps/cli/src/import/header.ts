import { usageError } from '../failures.ts';
import { didYouMean } from '../nearest.ts';
import { type Column, columnsOf, headerReader } from './columns.ts';
import type { Importable } from './importable.ts';

/** What is to be done with columns that mean nothing here. */
export interface HeaderRules {
  /** Columns to leave out, as they are named in the file. */
  ignored: readonly string[];
  isUnknownIgnored: boolean;
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

/** How the names of a file's columns are understood; `why` says why one is not. */
export function columnReader(importable: Importable, rules: HeaderRules): ColumnReader {
  const meaningOf = headerReader(importable);
  const ignored = new Set(rules.ignored.map(folded));
  return (header) => {
    const isKey = rules.key !== undefined && folded(rules.key) === folded(header);
    if (ignored.has(folded(header))) return { header, column: undefined, isKey };
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
    const [first] = unknown;
    const known = columnsOf(importable).flatMap(({ place, reso }) => (reso ? [place, reso] : [place]));
    const words = unknown.map(({ header, why }) => `"${header}" ${why}`).join(', ');
    throw usageError(
      `the header cannot be understood: ${words}`,
      `${didYouMean(first?.header ?? '', known)}Leave columns out with --ignore <column>, or all of these with ` +
        '--ignore-unknown.',
    );
  }
  const understood = columns as FileColumn[];
  checkRepeated(understood);
  if (rules.key !== undefined && !understood.some(({ isKey }) => isKey))
    throw usageError(`--key-column: the file has no column ${rules.key}`);
  return understood;
}

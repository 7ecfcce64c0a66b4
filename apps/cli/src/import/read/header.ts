import {
  bareName,
  type Column,
  type ColumnReader,
  type FileColumn,
  foldedHeader as folded,
  headerReader,
  type Importable,
  knownNames,
  repeatedColumns,
  streetOf,
  whyNoColumn,
} from '@roster/import';
import { nearestThree } from '../../errors/did-you-mean.ts';
import { usageError } from '../../errors/errors.ts';

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
      throw usageError(
        `--map: ${name} ${whyNoColumn(meaning)}`,
        `The closest are ${nearestColumns(name, importable)}.`,
      );
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
    return { header, why: whyNoColumn(meaning) ?? '' };
  };
}

/** Number of unknown names for which the closest columns are listed. */
const SUGGESTIONS_SHOWN = 5;

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
  const repeated = repeatedColumns(known);
  if (repeated !== undefined) {
    const [first, second] = repeated;
    throw usageError(
      `the columns ${first.header} and ${second.header} set the same field (${second.column?.field})`,
      `Ignore one of them: --ignore ${second.header}`,
    );
  }
  if (rules.key !== undefined && !known.some(({ isKey }) => isKey))
    throw usageError(`--key-column: the file has no column ${rules.key}`);
  return known;
}

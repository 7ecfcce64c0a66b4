import type { ImportMapping, UploadInput } from '@roster/client';
import { isErrorHeader } from '@roster/import';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { keep, readKept } from '../../ui/browser/storage.ts';

/** The meaning of the columns of a file, as far as someone has said it. */
export interface Meaning {
  mapping: {
    [Part in 'columns' | 'values' | 'dates' | 'emptyCells']-?: NonNullable<ImportMapping[Part]>;
  } & {
    /** The country of phone numbers without a country code; `office` for that of each office, undefined if it was not chosen. */
    phoneCountry?: string;
  };
  /** Whether an empty cell leaves a field as it is, or clears it, unless the mapping says otherwise of its column. */
  emptyCells: NonNullable<UploadInput['emptyCells']>;
  /** The name of the system that the file comes from, and the column with its keys; empty for none. */
  sourceName: string;
  keyColumn: string;
  /** The name under which it is kept for the next file; empty if it is not. */
  keptAs: string;
}

/** A meaning that is kept, for files with these columns; in this page alone if it has no name. */
interface KeptMapping extends Meaning {
  resource: ResourceName;
  columns: readonly string[];
}

const STORAGE_KEY = 'roster.mappings';
const KEPT_MAX = 50;

function readMappings(): KeptMapping[] {
  const kept = readKept<KeptMapping[]>(STORAGE_KEY);
  return Array.isArray(kept) ? kept : [];
}

const meaningOf = ({ mapping, emptyCells, sourceName, keyColumn, keptAs }: KeptMapping): Meaning => {
  return { mapping, emptyCells, sourceName, keyColumn, keptAs };
};

export function keptNames(resource: ResourceName): string[] {
  return readMappings().flatMap((kept) => (kept.resource === resource ? [kept.keptAs] : []));
}

export function keptMapping(resource: ResourceName, name: string): Meaning | undefined {
  const found = readMappings().find((kept) => kept.resource === resource && kept.keptAs === name);
  return found && meaningOf(found);
}

/** The columns in an order of their own, without that of the errors of rows: one corrects them in the same columns. */
const setOf = (columns: readonly string[]) =>
  JSON.stringify(columns.filter((name) => !isErrorHeader(name)).toSorted());

interface Known {
  resource: ResourceName;
  meaning: Meaning;
}

const knownBy = (found: KeptMapping | undefined): Known | undefined =>
  found && { resource: found.resource, meaning: meaningOf(found) };

/** The mapping that is kept of files with these columns, in any order; undefined if there is none. */
export function findKeptMapping(resource: ResourceName, columns: readonly string[]): Known | undefined {
  return knownBy(
    readMappings().find((kept) => kept.resource === resource && setOf(kept.columns) === setOf(columns)),
  );
}

/** The mappings of the files that this page has sent, the last one first. */
let sentMappings: readonly KeptMapping[] = [];

/** The mapping that this page has sent the rows of a file with; undefined unless they have a column of errors. */
export function findSentMapping(columns: readonly string[]): Known | undefined {
  if (!columns.some(isErrorHeader)) return undefined;
  return knownBy(sentMappings.find((sent) => setOf(sent.columns) === setOf(columns)));
}

/** Keeps the mapping of a file that is sent, for its rows with errors and, under its name, for the next file, instead of the one that had it. */
export function keepMapping(sent: KeptMapping): void {
  // The next file may have no column of errors, and a mapping must not speak of a column that is not there.
  const columns = Object.entries(sent.mapping.columns).filter(([name]) => !isErrorHeader(name));
  const mapping = { ...sent, mapping: { ...sent.mapping, columns: Object.fromEntries(columns) } };
  sentMappings = [mapping, ...sentMappings].slice(0, KEPT_MAX);
  if (mapping.keptAs === '') return;
  const others = readMappings().filter(
    ({ resource, keptAs }) => resource !== mapping.resource || keptAs !== mapping.keptAs,
  );
  keep(STORAGE_KEY, [mapping, ...others].slice(0, KEPT_MAX));
}

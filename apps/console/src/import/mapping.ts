import {
  bareName,
  type FileColumn,
  foldedHeader,
  headerReader,
  repeatedColumns,
  streetOf,
  whyNoColumn,
} from '@roster/import';
import type { ResourceName } from '../contract/contracts.ts';
import { resourceNames } from '../contract/contracts.ts';
import { columnOfField, importables } from './importables.ts';
import type { Mapping } from './types.ts';

/** The column of a report that says what is wrong with a row. It is left out when the report is dropped again. */
export const ERROR_COLUMN = 'import error';

/** What the columns of a file probably mean, by their names: ours, those of the Data Dictionary, usual ones. */
export function guessMapping(resource: ResourceName, headers: readonly string[]): Mapping {
  const read = headerReader(importables[resource]);
  const guessed = headers.map((header): FileColumn => {
    const meaning = foldedHeader(header) === ERROR_COLUMN ? undefined : read(header);
    return { header, column: meaning?.kind === 'column' ? meaning.column : undefined, isKey: false };
  });
  const taken: FileColumn[] = [];
  const fields = streetOf(guessed, importables[resource]).map((column) => {
    // Of two columns with one meaning the first has it.
    const isFree = column.column !== undefined && repeatedColumns([...taken, column]) === undefined;
    if (isFree) taken.push(column);
    return [column.header, isFree ? (column.column?.field ?? '') : ''] as const;
  });
  return { fields: Object.fromEntries(fields), sourceName: '', keyColumn: '', values: {}, dateFormats: {} };
}

/** Which resource the rows of a file probably are, by how many of its columns each has. */
export function guessResource(headers: readonly string[], fileName: string): ResourceName {
  const knownOf = (resource: ResourceName) =>
    Object.values(guessMapping(resource, headers).fields).filter((field) => field !== '').length;
  // The name of the file, such as "offices-2026" or "our office", decides between resources with as many.
  const isNamed = (resource: ResourceName) => bareName(fileName).includes(resource.replace(/s$/, ''));
  const ranks = resourceNames.map((name) => ({ name, rank: knownOf(name) + (isNamed(name) ? 0.5 : 0) }));
  return ranks.reduce((best, other) => (other.rank > best.rank ? other : best)).name;
}

/** Why a column is not imported unless one says what it is; undefined if its name is known. */
export function whyUnknown(resource: ResourceName, header: string): string | undefined {
  return whyNoColumn(headerReader(importables[resource])(header));
}

/** The columns of a file, each with its meaning. */
export function fileColumns(
  resource: ResourceName,
  headers: readonly string[],
  mapping: Mapping,
): FileColumn[] {
  return headers.map((header) => ({
    header,
    column: columnOfField(resource, mapping.fields[header] ?? ''),
    isKey: mapping.keyColumn !== '' && header === mapping.keyColumn,
  }));
}

/** What is wrong with a mapping. */
export type MappingProblem =
  | { kind: 'repeated'; first: string; second: string }
  | { kind: 'nothing' }
  | { kind: 'key-needed' };

/** What has to be corrected in a mapping before the rows can be checked. */
export function mappingProblems(
  resource: ResourceName,
  headers: readonly string[],
  mapping: Mapping,
): MappingProblem[] {
  const columns = fileColumns(resource, headers, mapping);
  const mapped = columns.flatMap(({ column }) => column?.field ?? []);
  if (mapped.length === 0) return [{ kind: 'nothing' }];
  const problems: MappingProblem[] = [];
  const repeated = repeatedColumns(columns);
  if (repeated !== undefined)
    problems.push({ kind: 'repeated', first: repeated[0].header, second: repeated[1].header });
  const hasKey = mapped.includes('source.key') || mapped.includes('id') || mapping.keyColumn !== '';
  if (mapping.sourceName.trim() !== '' && !hasKey) problems.push({ kind: 'key-needed' });
  return problems;
}

const STORAGE_KEY = 'roster.import.mappings';
const REMEMBERED_MAX = 30;

type Remembered = Record<string, Mapping>;

/** The shape of a file: its columns, whatever their order. */
function shapeOf(resource: ResourceName, headers: readonly string[]): string {
  return JSON.stringify([resource, ...headers.map(foldedHeader).toSorted()]);
}

function readRemembered(): Remembered {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Remembered;
  } catch {
    return {};
  }
}

/** Remembers what the columns of files of this shape mean. */
export function rememberMapping(resource: ResourceName, headers: readonly string[], mapping: Mapping): void {
  const shape = shapeOf(resource, headers);
  const { [shape]: _, ...others } = readRemembered();
  const kept = Object.entries(others).slice(1 - REMEMBERED_MAX);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...Object.fromEntries(kept), [shape]: mapping }));
  } catch {
    // Without storage the next file is mapped by its names again.
  }
}

/** What was said before of files of this shape; undefined if nothing was. */
export function rememberedMapping(resource: ResourceName, headers: readonly string[]): Mapping | undefined {
  const found = readRemembered()[shapeOf(resource, headers)];
  return found !== undefined && headers.every((header) => header in found.fields) ? found : undefined;
}

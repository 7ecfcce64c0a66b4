import { createHash } from 'node:crypto';
import {
  bareName,
  createImportable,
  dateOrderOf,
  findEncoding,
  findForeignFormat,
  foldedHeader,
  type Headers,
  type Importable,
  isErrorHeader,
  WHOLE_NAME,
} from '@roster/import';
import {
  columnNameOf,
  FileError,
  type FileRow,
  fieldsByColumn,
  headersOf,
  previewTable,
  type FileSettings as ReadSettings,
  readFileRows,
  readHeader,
  readTable,
  rowReader,
} from '@roster/import/files';
import { forEachResource, type ResourceName } from '../directory/registry.ts';
import { pointerTo } from '../errors/describe-issue.ts';
import { RosterError } from '../errors/roster-error.ts';
import { recordContracts } from './contract.ts';
import type { ImportMapping } from './schemas.ts';

/** The settings by which the rows of a file are read: those of its import, and those that were found out. */
export interface FileSettings extends ReadSettings {
  name: string | null;
  encoding: string;
  /** The country of phone numbers without a country code; undefined leaves it to the records. */
  phoneCountry?: string | undefined;
  /** The columns of a CSV file with the fields that they set; null for one that is left out. */
  fields: readonly { name: string; field: string | null }[];
}

/** The options of an upload by which its file is read. */
interface FileOptions {
  name?: string | undefined;
  format?: 'csv' | 'ndjson' | undefined;
  /** The canonical name of the encoding that the file has. */
  encoding: string;
  delimiter?: string | undefined;
  sourceName?: string | undefined;
  keyColumn?: string | undefined;
  mapping?: ImportMapping | undefined;
  emptyCells?: 'keep' | 'clear' | undefined;
  ignoreUnknown?: boolean | undefined;
}

let importables: Record<ResourceName, Importable> | undefined;

/** A resource as an import reads it, made when one is needed first. */
export function importableOf(resource: ResourceName): Importable {
  if (importables === undefined) {
    const records = recordContracts();
    importables = forEachResource(({ name }) => createImportable(name, records));
  }
  return importables[resource];
}

const headers = new WeakMap<FileSettings, Headers>();

/** The names of the columns of a file by their fields. */
function knownHeaders(importable: Importable, settings: FileSettings): Headers {
  const known = headers.get(settings) ?? headersOf(importable, settings);
  headers.set(settings, known);
  return known;
}

/** The error of a file that its header and the settings of its import do not fit. */
function toRosterError(error: unknown): unknown {
  if (!(error instanceof FileError)) return error;
  const detail = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
  const errors =
    error.columns.length === 0
      ? [{ pointer: '#', code: error.code, detail: error.message }]
      : error.columns.map(({ header, why, nearest }) => ({
          pointer: pointerTo(['mapping', 'columns', header]),
          code: error.code,
          detail: `${why}; the closest are ${nearest.join(', ')}`,
        }));
  return new RosterError('validation_failed', detail, { errors, cause: error });
}

/** Whether the name of a file has that of a resource, such as "Our offices": it decides between those that fit as well. */
const isNamed = (name: string | undefined, { singular }: Importable) =>
  name !== undefined && bareName(name).includes(bareName(singular));

/** The way to read a file, as its import says or else as it begins. */
function readingOf(beginning: Buffer, options: Pick<FileOptions, 'format' | 'mapping'>) {
  // The byte order mark is no part of the first name.
  const text = beginning.toString().replace(/^\uFEFF/, '');
  const format = options.format ?? (text.trimStart().startsWith('{') ? 'ndjson' : 'csv');
  const {
    columns = {},
    values = {},
    dates = {},
    emptyCells: columnEmptyCells = {},
    phoneCountry,
  } = options.mapping ?? {};
  const mapping = { columns, values, dates, columnEmptyCells, phoneCountry };
  return { format, mapping };
}

/** Throws `FileError` if something is said of the empty cells of a file that has none. */
function checkEmptyCells(format: FileSettings['format'], { emptyCells, mapping }: FileOptions): void {
  const isSaid = emptyCells !== undefined || Object.keys(mapping?.emptyCells ?? {}).length > 0;
  if (format === 'csv' || !isSaid) return;
  throw new FileError(
    'not_allowed',
    'emptyCells only applies to CSV. In NDJSON, omit a member to keep a field, or send null to clear it',
  );
}

/** Throws `validation_failed` for what is no table by its first bytes, such as a workbook. */
export function checkIsText(head: Uint8Array): void {
  const why = findForeignFormat(head);
  if (why !== undefined) throw toRosterError(new FileError('unsupported_format', `the file ${why}`));
}

export { findEncoding };

/** NDJSON has none. */
const noDialect = { delimiter: ',', lineEnd: 'lf', headerRow: 0, headers: [] } as const;

/** Finds out how a file is read, by its beginning as text. Throws `validation_failed` if its header and the options do not fit. */
export async function settingsOf(
  resource: ResourceName,
  beginning: Buffer,
  options: FileOptions,
): Promise<FileSettings> {
  const { name = null, ignoreUnknown = false, encoding, sourceName, keyColumn, emptyCells } = options;
  const { format, mapping } = readingOf(beginning, options);
  try {
    checkEmptyCells(format, options);
    const dialect = format === 'csv' ? readHeader(beginning, options.delimiter) : noDialect;
    const read = { ...dialect, name, format, encoding, sourceName, keyColumn };
    const rules = { emptyCells: emptyCells ?? 'keep', isUnknownIgnored: ignoreUnknown } as const;
    const settings = { ...read, ...mapping, ...rules };
    return { ...settings, fields: fieldsByColumn(importableOf(resource), settings) };
  } catch (error) {
    throw toRosterError(error);
  }
}

/**
 * Finds out what the columns of a file are taken for, by its beginning as text. Of several resources it is the one whose fields most
 * columns set. Days that can be read two ways are suggested in the order of the country. Throws `validation_failed` if the file has no header, or the mapping names an unknown field.
 */
export async function previewOf(
  resources: readonly ResourceName[],
  beginning: Buffer,
  {
    name,
    isCut,
    country,
    ...options
  }: Omit<FileOptions, 'encoding'> & { isCut: boolean; country: string | undefined },
) {
  const { format, mapping } = readingOf(beginning, options);
  try {
    const { dialect = noDialect, ...table } = await readTable(beginning, {
      format,
      delimiter: options.delimiter,
      isCut,
    });
    const { delimiter, headerRow } = dialect;
    const failures: unknown[] = [];
    const previews = resources.flatMap((resource) => {
      const importable = importableOf(resource);
      try {
        const preview = previewTable(table, importable, { ...mapping, dateOrder: dateOrderOf(country) });
        const known = preview.columns.filter(({ field }) => field !== null).length;
        // A file of a resource has what its records need, or is an update of a few fields.
        const lacks = preview.missing.length > 0 ? 1.5 : 0;
        const rank = known - lacks + (isNamed(name, importable) ? 0.5 : 0);
        return { resource, format, delimiter, headerRow, ...preview, rank };
      } catch (error) {
        // A mapping may name fields that another resource has.
        failures.push(error);
        return [];
      }
    });
    if (previews.length === 0) throw failures[0];
    const { rank: _, ...best } = previews.reduce((one, other) => (other.rank > one.rank ? other : one));
    return best;
  } catch (error) {
    throw toRosterError(error);
  }
}

/**
 * Reads the rows of a part of a file, which begins where a row does. One with a text that cannot be kept has that fault, and no
 * values.
 */
export function readRows(
  resource: ResourceName,
  text: AsyncIterable<Buffer>,
  options: {
    settings: FileSettings;
    from: Pick<FileRow, 'row' | 'line'>;
    isStorable: (text: string) => boolean;
  },
): AsyncIterable<FileRow> {
  return readFileRows(text, importableOf(resource), options);
}

/** Makes a function that reads a row again from its cells and the corrections of these. */
export function rowsAgain(
  resource: ResourceName,
  reading: { settings: FileSettings; isStorable: (text: string) => boolean },
): ReturnType<typeof rowReader> {
  return rowReader(importableOf(resource), reading);
}

/** Whether the file has a column that tells records apart with certainty: a number, or a licence. */
export function hasKeyColumn({ fields }: Pick<FileSettings, 'fields'>): boolean {
  const keys = ['mlsId', 'nationalAssociationId', 'licenses[0].number', 'licenses'];
  return fields.some(({ field }) => field !== null && keys.includes(field));
}

/** Whether the names of people are split from one column: then even a key does not make a new name certain. */
export function splitsNames({ fields, columns }: Pick<FileSettings, 'fields' | 'columns'>): boolean {
  return [...fields.map(({ field }) => field), ...Object.values(columns)].includes(WHOLE_NAME);
}

/** A hash of the names of the columns of a CSV file, in any order; null for NDJSON, which has none. */
export function columnsKeyOf({ format, headers }: Pick<FileSettings, 'format' | 'headers'>): string | null {
  if (format !== 'csv') return null;
  const names = headers.filter((name) => !isErrorHeader(name)).map(foldedHeader);
  return createHash('sha256').update(JSON.stringify(names.toSorted())).digest('hex');
}

/** The name in the file of a field such as `address.city`; the field if no column has it. */
export function columnOf(resource: ResourceName, settings: FileSettings, field: string): string {
  const importable = importableOf(resource);
  return columnNameOf(importable, knownHeaders(importable, settings), field);
}

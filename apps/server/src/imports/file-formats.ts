import { RosterError } from '@roster/api';
import { type FileFormats, pointerTo } from '@roster/api/server';
import {
  bareName,
  createImportable,
  delimiterOf,
  findEncoding,
  type Headers,
  type Importable,
  importableNames,
  isWorkbook,
} from '@roster/import';
import {
  columnNameOf,
  FileError,
  type FileSettings,
  fieldsByColumn,
  headersOf,
  previewTable,
  readFileRows,
  readHeader,
  readTable,
} from '@roster/import/files';

const importables = new Map<string, Importable>();

/** A resource as an import reads it, made when it is needed first. */
function importableOf(resource: string): Importable {
  const known = importables.get(resource);
  if (known !== undefined) return known;
  const name = importableNames.find((one) => one === resource);
  if (name === undefined) throw new Error(`there is no resource ${resource}`);
  const made = createImportable(name);
  importables.set(name, made);
  return made;
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

const workbookText =
  'the file is a workbook (Excel, Numbers, LibreOffice), which is not read: save its sheet as "CSV UTF-8", and import that file';

/** Whether the name of a file has that of a resource, such as "Our offices": it decides between those that fit as well. */
const isNamed = (name: string | undefined, { singular }: Importable) =>
  name !== undefined && bareName(name).includes(bareName(singular));

type FileOptions = Parameters<FileFormats['settingsOf']>[2];

/** The way to read a file, as its import says or else as it begins. */
function readingOf(beginning: Buffer, options: Pick<FileOptions, 'format' | 'delimiter' | 'mapping'>) {
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
  return { format, delimiter: options.delimiter ?? delimiterOf(text), mapping };
}

/** Throws `FileError` if something is said of the empty cells of a file that has none. */
function checkEmptyCells(format: FileSettings['format'], { emptyCells, mapping }: FileOptions): void {
  const isSaid = emptyCells !== undefined || Object.keys(mapping?.emptyCells ?? {}).length > 0;
  if (format === 'csv' || !isSaid) return;
  throw new FileError(
    'not_allowed',
    'emptyCells is for CSV: in NDJSON an absent member keeps a field, and null clears it',
  );
}

/** Reads CSV and NDJSON, by the names of columns that the import knows. */
export const fileFormats: FileFormats = {
  checkIsText: (head) => {
    if (isWorkbook(head)) throw toRosterError(new FileError('unsupported_format', workbookText));
  },
  findEncoding,
  settingsOf: async (resource, beginning, options) => {
    const { name = null, ignoreUnknown = false, encoding, sourceName, keyColumn, emptyCells } = options;
    const { format, delimiter, mapping } = readingOf(beginning, options);
    try {
      checkEmptyCells(format, options);
      const headers = format === 'csv' ? await readHeader(beginning, delimiter) : [];
      const read = { name, format, encoding, delimiter, headers, sourceName, keyColumn };
      const rules = { emptyCells: emptyCells ?? 'keep', isUnknownIgnored: ignoreUnknown } as const;
      const settings = { ...read, ...mapping, ...rules };
      return { ...settings, fields: fieldsByColumn(importableOf(resource), settings) };
    } catch (error) {
      throw toRosterError(error);
    }
  },
  previewOf: async (resources, beginning, { name, isCut, ...options }) => {
    const { format, delimiter, mapping } = readingOf(beginning, options);
    try {
      const table = await readTable(beginning, { format, delimiter, isCut });
      const failures: unknown[] = [];
      const previews = resources.flatMap((resource) => {
        const importable = importableOf(resource);
        try {
          const preview = previewTable(table, importable, mapping);
          const known = preview.columns.filter(({ field }) => field !== null).length;
          return {
            resource,
            format,
            delimiter,
            ...preview,
            rank: known + (isNamed(name, importable) ? 0.5 : 0),
          };
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
  },
  readRows: (resource, text, options) => readFileRows(text, importableOf(resource), options),
  columnOf: (resource, settings, field) => {
    const importable = importableOf(resource);
    return columnNameOf(importable, knownHeaders(importable, settings), field);
  },
};

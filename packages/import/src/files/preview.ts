import { trimmedText } from '@roster/fields/text';
import { WHOLE_NAME } from '../columns.ts';
import { csvRecords, type Dialect, isBlank } from '../csv.ts';
import { type FileColumn, foldedHeader, readTogether, repeatedColumns, withoutRepeats } from '../header.ts';
import { headerWords } from '../header-words.ts';
import type { Importable } from '../importable.ts';
import { guessChoice } from '../values/choices.ts';
import { type DateFormat, type DateReading, readDates } from '../values/days.ts';
import { splitName } from '../values/names.ts';
import { type CellRules, cellRules, distinctHeaders } from './cell-texts.ts';
import { dialectOf } from './dialect.ts';
import { columnReader, readColumns, sameNamed } from './file-columns.ts';
import { linesOf, textOf } from './file-rows.ts';
import type { FileSettings } from './settings.ts';

/** A text of a column, with the number of rows that have it, and the choice that it stands for; null for none that is known. */
interface PreviewedValue {
  text: string;
  count: number;
  choice: string | null;
}

/** A whole name with its parts, and why the split may be wrong. */
interface PreviewedName {
  text: string;
  namePrefix: string | null;
  firstName: string | null;
  middleName: string | null;
  lastName: string | null;
  nameSuffix: string | null;
  designations: string[];
  doubt: string | null;
}

/** A column that sets a field which needs that of another column, and the columns that could be it. */
interface LackingColumn {
  column: string;
  field: string;
  needs: string;
  /** The columns that set no field, the likeliest first. */
  unused: string[];
}

/** A column of a file, and what it is taken for. */
interface PreviewedColumn {
  name: string;
  /** The field that it sets; null if it is left out. */
  field: string | null;
  /** A few of its texts. */
  samples: string[];
  /** Its texts, the most frequent first, if the field takes a few values; else null. */
  values: PreviewedValue[] | null;
  /** The format of its days, if the field is a day; else null. In doubt it is a suggestion. */
  dates: DateFormat | null;
  /** Why the format must be asked, if it must. */
  dateDoubt: DateReading['doubt'];
  /** A few of its texts and their parts, if it has whole names; else null. */
  names: PreviewedName[] | null;
  /** The number of rows with an empty cell in it. */
  empty: number;
}

/** The reason why a file cannot be imported with the fields that its columns have. */
export interface PreviewProblem {
  code: 'repeated' | 'no_columns';
  /** The names of the columns that it is about. */
  columns: string[];
}

/** The columns of the beginning of a file, and what they are taken for. */
export interface FilePreview {
  columns: PreviewedColumn[];
  /** The fields that a new record needs and no column sets. */
  missing: string[];
  /** The columns that need another one. */
  lacking: LackingColumn[];
  problems: PreviewProblem[];
}

/** The texts of the beginning of a file. */
export interface FileTable {
  /** The dialect of a CSV file. */
  dialect?: Dialect;
  names: string[];
  rows: string[][];
}

const SAMPLES = 3;
const VALUES_MAX = 100;

async function readCsv(
  beginning: Buffer,
  given: string | undefined,
): Promise<FileTable & { dialect: Dialect }> {
  const { header, ...dialect } = dialectOf(beginning.toString(), given);
  const rows: string[][] = [];
  for await (const { row, cells, fault } of csvRecords([beginning], dialect, { row: 1, line: 1 })) {
    // An open quote at the end may be of a record that the beginning cuts; else it is an error of its row.
    if (fault === undefined && row > dialect.headerRow && !isBlank(cells)) rows.push(cells);
  }
  return { dialect, names: distinctHeaders(header), rows };
}

/** The dialect of a CSV file and the names of its columns, by its beginning. Throws `FileError` if it has no header. */
export function readHeader(beginning: Buffer, given: string | undefined): Dialect & { headers: string[] } {
  const { header, ...dialect } = dialectOf(beginning.toString(), given);
  return { ...dialect, headers: distinctHeaders(header) };
}

async function readNdjson(beginning: Buffer): Promise<FileTable> {
  const objects: object[] = [];
  for await (const { line } of linesOf([beginning])) {
    try {
      const value: unknown = JSON.parse(line.replace(/^\uFEFF/, ''));
      if (typeof value === 'object' && value !== null) objects.push(value);
    } catch {
      // A line that is no object is an error of its row in the check.
    }
  }
  const names = [...new Set(objects.flatMap(Object.keys))];
  const members = objects.map((object) => new Map(Object.entries(object)));
  return { names, rows: members.map((row) => names.map((name) => textOf(row.get(name) ?? ''))) };
}

/** Reads the names and the texts of a file by its beginning. `isCut` leaves out the last row, which may be incomplete. Throws `FileError`. */
export async function readTable(
  beginning: Buffer,
  {
    format,
    delimiter,
    isCut,
  }: { format: FileSettings['format']; delimiter: string | undefined; isCut: boolean },
): Promise<FileTable> {
  const table = await (format === 'csv' ? readCsv(beginning, delimiter) : readNdjson(beginning));
  return { ...table, rows: isCut ? table.rows.slice(0, -1) : table.rows };
}

type Rules = Pick<FileSettings, 'columns' | 'values' | 'dates' | 'columnEmptyCells'>;

/** The columns as the mapping says, and the others as their names say. */
function guessColumns(names: readonly string[], importable: Importable, rules: Rules) {
  const read = columnReader(importable, { columns: rules.columns, headers: names, isUnknownIgnored: true });
  const said = new Set(Object.keys(rules.columns).map(foldedHeader));
  const isSaid = ({ header }: FileColumn) => said.has(foldedHeader(header));
  const all = readColumns({ headers: names, columns: rules.columns }, read) as FileColumn[];
  const known = readTogether(all, importable, isSaid);
  const columns = withoutRepeats(known, isSaid);
  return {
    columns,
    repeated: repeatedColumns(sameNamed(known, { headers: names, isSaid })) ?? repeatedColumns(columns),
  };
}

/** The texts of a column with their numbers, the most frequent first. */
function countTexts(texts: readonly string[]): [text: string, count: number][] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one).slice(0, VALUES_MAX);
}

/** A few whole names with their parts, those in doubt first. */
function namesOf(texts: readonly string[]): PreviewedName[] {
  const names = texts.map((text): PreviewedName => {
    const { parts, doubt = null } = splitName(text);
    const { namePrefix = null, nameSuffix = null, designations = [] } = parts;
    return { ...parts, text, namePrefix, nameSuffix, designations, doubt };
  });
  const inDoubt = names.filter(({ doubt }) => doubt !== null);
  return [...inDoubt.slice(0, SAMPLES - 1), ...names.filter(({ doubt }) => doubt === null)].slice(0, SAMPLES);
}

function previewColumn(
  { header, column }: FileColumn,
  { texts, empty }: { texts: readonly string[]; empty: number },
  { rules, dateOrder }: { rules: CellRules; dateOrder: 'day-first' | 'month-first' },
): PreviewedColumn {
  const counted = countTexts(texts);
  const { choices, isCountry, isDay = false } = column ?? {};
  const read = isDay && rules.dates === undefined ? readDates(texts, dateOrder) : undefined;
  return {
    name: header,
    field: column?.field ?? null,
    samples: counted.slice(0, SAMPLES).map(([text]) => text),
    values:
      choices?.length === undefined
        ? null
        : counted.map(([text, count]) => {
            return {
              text,
              count,
              choice: rules.choices.get(text) ?? guessChoice(text, choices, isCountry) ?? null,
            };
          }),
    names: column?.field === WHOLE_NAME ? namesOf(counted.map(([text]) => text)) : null,
    dates: isDay ? (rules.dates ?? read?.format ?? 'iso') : null,
    dateDoubt: read?.doubt ?? null,
    empty,
  };
}

/** Finds out what the columns of a file are taken for. Throws `FileError` if the mapping names an unknown field. */
export function previewTable(
  { names, rows }: FileTable,
  importable: Importable,
  { dateOrder, ...rules }: Rules & { dateOrder: 'day-first' | 'month-first' },
): FilePreview {
  const { columns, repeated } = guessColumns(names, importable, rules);
  const problems: PreviewProblem[] =
    repeated === undefined ? [] : [{ code: 'repeated', columns: repeated.map(({ header }) => header) }];
  if (columns.every(({ column }) => column === undefined)) problems.push({ code: 'no_columns', columns: [] });
  const rulesOf = cellRules(rules);
  const cellsOf = (index: number) => {
    const texts = rows.flatMap((cells) => trimmedText(cells[index] ?? '') || []);
    return { texts, empty: rows.length - texts.length };
  };
  return {
    columns: columns.map((column, index) =>
      previewColumn(column, cellsOf(index), { rules: rulesOf(column.header), dateOrder }),
    ),
    missing: missingFields(columns, importable),
    lacking: lackingColumns(columns, (index) => cellsOf(index).texts.length > 0),
    problems,
  };
}

/** The fields that a new record needs and no column sets, but for its office, which may be none. */
function missingFields(
  columns: readonly FileColumn[],
  { requiredFields, nameParts, office }: Importable,
): string[] {
  const set = new Set(columns.flatMap(({ column }) => column?.path[0] ?? []));
  const isNamed = [WHOLE_NAME, ...nameParts].some((field) => set.has(field));
  return [
    ...(isNamed ? [] : nameParts),
    ...requiredFields.filter((field) => field !== office?.id && !set.has(field)),
  ];
}

/** Fields that mean nothing without another one. */
const needs: readonly [field: RegExp, needed: string][] = [
  [/^licenses\[0\]\.(?!number)/, 'licenses[0].number'],
  [/^phoneExt$/, 'phone'],
  [/^address\.postalCodePlus4$/, 'address.postalCode'],
];

/** The columns whose field needs one that no column sets, with the unused columns whose names share a word with it. */
function lackingColumns(
  columns: readonly FileColumn[],
  hasTexts: (index: number) => boolean,
): LackingColumn[] {
  const set = new Set(columns.map(({ column }) => column?.field));
  const unused = columns.flatMap(({ header, column }, index) =>
    column === undefined && hasTexts(index) ? [header] : [],
  );
  return columns.flatMap(({ header, column }) => {
    const { field = '' } = column ?? {};
    const [, needed] = needs.find(([pattern]) => pattern.test(field)) ?? [];
    if (needed === undefined || set.has(needed) || set.has(needed.split('[')[0])) return [];
    const words = new Set([...headerWords(header), ...headerWords(needed), 'number', 'id']);
    const sharedWith = (name: string) => headerWords(name).filter((word) => words.has(word)).length;
    const likely = unused.filter((name) => sharedWith(name) > 0);
    const ranked = likely.toSorted((one, other) => sharedWith(other) - sharedWith(one));
    return [{ column: header, field, needs: needed, unused: ranked.slice(0, 3) }];
  });
}

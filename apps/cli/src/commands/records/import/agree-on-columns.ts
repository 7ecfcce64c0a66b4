import { type ImportMapping, type ImportPreview, readBeginning } from '@roster/client';
import { phoneCountries } from '@roster/contract/countries';
import { withoutCase } from '@roster/fields/text';
import {
  columnsOf,
  countryName,
  findCountry,
  foldedHeader,
  headerReader,
  type Importable,
  isErrorHeader,
  knownNames,
  nearestFields,
  searchFields,
} from '@roster/import';
import { askChoice, askLine } from '../../../ui/prompts.ts';
import { grouped, printable } from '../../../ui/text.ts';
import {
  type DateFormat,
  dateFormats,
  type EmptyCells,
  type ImportTask,
  type KeptMapping,
} from './import-task.ts';

type PreviewedColumn = ImportPreview['columns'][number];

/** A column with more unknown texts probably isn't this field. */
const VALUES_ASKED_MAX = 10;
const COLUMNS_NAMED_MAX = 5;

/** Reads what the service takes the columns for, by the beginning of the file. */
async function readPreview(
  { client, importable, input, settings, signal }: ImportTask,
  mapping: ImportMapping,
): Promise<ImportPreview> {
  const { name, format, encoding } = settings;
  const beginning = await readBeginning(input.blob);
  const given = { resource: importable.name, name, format, encoding, mapping, beginning };
  return client.imports.preview.mutate(given, { signal });
}

/** The columns that set no field, although no option says so. */
function unknownColumns(
  { columns }: ImportPreview,
  { settings }: ImportTask,
  mapping: ImportMapping,
): PreviewedColumn[] {
  if (settings.ignoreUnknown === true) return [];
  const said = new Set(Object.keys(mapping.columns ?? {}).map(foldedHeader));
  if (settings.keyColumn !== undefined) said.add(foldedHeader(settings.keyColumn));
  return columns.filter(
    ({ name, field }) => field === null && !isErrorHeader(name) && !said.has(foldedHeader(name)),
  );
}

const cellsOf = ({ samples }: PreviewedColumn) => samples.map((text) => `"${printable(text)}"`).join(', ');

function hintOf(column: PreviewedColumn, words: string): string {
  const cells = cellsOf(column);
  return cells === '' ? `  ${words}` : `  Cells such as ${cells}; ${words}`;
}

const SUGGESTED_MAX = 6;

/** The fields that a text may become: those that contain it, else those whose names are closest. */
function suggestedFor(text: string, importable: Importable): string[] {
  const folded = withoutCase(text);
  const fields = [...new Set(knownNames(importable).values())];
  const containing = fields.filter((field) => withoutCase(field).includes(folded));
  if (containing.length > 0) return containing.slice(0, SUGGESTED_MAX);
  const byWords = searchFields(text, importable);
  return byWords.length > 0 ? byWords.slice(0, SUGGESTED_MAX) : nearestFields(text, importable);
}

function askField(column: PreviewedColumn, { importable, io, signal }: ImportTask): Promise<string> {
  const read = headerReader(importable);
  const nearest = nearestFields(column.name, importable).join(', ');
  return askLine(
    {
      message: `Which field is "${printable(column.name)}"?`,
      hint: hintOf(column, `the closest are ${nearest}; leave empty to ignore the column`),
      validate: async (text) => {
        if (text === '' || read(text).kind === 'column') return undefined;
        return `There is no field "${printable(text)}". Try ${suggestedFor(text, importable).join(', ')}`;
      },
    },
    io,
    signal,
  );
}

function askDates(
  column: PreviewedColumn & { dates: DateFormat },
  { io, signal }: ImportTask,
): Promise<DateFormat> {
  return askChoice(
    {
      message: `How are the days of "${printable(column.name)}" written, such as ${cellsOf(column)}?`,
      choices: dateFormats.map((value) => ({ value, name: value })),
      default: column.dates,
    },
    io,
    signal,
  );
}

/** Asks for the meaning of texts that the service doesn't know; a text without an answer stays unchanged. */
async function askValues(
  { name, field, values }: PreviewedColumn,
  { importable, io, signal }: ImportTask,
): Promise<Record<string, string>> {
  const choices = columnsOf(importable).find((one) => one.field === field)?.choices ?? [];
  const unknown = (values ?? []).filter(({ text, choice }) => choice === null && text.trim() !== '');
  const meanings: Record<string, string> = {};
  if (unknown.length > VALUES_ASKED_MAX) return meanings;
  for (const { text, count } of unknown) {
    const rows = count === 1 ? '1 of the first rows' : `${grouped(count)} of the first rows`;
    const named = choices.map((value) => ({ value, name: value }));
    const answer = await askChoice(
      {
        message: `What is "${printable(text)}" in "${printable(name)}" (${rows})?`,
        choices: [...named, { value: '', name: `Leave "${printable(text)}" as it is` }],
      },
      io,
      signal,
    );
    if (answer !== '') meanings[text] = answer;
  }
  return meanings;
}

/** The columns whose empty cells no option explains. In a file with a row for each item of a list they mean nothing. */
function emptyColumns(
  { format, columns }: ImportPreview,
  { emptyCells = {} }: ImportMapping,
  { importable, settings }: ImportTask,
): PreviewedColumn[] {
  if (format !== 'csv' || settings.emptyCells !== undefined) return [];
  const said = new Set(Object.keys(emptyCells).map(foldedHeader));
  const ofItems = new Set(columnsOf(importable).flatMap(({ field, isOfItem }) => (isOfItem ? field : [])));
  return columns.filter(
    ({ name, field, empty }) =>
      empty > 0 && field !== null && !ofItems.has(field) && !said.has(foldedHeader(name)),
  );
}

function askEmptyCells(columns: readonly PreviewedColumn[], { io, signal }: ImportTask): Promise<EmptyCells> {
  const names = columns.slice(0, COLUMNS_NAMED_MAX).map(({ name }) => `"${printable(name)}"`);
  const more = columns.length > names.length ? ` and ${columns.length - names.length} more` : '';
  return askChoice(
    {
      message: `What do the empty cells of ${names.join(', ')}${more} do?`,
      choices: [
        { value: 'keep', name: 'Keep the field as it is' },
        { value: 'clear', name: 'Clear the field' },
      ],
    },
    io,
    signal,
  );
}

/** Stands for the country of the office of each record. */
const OFFICE = 'office';

/** Resolves to undefined if the office of each record decides: later rows may belong to other countries than the first rows. */
async function askPhoneCountry(
  { rows, countries }: NonNullable<ImportPreview['phones']>,
  { io, signal }: ImportTask,
): Promise<string | undefined> {
  const [first, ...others] = countries;
  const found = countries.map(
    ({ country, rows }) => `${country === null ? 'unknown' : countryName(country)} ${rows}`,
  );
  const known = first?.country == null ? undefined : countryName(first.country);
  const fallback = others.length > 0 ? OFFICE : known;
  const answer = await askLine(
    {
      message: 'Phone numbers without a country code are from',
      hint: `  In ${rows} of the first rows, by the office of each: ${found.join(', ')}; a country, or "${OFFICE}"`,
      ...(fallback !== undefined && { fallback }),
      validate: async (text) =>
        text === OFFICE || findCountry(text, phoneCountries) !== undefined
          ? undefined
          : `This must be a country such as Portugal or PT, or "${OFFICE}"`,
    },
    io,
    signal,
  );
  return answer === OFFICE || answer === known ? undefined : findCountry(answer, phoneCountries);
}

/** Prints which rows are left out above the header, and which fields a new record needs but no column sets. */
function notePreview({ headerRow, missing }: ImportPreview, { io, importable }: ImportTask): void {
  const above = headerRow === 2 ? 'row above is' : `${grouped(headerRow - 1)} rows above are`;
  if (headerRow > 1) io.stderr.write(`The header is in row ${grouped(headerRow)}. The ${above} ignored.\n`);
  const isEither = missing.every((field) => importable.nameParts.includes(field));
  if (missing.length > 0)
    io.stderr.write(
      `No column sets ${missing.join(isEither ? ' or ' : ', ')}. Rows that would create a record will have errors.\n`,
    );
}

/** The mapping of the options, or, without any, that of the last import with the same columns. Days that contradict each other are asked about again. */
function lastMapping({ last, resource, columns }: ImportPreview, { mapping, io }: ImportTask): ImportMapping {
  const isSaid = Object.values(mapping).some((part = {}) => Object.keys(part).length > 0);
  if (isSaid || last === null || last.resource !== resource) return mapping;
  const [day] = last.createdAt.split('T');
  io.stderr.write(`The columns are mapped as in the import of ${day}. To map them differently, use --map.\n`);
  const open = new Set(columns.flatMap(({ name, dateDoubt }) => (dateDoubt === 'contradictory' ? name : [])));
  const dates = Object.entries(last.mapping.dates ?? {}).filter(([name]) => !open.has(name));
  return { ...last.mapping, dates: Object.fromEntries(dates) };
}

/**
 * Asks on a terminal, before the file is sent, about everything in its first rows that neither the options nor the service
 * explain. Empty cells alone raise no question, so that an export can be imported without any. Rejects if the file can't be
 * read, or the mapping names an unknown field.
 */
export async function agreeOnColumns(task: ImportTask): Promise<KeptMapping> {
  const { settings } = task;
  let preview = await readPreview(task, task.mapping);
  const given = lastMapping(preview, task);
  if (given !== task.mapping) preview = await readPreview(task, given);
  const columns = { ...given.columns };
  const unknown = unknownColumns(preview, task, given);
  for (const column of unknown) columns[column.name] = await askField(column, task);
  const mapping = { ...given, columns };
  if (unknown.length > 0) preview = await readPreview(task, mapping);
  notePreview(preview, task);
  const dates = { ...given.dates };
  const values = { ...given.values };
  const { phones } = preview;
  const isPhoneAsked = given.phoneCountry === undefined && phones !== null;
  let isAsked = unknown.length > 0 || isPhoneAsked;
  for (const column of preview.columns) {
    const { name } = column;
    if (column.dates !== null && column.dates !== 'iso' && dates[name] === undefined) {
      dates[name] = await askDates({ ...column, dates: column.dates }, task);
      isAsked = true;
    }
    const meanings = await askValues(column, task);
    if (Object.keys(meanings).length === 0) continue;
    values[name] = { ...values[name], ...meanings };
    isAsked = true;
  }
  const phoneCountry = isPhoneAsked ? await askPhoneCountry(phones, task) : given.phoneCountry;
  const agreed = { ...mapping, dates, values, ...(phoneCountry !== undefined && { phoneCountry }) };
  const empty = isAsked ? emptyColumns(preview, agreed, task) : [];
  const emptyCells = empty.length === 0 ? settings.emptyCells : await askEmptyCells(empty, task);
  return { mapping: agreed, emptyCells };
}

import { type ImportMapping, type ImportPreview, readBeginning } from '@roster/client';
import { withoutCase } from '@roster/contract/text';
import {
  columnsOf,
  ERROR_COLUMN,
  foldedHeader,
  headerReader,
  type Importable,
  knownNames,
  nearestFields,
} from '@roster/import';
import { askChoice, askLine } from '../prompts/ask-line.ts';
import { printable } from '../terminal/text.ts';
import { type DateFormat, dateFormats } from './date-formats.ts';
import type { ImportTask } from './import-task.ts';

type PreviewedColumn = ImportPreview['columns'][number];

/** The most texts of a column about which a person is asked; a column with more is rather another field. */
const VALUES_ASKED_MAX = 10;

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

/** The columns that set no field although nobody has said so. */
function unknownColumns(
  { columns }: ImportPreview,
  { settings }: ImportTask,
  mapping: ImportMapping,
): PreviewedColumn[] {
  if (settings.ignoreUnknown === true) return [];
  const said = new Set([ERROR_COLUMN, ...Object.keys(mapping.columns ?? {}).map(foldedHeader)]);
  if (settings.keyColumn !== undefined) said.add(foldedHeader(settings.keyColumn));
  return columns.filter(({ name, field }) => field === null && !said.has(foldedHeader(name)));
}

/** Some cells of a column, quoted. */
const cellsOf = ({ samples }: PreviewedColumn) => samples.map((text) => `"${printable(text)}"`).join(', ');

/** A hint with some cells of a column. */
function hintOf(column: PreviewedColumn, words: string): string {
  const cells = cellsOf(column);
  return cells === '' ? `  ${words}` : `  Cells such as ${cells}; ${words}`;
}

/** The most names that are suggested for what is being typed. */
const SUGGESTED_MAX = 6;

/** The fields that a text may become: those that contain it, else those whose names are closest. */
function suggestedFor(text: string, importable: Importable): string[] {
  const folded = withoutCase(text);
  const fields = [...new Set(knownNames(importable).values())];
  const containing = fields.filter((field) => withoutCase(field).includes(folded));
  return containing.length > 0 ? containing.slice(0, SUGGESTED_MAX) : nearestFields(text, importable);
}

/** Asks which field a column is; empty for none. */
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

/** Asks how the days of a column are written that are not those of ISO 8601. */
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

/** Asks what the texts of a column stand for that the service does not know; one without an answer stays as it is. */
async function askValues(
  { name, field, values }: PreviewedColumn,
  { importable, io, signal }: ImportTask,
): Promise<Record<string, string>> {
  const choices = columnsOf(importable).find((one) => one.field === field)?.choices ?? [];
  const unknown = (values ?? []).filter(({ text, choice }) => choice === null && text.trim() !== '');
  const meanings: Record<string, string> = {};
  if (unknown.length > VALUES_ASKED_MAX) return meanings;
  for (const { text, count } of unknown) {
    const rows = count === 1 ? '1 of the first rows' : `${count.toLocaleString('en')} of the first rows`;
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

/**
 * Asks on a terminal, before the file is sent, which field each unknown column is, how its days are written and what its words stand for, as
 * far as that is neither said nor found out. Resolves to the mapping with the answers. Rejects if the file cannot be read, or the mapping
 * names an unknown field.
 */
export async function agreeOnColumns(task: ImportTask): Promise<ImportMapping> {
  const { mapping: given } = task;
  let preview = await readPreview(task, given);
  const columns = { ...given.columns };
  const unknown = unknownColumns(preview, task, given);
  for (const column of unknown) columns[column.name] = await askField(column, task);
  const mapping = { ...given, columns };
  if (unknown.length > 0) preview = await readPreview(task, mapping);
  const dates = { ...given.dates };
  const values = { ...given.values };
  for (const column of preview.columns) {
    const { name } = column;
    if (column.dates !== null && column.dates !== 'iso' && dates[name] === undefined)
      dates[name] = await askDates({ ...column, dates: column.dates }, task);
    const meanings = await askValues(column, task);
    if (Object.keys(meanings).length > 0) values[name] = { ...values[name], ...meanings };
  }
  return { ...mapping, dates, values };
}

import { type Column, type Row, valueAt } from '../nouns.ts';
import { flattened, textOf } from './text.ts';

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** One line of tab-separated values: a tab, line break or backslash inside a value is escaped with a backslash. */
function line(values: string[]): string {
  return `${values.map((value) => value.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? '')).join('\t')}\n`;
}

/** The line that names the columns, by their places in the record. */
export function tsvHeader(columns: Column[]): string {
  return line(columns.map(({ place }) => place));
}

/** A line for each record. */
export function tsvRows(columns: Column[], rows: readonly Row[]): string {
  return rows.map((row) => line(columns.map(({ place }) => textOf(valueAt(row, place))))).join('');
}

/** One record, a line for each field: its place and its value. */
export function tsvRecord(row: Row): string {
  return [['field', 'value'], ...flattened(row)].map(line).join('');
}

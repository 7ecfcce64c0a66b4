import { type Column, type Row, valueAt } from '../resources.ts';
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

/** A record with just these fields, in this order; all of them where none are named. */
export function picked(row: Row, fields: readonly string[]): Row {
  return fields.length === 0 ? row : Object.fromEntries(fields.map((field) => [field, row[field]]));
}

/** JSON that a person can read and a program too. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** JSON on one line. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

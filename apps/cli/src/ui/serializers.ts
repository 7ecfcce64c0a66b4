import { type Column, type Row, valueAt } from '../contract/columns.ts';
import { fieldTexts, textOf } from './text.ts';

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A line of tab-separated values; tabs, line breaks and backslashes in a value are escaped with a backslash. */
function line(values: string[]): string {
  return `${values.map((value) => value.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? '')).join('\t')}\n`;
}

export function tsvHeader(columns: Column[]): string {
  return line(columns.map(({ field }) => field));
}

export function tsvRows(columns: Column[], rows: readonly Row[]): string {
  return rows.map((row) => line(columns.map(({ field }) => textOf(valueAt(row, field))))).join('');
}

export function tsvRecord(row: Row): string {
  return [['field', 'value'], ...fieldTexts(row)].map(line).join('');
}

/** A value with only some of its parts; of a list, each item. A key that is not there is null. */
function partsOf(value: unknown, paths: readonly string[]): unknown {
  if (paths.includes('')) return value;
  if (Array.isArray(value)) return value.map((item) => partsOf(item, paths));
  if (typeof value !== 'object' || value === null) return null;
  const own: Row = { ...value };
  const picking = picked(own, paths);
  return Object.fromEntries(Object.entries(picking).map(([name, part]) => [name, part ?? null]));
}

/** A record with only these fields, or parts of them (`address.city`), in this order; with all if the list is empty. */
export function picked(row: Row, fields: readonly string[]): Row {
  if (fields.length === 0) return row;
  const names = Map.groupBy(fields, (field) => field.split('.')[0] ?? '');
  return Object.fromEntries(
    [...names].map(([name, paths]) => [
      name,
      name in row
        ? partsOf(
            row[name],
            paths.map((path) => path.slice(name.length + 1)),
          )
        : undefined,
    ]),
  );
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

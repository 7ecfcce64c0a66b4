import type { Row } from '../nouns.ts';

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

import type { Param } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';

/** Where values go in a statement whose text is made once. */
export type Place = Param<Record<string, unknown>>;

/** What is written into a column. */
interface Written {
  value: unknown;
  /** The expression that writes it, where that is more than the value; it may have the values of other columns too. */
  by?: (place: Place) => RawBuilder<unknown>;
  /** Other columns of the row as it was that the expression has. */
  reads?: string[];
}

/** Values to write, by column. */
export type Columns = Record<string, Written>;

/** What each column becomes, as an expression of SQL. */
export type Expressions = Record<string, RawBuilder<unknown>>;

/** The expressions that write these values. */
export function expressionsOf(columns: Columns, place: Place): Expressions {
  return Object.fromEntries(
    Object.entries(columns).map(([column, { by }]) => [column, by?.(place) ?? place(column)]),
  );
}

/** The values for the places of a statement. */
export function placedValues(columns: Columns): Record<string, unknown> {
  return Object.fromEntries(Object.entries(columns).map(([column, { value }]) => [column, value]));
}

/** What tells the text of a statement that writes these columns from others. */
export function shapeOfColumns(columns: Columns): string {
  return Object.entries(columns)
    .map(([column, { by }]) => (by === undefined ? column : `${column}*`))
    .join();
}

/** `mainOfficeId` → `main_office_id`: JSON is camelCase, SQL is snake_case, and nothing else differs. */
export function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const addressParts = ['line1', 'line2', 'city', 'county', 'region', 'postalCode', 'country'];
const sourceParts = ['name', 'key'];

type Parts = Record<string, string | null> | null;

/** What is written into a column, as JSON has it. */
type Value = string | null | object;

/** An object kept in a column per part: null clears all parts, an absent part is left alone. */
function partValues(field: string, value: Parts, parts: string[]): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const part of parts) {
    const given = value === null ? null : value[part];
    if (given !== undefined) values[`${columnOf(field)}_${columnOf(part)}`] = given;
  }
  return values;
}

/** The values of a validated input by column: those of the fields that are present, no others. */
export function valuesOf(input: object): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [field, value] of Object.entries(input)) {
    if (value === undefined) continue;
    switch (field) {
      case 'address':
      case 'mailingAddress':
        Object.assign(values, partValues(field, value, addressParts));
        break;
      case 'source':
        Object.assign(values, partValues(field, value, sourceParts));
        break;
      default:
        values[columnOf(field)] = value;
    }
  }
  return values;
}

/** Merged into what is there by PostgreSQL, where null removes a pair; null as a whole removes all. */
function mergedMetadata(patch: Value): Written {
  if (patch === null) return { value: '{}' };
  const merged = (place: Place) => sql`jsonb_strip_nulls(target.metadata || ${place('metadata')}::jsonb)`;
  return { value: JSON.stringify(patch), by: merged };
}

/** A value as its column takes it. */
function written(column: string, value: Value, { isPatch }: { isPatch: boolean }): Written {
  switch (column) {
    case 'metadata':
      return isPatch ? mergedMetadata(value) : { value: JSON.stringify(value ?? {}) };
    case 'licenses':
      return { value: JSON.stringify(value) };
    default:
      return { value };
  }
}

/**
 * The columns that a validated input writes: those of the fields that are present, no others.
 * With `isPatch` nested objects are merged (RFC 7396) into the row named `target`.
 */
export function columnsOf(input: object, options: { isPatch: boolean }): Columns {
  return Object.fromEntries(
    Object.entries(valuesOf(input)).map(([column, value]) => [column, written(column, value, options)]),
  );
}

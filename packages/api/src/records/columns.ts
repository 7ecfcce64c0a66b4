import { type Expression, type RawBuilder, sql } from 'kysely';

/** Values to write, by column. */
export type Columns = Record<string, string | number | Date | null | Expression<unknown>>;

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
function mergedMetadata(patch: Value): RawBuilder<unknown> {
  if (patch === null) return sql`'{}'::jsonb`;
  return sql`jsonb_strip_nulls(target.metadata || ${JSON.stringify(patch)}::jsonb)`;
}

/** A value as its column takes it. */
function written(column: string, value: Value, { isPatch }: { isPatch: boolean }): Columns[string] {
  switch (column) {
    case 'metadata':
      return isPatch ? mergedMetadata(value) : sql`${JSON.stringify(value ?? {})}::jsonb`;
    case 'licenses':
      return sql`${JSON.stringify(value)}::jsonb`;
    case 'languages':
    case 'designations':
      return sql`${value}::text[]`;
    default:
      return value as Columns[string];
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

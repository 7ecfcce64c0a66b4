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

/** An object kept in a column per part: null clears all parts, an absent part is left alone. */
function partColumns(field: string, value: Parts, parts: string[]): Columns {
  const columns: Columns = {};
  for (const part of parts) {
    const given = value === null ? null : value[part];
    if (given !== undefined) columns[`${columnOf(field)}_${columnOf(part)}`] = given;
  }
  return columns;
}

function texts(values: string[]): RawBuilder<unknown> {
  return sql`${values}::text[]`;
}

/** Merged into what is there by PostgreSQL, where null removes a pair; null as a whole removes all. */
function mergedMetadata(patch: Record<string, string | null> | null): RawBuilder<unknown> {
  if (patch === null) return sql`'{}'::jsonb`;
  return sql`jsonb_strip_nulls(target.metadata || ${JSON.stringify(patch)}::jsonb)`;
}

/**
 * The columns that a validated input writes: those of the fields that are present, no others.
 * With `isPatch` nested objects are merged (RFC 7396) into the row named `target`.
 */
export function columnsOf(input: object, { isPatch }: { isPatch: boolean }): Columns {
  const columns: Columns = {};
  for (const [field, value] of Object.entries(input)) {
    if (value === undefined) continue;
    switch (field) {
      case 'address':
      case 'mailingAddress':
        Object.assign(columns, partColumns(field, value, addressParts));
        break;
      case 'source':
        Object.assign(columns, partColumns(field, value, sourceParts));
        break;
      case 'metadata':
        columns.metadata = isPatch ? mergedMetadata(value) : sql`${JSON.stringify(value ?? {})}::jsonb`;
        break;
      case 'licenses':
        columns.licenses = sql`${JSON.stringify(value)}::jsonb`;
        break;
      case 'languages':
      case 'designations':
        columns[field] = texts(value);
        break;
      default:
        columns[columnOf(field)] = value;
    }
  }
  return columns;
}

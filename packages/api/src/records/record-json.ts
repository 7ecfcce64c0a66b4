import type { AddressColumns, RecordColumns } from '@roster/db';
import { type Expression, type RawBuilder, type Selectable, sql } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import type { Status } from './schemas.ts';

/**
 * Records become JSON in PostgreSQL, once, in one expression a noun: building objects from rows, and text from
 * objects, in JavaScript costs three to ten times the CPU. Each expression reads a row named after its table.
 */

/** Reads the columns of a row by name, typed by its table. */
export function columnsIn<Row>(table: 'office' | 'agent') {
  return <Name extends keyof Row & string>(name: Name): RawBuilder<Row[Name]> =>
    sql.ref<Row[Name]>(`${table}.${name}`);
}

type Columns<Row> = <Name extends keyof Row & string>(name: Name) => Expression<Row[Name]>;

/** RFC 3339, in UTC, with milliseconds. */
export function timeText<Time extends Date | null>(
  column: Expression<Time>,
): RawBuilder<Time extends null ? null : string> {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** An object kept in a column per part; null when every part is. */
function objectOfParts<Parts extends Record<string, Expression<string | null>>>(parts: Parts) {
  const anyPart = sql`num_nonnulls(${sql.join(Object.values(parts))}) > 0`;
  type Value = { [Name in keyof Parts]: Parts[Name] extends Expression<infer Part> ? Part : never };
  return sql<Value | null>`case when ${anyPart} then ${jsonBuildObject(parts)} end`;
}

/** What every record shows first. */
export function recordJson(column: Columns<Selectable<RecordColumns>>) {
  return {
    id: column('id'),
    status: column('status') as Expression<Status>,
    statusReason: column('status_reason'),
    statusChangedAt: timeText(column('status_changed_at')),
    deactivatedAt: timeText(column('deactivated_at')),
    createdAt: timeText(column('created_at')),
    updatedAt: timeText(column('updated_at')),
    version: column('version'),
  };
}

/** What every record shows last: where it came from and what its owner attached. */
export function originJson(column: Columns<Selectable<RecordColumns>>) {
  const isNamed = sql`${column('source_name')} is not null`;
  const source = jsonBuildObject({ name: column('source_name'), key: column('source_key') });
  return {
    source: sql<{ name: string; key: string } | null>`case when ${isNamed} then ${source} end`,
    metadata: column('metadata'),
  };
}

/** A postal address from its columns. */
export function addressJson(column: Columns<Selectable<AddressColumns>>) {
  return objectOfParts({
    line1: column('address_line1'),
    line2: column('address_line2'),
    city: column('address_city'),
    county: column('address_county'),
    region: column('address_region'),
    postalCode: column('address_postal_code'),
    country: column('address_country'),
  });
}

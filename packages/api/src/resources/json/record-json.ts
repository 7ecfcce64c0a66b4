import { type AddressColumns, inlineSql, type RecordColumns } from '@roster/db';
import { type Expression, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Status } from '../schemas.ts';

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

type Fields = Record<string, Expression<unknown>>;
type Shown<Of extends Fields> = {
  [Name in keyof Of]: Of[Name] extends Expression<infer Value> ? Value : never;
};

/** Each field under the name the API gives it, as the columns of a select. */
function columnsOfFields(fields: Fields): RawBuilder<unknown> {
  return sql.join(Object.entries(fields).map(([name, value]) => sql`${value} as ${sql.id(name)}`));
}

/**
 * An object, made of a row whose columns have the names of the API: PostgreSQL builds it in two thirds of the time that
 * `json_build_object` takes, which looks up the type of every value anew.
 */
function jsonOf<Of extends Fields>(fields: Of): RawBuilder<Shown<Of>> {
  return sql`(select to_json(shown) from (select ${columnsOfFields(fields)}) as shown)`;
}

/** How a table's rows are shown. */
export interface Shape<Row> {
  /** A row as an object. */
  record: RawBuilder<Row>;
  /** The columns of many rows, which become objects together; left out where the record of each is taken as it is. */
  row?: RawBuilder<unknown>;
  /** Where rows keep their record: what they keep, and whether it is of this shape; null for one never made. */
  kept?: {
    shape: number;
    record: RawBuilder<Row>;
    isCurrent: RawBuilder<boolean>;
    isStale: RawBuilder<boolean>;
    /** The record by its fields: what the functions of the database make, which tests compare with it. */
    made: RawBuilder<Row>;
  };
}

/** The shape of some fields, as text that no statement builds again. */
export function shapeOf<Of extends Fields>(fields: Of): Shape<Shown<Of>> {
  return { record: inlineSql(jsonOf(fields)), row: inlineSql(columnsOfFields(fields)) };
}

/**
 * The shape of a table whose rows keep their record, made by a trigger when they are written. `number` is the one the
 * trigger gives to records of these fields; a row with another one was written under another release, and the function
 * of this number makes its record: to have the fields in the statement would cost every execution, used or not. It takes
 * the whole row, so the record is read from the table itself, or from what a change of it returns.
 */
export function keptShapeOf<Of extends Fields>(
  table: 'office' | 'agent',
  fields: Of,
  number: number,
): Shape<Shown<Of>> {
  const record = sql.ref<Shown<Of>>(`${table}.record`);
  const shape = sql.ref(`${table}.record_shape`);
  const isCurrent = sql<boolean>`${shape} = ${sql.lit(number)}`;
  // In the words of the index that finds them.
  const isStale = sql<boolean>`${shape} is distinct from ${sql.lit(number)}`;
  const anew = sql`${sql.id(`${table}_record_${number}`)}(${sql.table(table)})`;
  const current = inlineSql(sql<Shown<Of>>`case when ${isCurrent} then ${record} else ${anew} end`);
  return { record: current, kept: { shape: number, record, isCurrent, isStale, made: jsonOf(fields) } };
}

/** An object kept in a column per part; null when every part is. */
function objectOfParts<Parts extends Record<string, Expression<string | null>>>(parts: Parts) {
  const anyPart = sql`num_nonnulls(${sql.join(Object.values(parts))}) > 0`;
  return sql<Shown<Parts> | null>`case when ${anyPart} then ${jsonOf(parts)} end`;
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
  const source = jsonOf({ name: column('source_name'), key: column('source_key') });
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

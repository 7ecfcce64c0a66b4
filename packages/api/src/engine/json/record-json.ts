import { type Constant, type Database, inlineSql, type RecordTable, recordVersions } from '@roster/db';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { columnOf, type SnakeCase } from '../fields/columns.ts';
import { fieldExpressions, type RecordFields, TIME_FORMAT } from './record-sql.ts';

/**
 * Records become JSON in PostgreSQL: building objects from rows, and text from objects, in JavaScript costs several times the
 * CPU (docs/benchmark.md). Each expression reads a row named after its table.
 */

/** RFC 3339, in UTC, with milliseconds. */
export function timeText<Time extends Date | null>(
  column: Expression<Time>,
): RawBuilder<Time extends null ? null : string> {
  return sql`to_char(${column} ${sql.raw(TIME_FORMAT)})`;
}

type Expressions = Record<string, Expression<unknown>>;
type Values<Of extends Expressions> = {
  [Name in keyof Of]: Of[Name] extends Expression<infer Value> ? Value : never;
};

/** The columns of a select, under their names in the API. */
function selectedFields(fields: Expressions): RawBuilder<unknown> {
  return sql.join(Object.entries(fields).map(([name, value]) => sql`${value} as ${sql.id(name)}`));
}

/** The SQL that makes the rows of a table JSON. */
export interface JsonShape<Row> extends Constant {
  /** A row as an object. */
  record: RawBuilder<Row>;
  /** The columns of many rows, which become objects together; absent if each row has its materialised JSON. */
  row?: RawBuilder<unknown>;
  /** Present if the JSON is materialised: the column that holds it, and whether it has the current schema version. */
  materialized?: {
    version: number;
    record: RawBuilder<Row>;
    isCurrent: RawBuilder<boolean>;
    /** Also true if there is no JSON. In the words of the index that finds such rows. */
    isStale: RawBuilder<boolean>;
  };
  /** The same for callers that are limited to some offices, if it tells of other records. */
  limited?: (offices: RawBuilder<unknown>) => JsonShape<Row>;
}

/** The JSON of these fields, which may have parameters. */
export function jsonShapeOf<Of extends Expressions>(fields: Of) {
  const row = selectedFields(fields);
  return { record: sql<Values<Of>>`(select to_json(shown) from (select ${row}) as shown)`, row };
}

/** The JSON of fields without parameters. It is inlined into statements as text that is built once. */
export function jsonShape<Of extends Expressions>(fields: Of): JsonShape<Values<Of>> {
  const { record, row } = jsonShapeOf(fields);
  return { record: inlineSql(record), row: inlineSql(row) };
}

/** The fields that no column of a table has, and others that are more than their column. */
type GivenFields<Row, Table> = {
  [Name in keyof Row & string as SnakeCase<Name> extends keyof Table ? never : Name]: RawBuilder<Row[Name]>;
} & { [Name in keyof Row]?: RawBuilder<Row[Name]> };

/**
 * The JSON of the rows of a table, as a schema has it: each field is the column of its name, a time (`…At`, `…Since`) as
 * text, unless it is given.
 */
export function tableShape<Table extends keyof Database & string, Shape extends z.ZodRawShape>(
  table: Table,
  { shape }: z.ZodObject<Shape, z.core.$strict>,
  given: GivenFields<z.infer<z.ZodObject<Shape, z.core.$strict>>, Database[Table]>,
): JsonShape<z.infer<z.ZodObject<Shape, z.core.$strict>>> {
  const columns = Object.keys(shape).map((name) => {
    const column = sql.ref<Date>(`${table}.${columnOf(name)}`);
    return [name, /(At|Since)$/.test(name) ? timeText(column) : column];
  });
  return jsonShape({ ...Object.fromEntries(columns), ...given }) as JsonShape<never>;
}

/**
 * The JSON of records, which a trigger materialises when a row is written. A row that another release has written has
 * another schema version; the function of this version then builds the JSON. It takes the whole row, so `record` must be
 * read from the table itself, or from what a change of it returns.
 */
export function recordShape<Row>(table: RecordTable): JsonShape<Row> {
  // A table that `npm run generate` has not met yet has none.
  const version = recordVersions[table] ?? 0;
  const record = sql.ref<Row>(`${table}.record`);
  const stored = sql.ref(`${table}.record_shape`);
  const isCurrent = sql<boolean>`${stored} = ${sql.lit(version)}`;
  const isStale = sql<boolean>`${stored} is distinct from ${sql.lit(version)}`;
  const built = sql`${sql.id(`${table}_record_${version}`)}(${sql.table(table)})`;
  const current = inlineSql(sql<Row>`case when ${isCurrent} then ${record} else ${built} end`);
  return { record: current, materialized: { version, record, isCurrent, isStale } };
}

/**
 * The fields of a record as expressions, read from a row named after its table: all of them, or those that are named.
 * `Row` is the type of these fields in JSON.
 */
export function recordExpressions<Row extends object>(
  source: RecordFields,
  names: readonly string[] = Object.keys(source.fields),
): { [Name in keyof Row]: RawBuilder<Row[Name]> } {
  const expressions = fieldExpressions(source, source.table);
  const entries = names.map((name) => [name, sql.raw(expressions[name] ?? '')]);
  return Object.fromEntries(entries) as { [Name in keyof Row]: RawBuilder<Row[Name]> };
}

import { type Constant, type Database, inlineSql, type RecordTable, recordVersions } from '@roster/db';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { columnOf, type SnakeCase } from '../fields/columns.ts';
import { fieldExpressions, type RecordFields, TIME_FORMAT } from './record-sql.ts';

/**
 * PostgreSQL builds the JSON of records, because doing it in JavaScript costs several times the CPU
 * (docs/adr/0003-raw-json.md). Each expression reads a row named after its table.
 */

/** RFC 3339 in UTC, with milliseconds. */
export function timeText<Time extends Date | null>(
  column: Expression<Time>,
): RawBuilder<Time extends null ? null : string> {
  return sql`to_char(${column} ${sql.raw(TIME_FORMAT)})`;
}

type Expressions = Record<string, Expression<unknown>>;
type Values<Of extends Expressions> = {
  [Name in keyof Of]: Of[Name] extends Expression<infer Value> ? Value : never;
};

function selectedFields(fields: Expressions): RawBuilder<unknown> {
  return sql.join(Object.entries(fields).map(([name, value]) => sql`${value} as ${sql.id(name)}`));
}

export interface JsonShape<Row> extends Constant {
  record: RawBuilder<Row>;
  row?: RawBuilder<unknown>;
  materialized?: {
    version: number;
    record: RawBuilder<Row>;
    isCurrent: RawBuilder<boolean>;
    isStale: RawBuilder<boolean>;
  };
  limited?: (offices: RawBuilder<unknown>) => JsonShape<Row>;
}

export function jsonShapeOf<Of extends Expressions>(fields: Of) {
  const row = selectedFields(fields);
  return { record: sql<Values<Of>>`(select to_json(shown) from (select ${row}) as shown)`, row };
}

/** Without parameters. Built once and inlined into statements. */
export function jsonShape<Of extends Expressions>(fields: Of): JsonShape<Values<Of>> {
  const { record, row } = jsonShapeOf(fields);
  return { record: inlineSql(record), row: inlineSql(row) };
}

type GivenFields<Row, Table> = {
  [Name in keyof Row & string as SnakeCase<Name> extends keyof Table ? never : Name]: RawBuilder<Row[Name]>;
} & { [Name in keyof Row]?: RawBuilder<Row[Name]> };

/** Fields are columns of the same name, times (`…At`, `…Since`) as text, unless given. */
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
 * The JSON of records, which a trigger materialises on every write. For a row written by another release,
 * which has another schema version, the function of this version builds it. That takes the whole row, so
 * `record` has to be read from the table itself or from `returning`.
 */
export function recordShape<Row>(table: RecordTable): JsonShape<Row> {
  const version = recordVersions[table] ?? 0;
  const record = sql.ref<Row>(`${table}.record`);
  const stored = sql.ref(`${table}.record_shape`);
  const isCurrent = sql<boolean>`${stored} = ${sql.lit(version)}`;
  const isStale = sql<boolean>`${stored} is distinct from ${sql.lit(version)}`;
  const built = sql`${sql.id(`${table}_record_${version}`)}(${sql.table(table)})`;
  const current = inlineSql(sql<Row>`case when ${isCurrent} then ${record} else ${built} end`);
  return { record: current, materialized: { version, record, isCurrent, isStale } };
}

/** All fields, or some, on a row named after its table. `Row` is their type in JSON. */
export function recordExpressions<Row extends object>(
  source: RecordFields,
  names: readonly string[] = Object.keys(source.fields),
): { [Name in keyof Row]: RawBuilder<Row[Name]> } {
  const expressions = fieldExpressions(source, source.table);
  const entries = names.map((name) => [name, sql.raw(expressions[name] ?? '')]);
  return Object.fromEntries(entries) as { [Name in keyof Row]: RawBuilder<Row[Name]> };
}

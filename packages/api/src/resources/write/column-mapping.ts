import type { Param as QueryParam } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import { columnOf, hasParts, partColumn } from '../fields/columns.ts';
import type { Fields } from '../fields/field.ts';

/** The parameter of that name in a statement that is compiled once. */
export type Param = QueryParam<Record<string, unknown>>;

/** What is written into a column. */
interface ColumnValue {
  value: unknown;
  /** The expression that writes it, where that is more than the value; it may have the values of other columns too. */
  by?: (param: Param) => RawBuilder<unknown>;
  /** Other columns of the row as it was that the expression has. */
  reads?: string[];
}

/** Values to write, by column. */
export type Columns = Record<string, ColumnValue>;

/** What each column becomes, as an expression of SQL. */
export type Expressions = Record<string, RawBuilder<unknown>>;

/** The expressions that write these values. */
export function toExpressions(columns: Columns, param: Param): Expressions {
  return Object.fromEntries(
    Object.entries(columns).map(([column, { by }]) => [column, by?.(param) ?? param(column)]),
  );
}

/** The values of the parameters, by column. */
export function paramValues(columns: Columns): Record<string, unknown> {
  return Object.fromEntries(Object.entries(columns).map(([column, { value }]) => [column, value]));
}

/** Identifies the text of a statement that writes these columns. */
export function variantOf(columns: Columns): string {
  return Object.entries(columns)
    .map(([column, { by }]) => (by === undefined ? column : `${column}*`))
    .join();
}

/** What is written into a column, as JSON has it. */
type Value = string | null | object;

/** The values of a validated input by column: those of the fields that are present, no others. */
export function valuesOf(fields: Fields, input: object): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || fields[name]?.isComputed) continue;
    const storage = fields[name]?.storage;
    if (storage === undefined || !hasParts(storage)) {
      values[columnOf(name)] = value;
      continue;
    }
    // Null clears all parts; an absent part is left alone.
    for (const part of storage.parts) {
      const given = value === null ? null : value[part];
      if (given !== undefined) values[partColumn(name, part)] = given;
    }
  }
  return values;
}

/** Merged into what is there by PostgreSQL, where null removes a pair; null as a whole removes all. */
function mergedPairs(column: string, patch: Value): ColumnValue {
  if (patch === null) return { value: '{}' };
  const current = sql.ref(`target.${column}`);
  const merged = (param: Param) => sql`jsonb_strip_nulls(${current} || ${param(column)}::jsonb)`;
  return { value: JSON.stringify(patch), by: merged };
}

type Storage = Fields[string]['storage'];

const storages = new WeakMap<Fields, ReadonlyMap<string, Storage>>();

/** How each column of these fields is stored. */
function storagesOf(fields: Fields): ReadonlyMap<string, Storage> {
  let known = storages.get(fields);
  if (known === undefined) {
    known = new Map(Object.entries(fields).map(([name, { storage }]) => [columnOf(name), storage]));
    storages.set(fields, known);
  }
  return known;
}

/**
 * The columns that a validated input writes: those of the fields that are present, no others.
 * With `isPatch` nested objects are merged (RFC 7396) into the row named `target`.
 */
export function columnsOf(fields: Fields, input: object, { isPatch }: { isPatch: boolean }): Columns {
  const storage = storagesOf(fields);
  const written = (column: string, value: Value): ColumnValue => {
    switch (storage.get(column)) {
      case 'pairs':
        return isPatch ? mergedPairs(column, value) : { value: JSON.stringify(value ?? {}) };
      case 'jsonb':
        return { value: JSON.stringify(value) };
      default:
        return { value };
    }
  };
  const values = Object.entries(valuesOf(fields, input));
  return Object.fromEntries(values.map(([column, value]) => [column, written(column, value)]));
}

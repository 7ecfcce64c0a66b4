import { type Fragment, fragment, type Param as QueryParam } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import { columnOf, hasParts, partColumn } from '../fields/columns.ts';
import type { Fields } from '../fields/field.ts';

/** The parameter of that name in a statement that is compiled once. */
export type Param = QueryParam<Record<string, unknown>>;

/** The SQL that writes a column. */
interface ColumnSql {
  /** The expression that writes it, where that is more than the value; it may have the values of other columns too. */
  by?: Fragment | undefined;
  /** Other columns of the row as it was that the expression has. */
  reads?: readonly string[] | undefined;
  /** The part of what is written that the caller gives, if the expression has more than that. */
  given?: Fragment | undefined;
}

/** The new value of a column. */
interface ColumnValue extends ColumnSql {
  value: unknown;
}

/** A column that a statement writes, as part of its shape. */
export interface WrittenColumn extends ColumnSql {
  column: string;
}

/** Values to write, by column. */
export type Columns = Record<string, ColumnValue>;

/** The new value of each column, as an expression of SQL. */
export type Expressions = Record<string, RawBuilder<unknown>>;

/** The columns without their values. */
export function written(columns: Columns): WrittenColumn[] {
  return Object.entries(columns).map(([column, { by, reads, given }]) => ({ column, by, reads, given }));
}

/** The expressions that write columns. */
export function toExpressions(columns: readonly WrittenColumn[], param: Param): Expressions {
  return Object.fromEntries(columns.map(({ column, by }) => [column, by?.sql(param) ?? param(column)]));
}

/** The values of the parameters, by column. */
export function paramValues(columns: Columns): Record<string, unknown> {
  return Object.fromEntries(Object.entries(columns).map(([column, { value }]) => [column, value]));
}

/** The new value of a column, as JSON has it. */
type Value = string | null | object;

type Storage = Fields[string]['storage'] | undefined;

/** Each column that a validated input writes, with its value and how that is stored; a part of a field has columns of its own. */
function* columnValuesOf(fields: Fields, input: object): Generator<[string, Value, Storage]> {
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || fields[name]?.isComputed) continue;
    const storage = fields[name]?.storage;
    if (storage === undefined || !hasParts(storage)) {
      yield [columnOf(name), value, storage];
      continue;
    }
    // Null clears all parts; an absent part is left alone.
    for (const part of storage.parts) {
      const given = value === null ? null : value[part];
      if (given !== undefined) yield [partColumn(name, part), given, undefined];
    }
  }
}

/** The values of a validated input by column: those of the fields that are present, no others. */
export function valuesOf(fields: Fields, input: object): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [column, value] of columnValuesOf(fields, input)) values[column] = value;
  return values;
}

const merged = fragment<{ column: string }>(
  ({ column }, param) => sql`jsonb_strip_nulls(${sql.ref(`target.${column}`)} || ${param(column)}::jsonb)`,
);

/** Merged into the present value by PostgreSQL, where null removes a pair; null as a whole removes all. */
function mergedPairs(column: string, patch: Value): ColumnValue {
  return patch === null ? { value: '{}' } : { value: JSON.stringify(patch), by: merged({ column }) };
}

/**
 * The columns that a validated input writes: those of the fields that are present, no others.
 * With `isPatch` nested objects are merged (RFC 7396) into the row named `target`.
 */
export function columnsOf(fields: Fields, input: object, { isPatch }: { isPatch: boolean }): Columns {
  const columns: Columns = {};
  for (const [column, value, storage] of columnValuesOf(fields, input)) {
    switch (storage) {
      case 'pairs':
        columns[column] = isPatch ? mergedPairs(column, value) : { value: JSON.stringify(value ?? {}) };
        break;
      case 'jsonb':
        columns[column] = { value: JSON.stringify(value) };
        break;
      default:
        columns[column] = { value };
    }
  }
  return columns;
}

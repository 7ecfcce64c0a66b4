import { type Fragment, fragment, type Param as QueryParam } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import { columnOf, hasParts, partColumn } from '../fields/columns.ts';
import type { Fields } from '../fields/field.ts';

export type Param = QueryParam<Record<string, unknown>>;

interface ColumnSql {
  by?: Fragment | undefined;
  reads?: readonly string[] | undefined;
  given?: Fragment | undefined;
}

interface ColumnValue extends ColumnSql {
  value: unknown;
}

export interface WrittenColumn extends ColumnSql {
  column: string;
}

export type Columns = Record<string, ColumnValue>;

export type Expressions = Record<string, RawBuilder<unknown>>;

export function written(columns: Columns): WrittenColumn[] {
  return Object.entries(columns).map(([column, { by, reads, given }]) => ({ column, by, reads, given }));
}

export function toExpressions(columns: readonly WrittenColumn[], param: Param): Expressions {
  return Object.fromEntries(columns.map(({ column, by }) => [column, by?.sql(param) ?? param(column)]));
}

export function paramValues(columns: Columns): Record<string, unknown> {
  return Object.fromEntries(Object.entries(columns).map(([column, { value }]) => [column, value]));
}

type Value = string | null | object;

type Storage = Fields[string]['storage'] | undefined;

function* columnValuesOf(fields: Fields, input: object): Generator<[string, Value, Storage]> {
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || fields[name]?.isComputed) continue;
    const storage = fields[name]?.storage;
    if (storage === undefined || !hasParts(storage)) {
      yield [columnOf(name), value, storage];
      continue;
    }
    // Null clears all parts; an absent part is kept.
    for (const part of storage.parts) {
      const given = value === null ? null : value[part];
      if (given !== undefined) yield [partColumn(name, part), given, undefined];
    }
  }
}

export function valuesOf(fields: Fields, input: object): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [column, value] of columnValuesOf(fields, input)) values[column] = value;
  return values;
}

const merged = fragment<{ column: string }>(
  ({ column }, param) => sql`jsonb_strip_nulls(${sql.ref(`target.${column}`)} || ${param(column)}::jsonb)`,
);

/** PostgreSQL merges the pairs: a null value removes a pair, and null as a whole removes all. */
function mergedPairs(column: string, patch: Value): ColumnValue {
  return patch === null ? { value: '{}' } : { value: JSON.stringify(patch), by: merged({ column }) };
}

/** With `isPatch` nested objects are merged (RFC 7396) into the row named `target`. */
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

import type { Fragment } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';

export type Condition = RawBuilder<boolean>;

/** The SQL of a filter, as part of the shape of a statement. */
export interface FilterSql {
  condition: Fragment<Condition>;
  /** The same rows in parts, no row in two: each is read by an index in the order of a list, and the parts are merged. */
  parts?: Fragment<readonly FilterPart[]> | undefined;
}

/** One filter of a list: its SQL and its values. */
export interface Filter extends FilterSql {
  /** The column, if the filter compares it with one value. */
  one?: string;
  /** The values of the condition's parameters, by name. */
  values: Record<string, unknown>;
}

/** The SQL of filters without their values. */
export function sqlOf(filters: readonly Filter[]): FilterSql[] {
  return filters.map(({ condition, parts }) => ({ condition, parts }));
}

/** A part of the rows that meet a filter. */
export interface FilterPart {
  /** The joins after the listed table in FROM; their columns have other names than those of that table. */
  join?: RawBuilder<unknown>;
  /** The condition, with the parameters of the filter. */
  condition: Condition;
  /** Columns of the joined table that have the values of the listed one's, so that its index goes on in their order. */
  sameColumns?: Record<string, string>;
}

/** The condition that a deleted record was not merged into another one, which its deletion is a part of. */
export const isNotMerged = sql<boolean>`not exists (
  select from record_merge where duplicate_id = tombstone.id and undone_at is null
)`;

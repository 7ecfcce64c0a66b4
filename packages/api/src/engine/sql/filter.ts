import { type RawBuilder, sql } from 'kysely';
import type { Param } from './column-mapping.ts';

export type Condition = RawBuilder<boolean>;

/** One filter of a list: its condition and its values. The text of the condition is compiled once for each shape. */
export interface Filter {
  /** A key of everything but the name of the filter that its SQL text depends on. */
  shape?: string;
  /** The column, if the filter compares it with one value. */
  one?: string;
  condition(param: Param): Condition;
  /** The values of the condition's parameters, by name. */
  values: Record<string, unknown>;
  /** The same rows in parts, no row in two: each is read by an index in the order of a list, and the parts are merged. */
  parts?: readonly FilterPart[];
}

/** A part of the rows that meet a filter. */
interface FilterPart {
  /** The joins after the listed table in FROM; their columns have other names than those of that table. */
  join?: RawBuilder<unknown>;
  /** The condition, with the parameters of the filter. */
  condition(param: Param): Condition;
  /** Columns of the joined table that have the values of the listed one's, so that its index goes on in their order. */
  sameColumns?: Record<string, string>;
}

/** The condition that a deleted record was not merged into another one, which its deletion is a part of. */
export const isNotMerged = sql<boolean>`not exists (
  select from record_merge where duplicate_id = tombstone.id and undone_at is null
)`;

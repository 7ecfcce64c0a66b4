import type { Fragment } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';

export type Condition = RawBuilder<boolean>;

export interface FilterSql {
  condition: Fragment<Condition>;
  /** Disjoint parts of the rows: an index reads each in list order, then they are merged. */
  parts?: Fragment<readonly FilterPart[]> | undefined;
}

export interface Filter extends FilterSql {
  one?: string;
  values: Record<string, unknown>;
}

export function sqlOf(filters: readonly Filter[]): FilterSql[] {
  return filters.map(({ condition, parts }) => ({ condition, parts }));
}

export interface FilterPart {
  /** The columns must not have names of the listed table. */
  join?: RawBuilder<unknown>;
  condition: Condition;
  /** Equal columns of the joined table, so that its index is ordered by them. */
  sameColumns?: Record<string, string>;
}

/** Excludes deletions that are part of a merge. */
export const isNotMerged = sql<boolean>`not exists (
  select from record_merge where duplicate_id = tombstone.id and undone_at is null
)`;

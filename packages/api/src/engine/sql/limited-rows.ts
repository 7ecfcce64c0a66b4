import { type RawBuilder, sql } from 'kysely';
import type { JsonShape } from '../json/record-json.ts';
import { type IsWithin, type OfficeLimit, officesValue } from '../office-limit.ts';
import type { Param } from './column-mapping.ts';
import type { Filter } from './filter.ts';

/** The parameter that has the offices of the caller's limit. */
export const LIMIT_OFFICES = 'limit_offices';

/** Rows that callers who are limited to some offices can read. */
export interface Limitable {
  name: string;
  /** Whether a row is within a limit; absent if none of its rows is for limited callers. */
  isWithin?: IsWithin;
}

/**
 * The rows that a caller may see, as a filter; undefined for a caller without a limit, whose statements have nothing of it.
 * Throws for rows that no limited caller may see.
 */
export function limitFilter(
  { name, isWithin }: Limitable,
  limit: OfficeLimit | undefined,
): Filter | undefined {
  if (limit === undefined) return undefined;
  if (isWithin === undefined)
    throw new Error(`${name} are not available if access is restricted to certain offices`);
  return {
    shape: 'limited',
    condition: (param) => isWithin(param(LIMIT_OFFICES)),
    values: { [LIMIT_OFFICES]: officesValue(limit) },
  };
}

/** The condition of a filter behind others. */
export function andMeets(filter: Filter | undefined, param: Param): RawBuilder<unknown> {
  return filter === undefined ? sql`` : sql` and ${filter.condition(param)}`;
}

/** The JSON of rows for a caller: what a record says of others counts only those within the limit. */
export function shapeFor<Row>(
  shape: JsonShape<Row>,
  within: Filter | undefined,
  param: Param,
): JsonShape<Row> {
  return within === undefined ? shape : (shape.limited?.(param(LIMIT_OFFICES)) ?? shape);
}

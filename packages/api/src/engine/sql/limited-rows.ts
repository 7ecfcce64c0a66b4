import { type Constant, type Fragment, fragment } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import { RosterError } from '../../errors/roster-error.ts';
import type { JsonShape } from '../json/record-json.ts';
import { type IsWithin, type OfficeLimit, officesValue } from '../office-limit.ts';
import type { Param } from './column-mapping.ts';
import type { Condition, Filter } from './filter.ts';

/** The parameter that has the offices of the caller's limit. */
export const LIMIT_OFFICES = 'limit_offices';

/** Rows that callers who are limited to some offices can read. */
export interface Limitable extends Constant {
  name: string;
  /** Whether a row is within a limit; absent if none of its rows is for limited callers. */
  isWithin?: IsWithin;
}

const isSeen = fragment<{ of: Limitable }, Condition>(({ of: { name, isWithin } }, param) => {
  if (isWithin === undefined) {
    const detail = `The ${name} are not available if your access is restricted to certain offices.`;
    throw new RosterError('insufficient_scope', detail);
  }
  return isWithin(param(LIMIT_OFFICES));
});

/**
 * The rows that a caller may see, as a filter; undefined for a caller without a limit, whose statements have nothing of it.
 * Throws `insufficient_scope` for rows that no limited caller may see.
 */
export function limitFilter(of: Limitable, limit: OfficeLimit | undefined): Filter | undefined {
  if (limit === undefined) return undefined;
  return { condition: isSeen({ of }), values: { [LIMIT_OFFICES]: officesValue(limit) } };
}

/** A condition behind others. */
export function andMeets(condition: Fragment<Condition> | undefined, param: Param): RawBuilder<unknown> {
  return condition === undefined ? sql`` : sql` and ${condition.sql(param)}`;
}

/** The JSON of rows for a caller: what a record says of others counts only those within the limit. */
export function shapeFor<Row>(
  shape: JsonShape<Row>,
  { isLimited, param }: { isLimited: boolean; param: Param },
): JsonShape<Row> {
  return !isLimited ? shape : (shape.limited?.(param(LIMIT_OFFICES)) ?? shape);
}

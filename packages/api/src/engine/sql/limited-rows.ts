import { type Constant, type Fragment, fragment } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import type { JsonShape } from '../json/record-json.ts';
import { type IsWithin, type OfficeLimit, officesValue } from '../office-limit.ts';
import type { Param } from './column-mapping.ts';
import type { Condition, Filter } from './filter.ts';

export const LIMIT_OFFICES = 'limit_offices';

export interface Limitable extends Constant {
  name: string;
  isWithin?: IsWithin;
}

const isSeen = fragment<{ of: Limitable }, Condition>(({ of: { name, isWithin } }, param) => {
  if (isWithin === undefined)
    throw new Error(`${name} are not available with access to certain offices only`);
  return isWithin(param(LIMIT_OFFICES));
});

/** Undefined without a limit. Throws for rows that require unlimited access. */
export function limitFilter(of: Limitable, limit: OfficeLimit | undefined): Filter | undefined {
  if (limit === undefined) return undefined;
  return { condition: isSeen({ of }), values: { [LIMIT_OFFICES]: officesValue(limit) } };
}

export function andMeets(condition: Fragment<Condition> | undefined, param: Param): RawBuilder<unknown> {
  return condition === undefined ? sql`` : sql` and ${condition.sql(param)}`;
}

export function shapeFor<Row>(
  shape: JsonShape<Row>,
  { isLimited, param }: { isLimited: boolean; param: Param },
): JsonShape<Row> {
  return !isLimited ? shape : (shape.limited?.(param(LIMIT_OFFICES)) ?? shape);
}

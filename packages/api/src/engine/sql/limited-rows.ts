import { type Constant, type Fragment, fragment } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import { RosterError } from '../../errors/roster-error.ts';
import type { JsonShape } from '../json/record-json.ts';
import { type IsWithin, type OfficeLimit, officesValue } from '../office-limit.ts';
import type { Param } from './column-mapping.ts';
import type { Condition, Filter } from './filter.ts';

export const LIMIT_OFFICES = 'limit_offices';

export interface Limitable extends Constant {
  name: string;
  isWithin?: IsWithin;
  /** The searched text of a row as far as it is of the offices of a limit, if it can have other parts. */
  textWithin?: (offices: RawBuilder<unknown>) => RawBuilder<string>;
}

const isSeen = fragment<{ of: Limitable }, Condition>(({ of: { name, isWithin } }, param) => {
  if (isWithin === undefined) {
    const detail = `The ${name} are not available if your access is restricted to certain offices.`;
    throw new RosterError('insufficient_scope', detail);
  }
  return isWithin(param(LIMIT_OFFICES));
});

/** Undefined without a limit. Throws `insufficient_scope` for rows that require unlimited access. */
export function limitFilter(of: Limitable, limit: OfficeLimit | undefined): Filter | undefined {
  if (limit === undefined) return undefined;
  return { condition: isSeen({ of }), values: { [LIMIT_OFFICES]: officesValue(limit) } };
}

/** The searched text that a caller with or without a limit may see. */
export function searchedText(
  { textWithin }: Limitable,
  { isLimited, param }: { isLimited: boolean; param: Param },
): RawBuilder<string> {
  return isLimited && textWithin !== undefined ? textWithin(param(LIMIT_OFFICES)) : sql.ref('search_text');
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

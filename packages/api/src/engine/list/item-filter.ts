import { fragment } from '@roster/db';
import { sql } from 'kysely';
import { isWithin } from '../office-limit.ts';
import type { Condition, Filter } from '../sql/filter.ts';
import { LIMIT_OFFICES } from '../sql/limited-rows.ts';

interface ItemFilter {
  derived: { table: string; owner: string; item: string };
  /** The table the IDs refer to, and its column that decides whether a record is within a limit. */
  of: { table: string; limitColumn: string };
  ids: string[];
  /** Whether the access is limited: items that refer to records out of the limit don't match. */
  isLimited: boolean;
}

const hasItem = fragment<Required<Pick<ItemFilter, 'derived' | 'of' | 'isLimited'>>, Condition>(
  ({ derived, of, isLimited }, param) => {
    const column = (name: string) => sql.ref(`${derived.table}.${name}`);
    const visible = () => {
      const isSeen = isWithin(sql.ref(`${of.table}.${of.limitColumn}`), param(LIMIT_OFFICES));
      return sql`
    join ${sql.table(of.table)} on ${sql.ref(`${of.table}.id`)} = ${column(derived.item)} and ${isSeen}`;
    };
    return sql`id in (
      select ${column(derived.owner)} from ${sql.table(derived.table)} ${isLimited ? visible() : sql``}
      where ${column(derived.item)} = any(${param('items')}::uuid[]))`;
  },
);

export function byItems({ derived, of, ids, isLimited }: ItemFilter): Filter {
  return { condition: hasItem({ derived, of, isLimited }), values: { items: ids } };
}

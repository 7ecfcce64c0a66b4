import { fragment } from '@roster/db';
import { sql } from 'kysely';
import { isWithin } from '../office-limit.ts';
import type { Condition, Filter } from '../sql/filter.ts';
import { LIMIT_OFFICES } from '../sql/limited-rows.ts';

/** A table that is derived from a list of the filtered records, and the ids that it is searched for. */
interface ItemFilter {
  /** The derived table, with the columns of the record and of what its item names. */
  derived: { table: string; owner: string; item: string };
  /** The table of the records that the items name, and its column with the office by which one is within a limit. */
  of: { table: string; limitColumn: string };
  ids: string[];
  /** Whether the caller is limited to some offices: then items of records out of the limit are not found. */
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

/** The records that have an item which names one of these. */
export function byItems({ derived, of, ids, isLimited }: ItemFilter): Filter {
  return { condition: hasItem({ derived, of, isLimited }), values: { items: ids } };
}

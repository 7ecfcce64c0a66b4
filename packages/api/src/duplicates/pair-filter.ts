import { fragment } from '@roster/db';
import { sql } from 'kysely';
import type { Condition, Filter } from '../engine/sql/filter.ts';

export interface PairFilter {
  collection: string;
  table: string;
  officeColumn: string;
  minScore: number;
  kinds?: string[] | undefined;
  officeIds?: string[] | undefined;
  recordId?: string | undefined;
  /** Undecided pairs, or dismissed ones; undefined for both. */
  isDismissed?: boolean | undefined;
}

interface PairShape extends Pick<PairFilter, 'collection' | 'table' | 'officeColumn' | 'isDismissed'> {
  ofKinds: boolean;
  ofOffices: boolean;
  ofRecord: boolean;
}

const isPair = fragment<PairShape, Condition>(
  ({ collection, table, officeColumn, ofKinds, ofOffices, ofRecord, isDismissed }, param) => {
    const record = sql.ref('paired.id');
    const from = sql`select from ${sql.table(table)} as paired`;
    const conditions = [
      sql`collection = ${sql.lit(collection)} and score >= ${param('min_score')}::numeric`,
      sql`exists (${from} where ${record} = first_id) and exists (${from} where ${record} = second_id)`,
      ...(ofKinds ? [sql`kinds && ${param('kinds')}::text[]`] : []),
      ...(ofOffices
        ? [
            sql`exists (${from} where ${record} in (first_id, second_id)
                and ${sql.ref(`paired.${officeColumn}`)} = any(${param('pair_office_ids')}::uuid[]))`,
          ]
        : []),
      ...(ofRecord
        ? [sql`(first_id = ${param('record_id')}::uuid or second_id = ${param('record_id')}::uuid)`]
        : []),
      ...(isDismissed === undefined ? [] : [sql`dismissed_at is ${isDismissed ? sql`not null` : sql`null`}`]),
    ];
    return sql`(${sql.join(conditions, sql` and `)})`;
  },
);

export function byPair({ minScore, kinds, officeIds, recordId, ...pair }: PairFilter): Filter {
  const { collection, table, officeColumn, isDismissed } = pair;
  const shape = { collection, table, officeColumn, isDismissed };
  return {
    condition: isPair({
      ...shape,
      ofKinds: kinds !== undefined,
      ofOffices: officeIds !== undefined,
      ofRecord: recordId !== undefined,
    }),
    values: { min_score: minScore, kinds, pair_office_ids: officeIds, record_id: recordId },
  };
}

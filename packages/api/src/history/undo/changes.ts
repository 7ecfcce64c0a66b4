import type { Database } from '@roster/db';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Json } from '../../records/field-changes.ts';

const inverses = {
  created: 'deleted',
  restored: 'deleted',
  deleted: 'restored',
  updated: 'updated',
  merged: 'updated',
  deactivated: 'reactivated',
  reactivated: 'deactivated',
  transferred: 'transferred',
} as const;
export type Inverse = (typeof inverses)[keyof typeof inverses];

export interface RecordedChange {
  place: string;
  id: string;
  verb: keyof typeof inverses;
  version: number;
  record: Json;
  previous: Json;
}

/** By a condition on the columns of `event`, newest first. `max` limits to the oldest. */
export async function findChanges(
  trx: Transaction<Database>,
  condition: RawBuilder<unknown>,
  max?: number,
): Promise<RecordedChange[]> {
  const limit = max === undefined ? sql`` : sql` limit ${max}`;
  const { rows } = await sql<RecordedChange>`
    select id::text as place, subject_id as id, split_part(type, '.', 2) as verb, version, record, previous
    from event where ${condition} order by event.id${limit}`.execute(trx);
  return rows.toReversed();
}

export interface Step {
  id: string;
  verb: Inverse;
  after: Json;
  previous: Json;
}

/** Newest first. If the changes created the record, the only step deletes it. */
export function stepsOf(changes: readonly RecordedChange[]): Step[] {
  const created = changes.filter(({ verb }) => verb === 'created');
  const steps: Step[] = [];
  for (const { id, verb, record, previous } of created.length > 0 ? created : changes) {
    const last = steps.at(-1);
    if (last?.verb === 'updated' && inverses[verb] === 'updated') {
      last.previous = { ...last.previous, ...previous };
      continue;
    }
    steps.push({ id, verb: inverses[verb], after: record, previous });
  }
  return steps;
}

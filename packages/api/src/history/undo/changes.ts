import type { Database } from '@roster/db';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Json } from '../field-changes.ts';

/** The verb of the event that undoes one with a verb. */
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

/** A change of one record, as its event has it. */
export interface RecordedChange {
  /** The order of its event among all. */
  place: string;
  /** The id of the record. */
  id: string;
  verb: keyof typeof inverses;
  version: number;
  /** The record after the change; of a deleted one its last state. */
  record: Json;
  /** The previous values of the fields that changed. */
  previous: Json;
}

/**
 * The changes whose events meet a condition on the columns of `event`, the newest first.
 *
 * @param max how many of the oldest; all, unless given
 */
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

/** The step that takes a record back behind a change, or behind several that one event undoes. */
export interface Step {
  id: string;
  verb: Inverse;
  /** The record after the changes. */
  after: Json;
  /** The values before them of the fields that they changed. */
  previous: Json;
}

/** The steps that undo changes of one record, the newest first; of one that they created, its deletion alone. */
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

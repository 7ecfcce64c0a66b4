import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { ResourceDefinition } from '../../engine/definition.ts';
import { changeEach, describeError, type Outcome } from '../../records/change-each.ts';
import { type Applying, takeSteps } from './apply.ts';
import { planUndo, type UndoRequest } from './plan.ts';

/**
 * The undo of what was recorded: given the changes of records, as their events have them, it plans which fields of each record get their
 * values back, which were changed since and what is gone, applies that in the caller's transaction, each with its event, and returns
 * what is done and what is not, with the reasons. Jobs, imports, the deactivation of an office and merges are undone by it, and a
 * record is reverted by the same plan. Tried in a part of the transaction that is rolled back, it says beforehand what it would do.
 *
 * A field gets its earlier value if it still has the one that the change gave it. A record of which some fields stay is in `changed` and
 * in `partial`.
 */

type Undo = UndoRequest & Applying;

/** Undoes changes of records, all or nothing but for what was changed since. Throws the error of the rule that rejects one. */
export async function undoTogether(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  undo: Undo,
): Promise<Outcome> {
  const { cause, limit, retentionDays } = undo;
  const { steps: stepsOfRecords, unchanged, rejected, partial } = await planUndo(trx, resource, undo);
  for (let place = 0; ; place += 1) {
    const steps = stepsOfRecords.flatMap((steps) => steps[place] ?? []);
    if (steps.length === 0) break;
    rejected.push(...(await takeSteps(trx, resource, { steps, cause, limit, retentionDays })));
  }
  const others = new Set([...unchanged, ...rejected.map(({ id }) => id)]);
  return { changed: undo.ids.filter((id) => !others.has(id)), unchanged, rejected, partial };
}

/**
 * Undoes changes of records, as many as possible; see `changeEach`. A record whose fields were all changed since is left as it is and
 * rejected with `version_conflict`, or `not_found` if it was deleted.
 */
export function undoEach(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, ...undo }: Omit<Undo, 'isPutBack'>,
): Promise<Outcome> {
  const isMade = ({ verb }: Undo['changes'][number]) => verb === 'restored' || verb === 'created';
  const made = new Set(undo.changes.filter(isMade).map(({ id }) => id));
  const describe = (error: unknown, id: string) =>
    describeError(trx, resource, { error, id, isDeletion: made.has(id), limit: undo.limit });
  const undoSome = (some: readonly string[]) => undoTogether(trx, resource, { ...undo, ids: some });
  return changeEach(trx, ids, undoSome, describe);
}

import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { ResourceDefinition } from '../../engine/definition.ts';
import { settleEmails } from '../../engine/write/bulk-mutations.ts';
import { changeEach, describeError, type Outcome } from '../../records/change-each.ts';
import { linkedSets } from '../../records/linked-sets.ts';
import { type Applying, takeSteps } from './apply.ts';
import { planUndo, type UndoRequest } from './plan.ts';

/**
 * Undoes recorded changes: plans from their events which fields get their values back, applies the plan in
 * the given transaction, and returns what was done and what was not, with reasons. Used for jobs, imports,
 * deactivated offices, merges and reverts. A preview applies it and rolls back.
 *
 * A field gets its earlier value if it still has the one from the change. A record of which some fields stay
 * is in both `changed` and `partial`.
 */

type Undo = UndoRequest & Applying;

/** All or nothing, except for fields changed since. Throws the error of the rule that rejects a record. */
export async function undoTogether(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  undo: Undo,
): Promise<Outcome> {
  const { ids: together, cause, limit, retentionDays } = undo;
  const { steps: stepsOfRecords, unchanged, rejected, partial } = await planUndo(trx, resource, undo);
  for (let place = 0; ; place += 1) {
    const steps = stepsOfRecords.flatMap((steps) => steps[place] ?? []);
    if (steps.length === 0) break;
    rejected.push(...(await takeSteps(trx, resource, { steps, together, cause, limit, retentionDays })));
  }
  if (together.length > 1) await settleEmails(trx, resource, together);
  const others = new Set([...unchanged, ...rejected.map(({ id }) => id)]);
  return { changed: together.filter((id) => !others.has(id)), unchanged, rejected, partial };
}

/** As many as possible; see `changeEach`. Rejects a record whose fields were all changed since. */
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
  return changeEach(trx, ids, { change: undoSome, describe, linkOf: linkByEmail(resource, undo.changes) });
}

/** Links the records that had the same email address before or after their changes: they give it back to each other. */
function linkByEmail(
  { uniqueBy }: ResourceDefinition,
  changes: Undo['changes'],
): ((id: string) => unknown) | undefined {
  if (!uniqueBy.includes('email')) return undefined;
  const holders = changes.flatMap(({ id, record, previous }) =>
    [record.email, previous.email].flatMap((email) =>
      typeof email === 'string' ? [{ id, email: email.toLowerCase() }] : [],
    ),
  );
  const byEmail = Map.groupBy(holders, ({ email }) => email);
  const sets = linkedSets([...byEmail.values()].map((some) => some.map(({ id }) => id)));
  const setOf = new Map(sets.flatMap((set) => set.map((id) => [id, set] as const)));
  return (id) => setOf.get(id) ?? id;
}

export { restoreDeleted } from './apply.ts';
export { findChanges } from './changes.ts';
export { revertRecord } from './revert.ts';

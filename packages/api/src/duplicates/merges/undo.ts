import { sql } from 'kysely';
import { checkUnmergeRights } from '../../access/merge-rights.ts';
import { seenAmong } from '../../access/visible-items.ts';
import { type DirectoryResource, definitionOf, type ResourceName } from '../../directory/registry.ts';
import { columnOf } from '../../engine/fields/columns.ts';
import type { ChangeCause } from '../../engine/outbox/event-outbox.ts';
import { always, byId, changeRecords } from '../../engine/write/mutations.ts';
import { rolledBack } from '../../engine/write/transaction.ts';
import { RosterError } from '../../errors/roster-error.ts';
import { findChanges, restoreDeleted, undoTogether } from '../../history/undo/service.ts';
import type { EventDetails } from '../../log/event-details.ts';
import type { RecordContext } from '../../records/procedure.ts';
import { causeOf, type Versioned } from '../../records/service.ts';
import { findSurvivorId } from '../../records/survivor.ts';
import { findRecords } from '../../records/try-change.ts';
import type { CallContext } from '../../trpc/context.ts';
import { endMerge, lockMerge, lockRecords, restoreViews, type StoredMerge, type Trx } from './repository.ts';
import { withFreshLocks } from './retry.ts';
import { returnScheduledChanges } from './scheduled-changes.ts';
import type { MergeConflict, NotReturned, Unmerge } from './schemas.ts';

type Resource = DirectoryResource<{ id: string }>;

export type Unmerged<Row> = Row & {
  survivorId: string;
  conflicts: MergeConflict[];
  notReturned: NotReturned;
};

const BATCH_SIZE = 500;

interface Undo {
  merge: StoredMerge;
  cause: ChangeCause;
  retentionDays: number;
}

type Kind = 'references' | 'values';

/** Returns what is left unchanged because it was changed since. */
async function undoChanges(
  trx: Trx,
  resource: Resource,
  { ids, kind, merge, ...undo }: Undo & { ids: readonly string[]; kind?: Kind },
): Promise<MergeConflict[]> {
  const { name, references } = resource;
  const isPutBack = (field: string) =>
    kind === undefined || (kind === 'references') === (references[columnOf(field)] !== undefined);
  const left: MergeConflict[] = [];
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const some = ids.slice(start, start + BATCH_SIZE);
    const changes = await findChanges(
      trx,
      sql`subject_id = any(${some}::uuid[]) and details ->> 'mergeId' = ${merge.id} and details ->> 'undoesMerge' is null`,
    );
    const request = { ids: some, changes, isPutBack, limit: undefined, ...undo };
    const { rejected, partial } = await undoTogether(trx, resource, request);
    for (const { id, fields } of [...rejected, ...partial]) {
      const names = fields.length === 0 ? [null] : fields.map(({ field }) => field);
      left.push(...names.map((field) => ({ resource: name, id, field })));
    }
  }
  return left;
}

async function checkSurvivor(
  trx: Trx,
  { table }: Resource,
  { merge, limit }: { merge: StoredMerge; limit: CallContext['limit'] },
): Promise<void> {
  const mergedInto = await findSurvivorId(trx, merge.survivorId);
  if (mergedInto !== undefined && limit === undefined) {
    const detail = `The ${table} ${merge.survivorId} has itself been merged since. Undo that merge first.`;
    throw new RosterError('record_merged', detail, { mergedInto });
  }
  if (limit !== undefined) throw noMerge(table, merge.duplicateId);
}

function noMerge(table: string, id: string): RosterError {
  return new RosterError('not_found', `No ${table} with the ID ${id} was merged into a different one.`);
}

async function seenConflicts(
  trx: Trx,
  conflicts: readonly MergeConflict[],
  limit: CallContext['limit'],
): Promise<MergeConflict[]> {
  const seen = new Set<string>();
  for (const [name, some] of Map.groupBy(conflicts, ({ resource }) => resource)) {
    const ids = some.map(({ id }) => id);
    for (const id of await seenAmong(trx, definitionOf(name), { ids, limit })) seen.add(id);
  }
  return conflicts.filter(({ id }) => seen.has(id));
}

/** Gives the survivor a version with an event, if the merge had not changed its values. */
async function noteUndo<Row extends Versioned>(
  trx: Trx,
  resource: DirectoryResource<Row>,
  { merge, cause }: Pick<Undo, 'merge' | 'cause'>,
): Promise<void> {
  const noted = await trx
    .selectFrom('event')
    .where('subject_id', '=', merge.survivorId)
    .where(sql<boolean>`details ->> 'mergeId' = ${merge.id} and details ->> 'undoesMerge' is not null`)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  if (noted !== undefined) return;
  await changeRecords(trx, resource, {
    selection: byId(merge.survivorId),
    columns: {},
    verb: 'updated',
    when: always,
    cause,
    limit: undefined,
  });
}

async function unmergeLocked<Row extends Versioned>(
  trx: Trx,
  resource: DirectoryResource<Row>,
  { limit, ...undo }: Undo & Pick<CallContext, 'limit'>,
): Promise<Unmerged<Row>> {
  const { merge, cause } = undo;
  const { survivorId, duplicateId: id, moved } = merge;
  const isThere = (await lockRecords(trx, resource, { ids: [survivorId], limit })).has(survivorId);
  if (!isThere) await checkSurvivor(trx, resource, { merge, limit });
  await endMerge(trx, { id: merge.id, now: cause.now });
  // The survivor's values first, because the other record may need them, then the references.
  const survivor = { ids: [survivorId], ...undo };
  const conflicts = await undoChanges(trx, resource, { ...survivor, kind: 'values' });
  const [gone] = await restoreDeleted(trx, resource, { ids: [id], limit, ...undo });
  if (gone !== undefined) {
    // For limited access it may as well be out of the limit.
    if (limit !== undefined) throw noMerge(resource.table, id);
    const detail = `The merge of ${id} can no longer be undone: its retention period has ended.`;
    throw new RosterError('not_found', detail);
  }
  if (resource.parent?.isTree && isThere)
    await checkUnmergeRights(trx, { actorId: cause.actorId, survivorId, duplicateId: id });
  if (isThere) conflicts.push(...(await undoChanges(trx, resource, { ...survivor, kind: 'references' })));
  for (const [name, ids] of Object.entries(moved.records))
    conflicts.push(...(await undoChanges(trx, definitionOf(name as ResourceName), { ids, ...undo })));
  const scheduledChanges = await returnScheduledChanges(trx, merge, { name: resource.name, cause, limit });
  if (isThere) await noteUndo(trx, resource, undo);
  const reader = { readerId: cause.actorId, limit };
  const views = await restoreViews(trx, { views: moved.views, now: cause.now, ...reader });
  const record = (await findRecords<Row>(trx, resource, { ids: [id], limit: undefined })).get(id);
  if (record === undefined) throw new Error('a restored record is not there');
  return {
    ...record,
    survivorId,
    conflicts: await seenConflicts(trx, conflicts, limit),
    notReturned: { scheduledChanges, views },
  };
}

/**
 * Undoes a merge in one transaction: restores the record and its references. Values changed since stay, and
 * are returned as conflicts. A dry run checks every rule, then rolls back.
 *
 * Throws `not_found` if the record was not merged or can no longer be restored, `record_merged` if the
 * survivor was merged since, `insufficient_scope` if the rights over two offices differ, and the error of a
 * violated constraint, such as `email_taken`.
 */
export async function unmergeRecord<Row extends Versioned>(
  ctx: RecordContext,
  resource: DirectoryResource<Row>,
  { id, reason, dryRun }: Unmerge,
): Promise<Unmerged<Row>> {
  const { limit } = ctx;
  const { retentionDays } = ctx.settings;
  const given = causeOf(ctx, reason);
  return withFreshLocks(ctx.db, async (trx) => {
    const merge = await lockMerge(trx, resource, id);
    if (merge === undefined) throw noMerge(resource.table, id);
    const details: EventDetails = { mergeId: merge.id, undoesMerge: true };
    const cause = { ...given, details: { ...given.details, ...details } };
    const unmerge = () => unmergeLocked(trx, resource, { merge, cause, retentionDays, limit });
    return dryRun ? rolledBack(trx, unmerge) : unmerge();
  });
}

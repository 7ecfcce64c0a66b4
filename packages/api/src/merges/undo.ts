import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { type DirectoryResource, definitionOf, type ResourceName } from '../directory.ts';
import { RosterError } from '../errors/roster-error.ts';
import { type Json, patchTo } from '../history/field-changes.ts';
import { causeOf, restoredColumns, type Versioned, writtenColumns } from '../records/service.ts';
import { columnOf } from '../resources/fields/columns.ts';
import { writtenFields } from '../resources/fields/shapes.ts';
import type { ChangeCause } from '../resources/outbox/event-outbox.ts';
import { byIds, changeRecords, insertRecord } from '../resources/write/mutations.ts';
import { takeTombstone } from '../resources/write/tombstones.ts';
import { changePending } from '../scheduled-changes/service.ts';
import type { CallContext } from '../trpc/context.ts';
import {
  endMerge,
  findSurvivorId,
  lockMerge,
  lockRecords,
  restoreViews,
  returnScheduledChanges,
  type StoredMerge,
} from './repository.ts';
import { withFreshLocks } from './retry.ts';
import type { MergeConflict } from './schemas.ts';

type Trx = Transaction<Database>;
type Resource = DirectoryResource<{ id: string }>;

/** A record that was merged into another one and is there again. */
export type Unmerged<Row> = Row & { survivorId: string; conflicts: MergeConflict[] };

/** The change of one record by a merge: the fields that it changed, before and after. */
interface Change {
  before: Json;
  after: Json;
}

/** The changes that a merge made in some records, by their ids; of those whose events are no longer kept there are none. */
async function readChanges(
  trx: Trx,
  { mergeId, ids }: { mergeId: string; ids: readonly string[] },
): Promise<Map<string, Change>> {
  const { rows } = await sql<{ id: string; record: Json; previous: Json }>`
    select subject_id as id, record, previous from event
    where subject_id = any(${ids}::uuid[]) and details ->> 'mergeId' = ${mergeId} and details ->> 'undoesMerge' is null
    order by event.id`.execute(trx);
  const changes = new Map<string, Change>();
  for (const { id, record, previous } of rows) {
    const { before = {} } = changes.get(id) ?? {};
    changes.set(id, { before: { ...previous, ...before }, after: record });
  }
  return changes;
}

interface Undo {
  merge: StoredMerge;
  cause: ChangeCause;
}

/** Fields that refer to other records, or those that do not; undefined for all. */
type Kind = 'references' | 'values' | undefined;

/**
 * The patch that gives a record back what a merge has changed in fields of a kind, but for those that were changed since, which are
 * conflicts.
 */
function undoPatch(
  { fields, references }: Resource,
  { before, after }: Change,
  [current, kind]: [Json, Kind],
) {
  const isOfKind = (name: string) =>
    kind === undefined || (kind === 'references') === (references[columnOf(name)] !== undefined);
  const names = writtenFields(fields).flatMap(([name]) => (name in before && isOfKind(name) ? [name] : []));
  const isKept = (name: string) => isDeepStrictEqual(current[name], after[name]);
  return {
    patch: patchTo(current, { ...current, ...before }, names.filter(isKept)),
    conflicts: names.filter((name) => !isKept(name)),
  };
}

/** Gives records back what a merge has changed in them. Returns what stays as it is, because it was changed since. */
async function putBack(
  trx: Trx,
  resource: Resource,
  { ids, merge, cause, kind }: Undo & { ids: readonly string[]; kind?: Kind },
): Promise<MergeConflict[]> {
  const changes = await readChanges(trx, { mergeId: merge.id, ids });
  const locked = await lockRecords(trx, resource, { ids, limit: undefined });
  const conflicts: MergeConflict[] = [];
  const groups = new Map<string, { patch: Json; ids: string[] }>();
  for (const id of ids) {
    const [current, change] = [locked.get(id), changes.get(id)];
    if (current === undefined || change === undefined) {
      conflicts.push({ resource: resource.name, id, field: null });
      continue;
    }
    const { patch, conflicts: fields } = undoPatch(resource, change, [current, kind]);
    conflicts.push(...fields.map((field) => ({ resource: resource.name, id, field })));
    if (Object.keys(patch).length === 0) continue;
    const key = JSON.stringify(patch);
    groups.set(key, { patch, ids: [...(groups.get(key)?.ids ?? []), id] });
  }
  for (const { patch, ids: alike } of groups.values())
    await changeRecords(trx, resource, {
      selection: byIds(alike),
      columns: writtenColumns(resource, patch, { isPatch: true }),
      verb: 'updated',
      cause,
      limit: undefined,
    });
  return conflicts;
}

/** Gives the changes that are scheduled back to the record that they were of, or led to. */
async function putScheduledBack<Row extends Versioned>(
  trx: Trx,
  resource: DirectoryResource<Row>,
  { merge, cause }: Undo,
): Promise<void> {
  const subjects = await returnScheduledChanges(trx, merge, resource);
  for (const [id, name] of [...subjects].sort(([one], [other]) => (one < other ? -1 : 1)))
    await changePending(trx, definitionOf(name as ResourceName), { id, cause });
}

/** Throws the error for a merge whose survivor is not there for the caller. */
async function checkSurvivor(
  trx: Trx,
  { table }: Resource,
  { merge, limit }: { merge: StoredMerge; limit: CallContext['limit'] },
): Promise<void> {
  const mergedInto = await findSurvivorId(trx, merge.survivorId);
  if (mergedInto !== undefined && limit === undefined) {
    const detail = `The ${table} ${merge.survivorId} was merged into another one since: undo that first.`;
    throw new RosterError('record_merged', detail, { mergedInto });
  }
  if (limit !== undefined) throw noMerge(table, merge.duplicateId);
}

function noMerge(table: string, id: string): RosterError {
  return new RosterError('not_found', `No ${table} with the id ${id} was merged into another one.`);
}

/**
 * Undoes the merge of a record into another one, in one transaction: the record is there again as it was, and what referred to it
 * does again. What was changed since stays as it is and is answered as a conflict.
 *
 * Throws `not_found` if the record was not merged, or longer ago than deleted records are kept; `record_merged` if the survivor was merged
 * since; and the error of the constraint that rejects what was, such as `email_taken`.
 */
export async function unmergeRecord<Row extends Versioned>(
  ctx: CallContext,
  resource: DirectoryResource<Row>,
  { id, reason }: { id: string; reason?: string | null | undefined },
): Promise<Unmerged<Row>> {
  const given = causeOf(ctx, reason);
  const { retentionDays } = ctx.services;
  const { limit } = ctx;
  return withFreshLocks(ctx.db, async (trx) => {
    const merge = await lockMerge(trx, resource, id);
    if (merge === undefined) throw noMerge(resource.table, id);
    const { survivorId, moved } = merge;
    const cause = { ...given, details: { mergeId: merge.id, undoesMerge: true as const } };
    const isThere = (await lockRecords(trx, resource, { ids: [survivorId], limit })).has(survivorId);
    if (!isThere) await checkSurvivor(trx, resource, { merge, limit });
    await endMerge(trx, { id: merge.id, now: cause.now });
    // Its values first, which the other one may need, and then what refers to that.
    const survivor = { ids: [survivorId], merge, cause };
    const conflicts = await putBack(trx, resource, { ...survivor, kind: 'values' });
    const last = await takeTombstone(trx, resource, { id, now: cause.now, retentionDays, limit });
    if (last === undefined)
      throw new RosterError(
        'not_found',
        `The merge of ${id} can no longer be undone: its last state is not kept any more.`,
      );
    const columns = restoredColumns(resource, last, cause.now);
    const record = await insertRecord(trx, resource, { columns, verb: 'restored', cause, limit: undefined });
    if (isThere) conflicts.push(...(await putBack(trx, resource, { ...survivor, kind: 'references' })));
    for (const [name, ids] of Object.entries(moved.records))
      conflicts.push(...(await putBack(trx, definitionOf(name as ResourceName), { ids, merge, cause })));
    await putScheduledBack(trx, resource, { merge, cause });
    await restoreViews(trx, { views: moved.views, now: cause.now });
    const { rows } = await sql<{ record: Row }>`
      select ${resource.record} as record from ${sql.table(resource.table)} where id = ${id}`.execute(trx);
    return { ...(rows[0]?.record ?? record), survivorId, conflicts };
  });
}

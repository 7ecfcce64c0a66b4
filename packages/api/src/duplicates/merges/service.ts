import { isDeepStrictEqual } from 'node:util';
import type { MovedReferences } from '@roster/db';
import { checkMergeRights } from '../../access/merge-rights.ts';
import { seenAmong } from '../../access/visible-items.ts';
import { type DirectoryResource, definitionOf, type ResourceName } from '../../directory/registry.ts';
import { newId } from '../../engine/new-id.ts';
import type { ChangeCause } from '../../engine/outbox/event-outbox.ts';
import { always, byId, changeRecords, deleteRecord } from '../../engine/write/mutations.ts';
import {
  checkVersion,
  ofVersion,
  type Precondition,
  preconditionOf,
} from '../../engine/write/precondition.ts';
import { rolledBack } from '../../engine/write/transaction.ts';
import { invalidInput, RosterError } from '../../errors/roster-error.ts';
import type { EventDetails } from '../../log/event-details.ts';
import { asJson, type Json } from '../../records/field-changes.ts';
import { causeOf, notFound, type Versioned, writtenColumns } from '../../records/service.ts';
import { pendingColumns } from '../../schedule/service.ts';
import type { CallContext } from '../../trpc/context.ts';
import { checkChoices, mergePatch } from './merged-values.ts';
import { moveReferences, ownReferences } from './references.ts';
import { lockRecords, moveViews, type RecordJson, type Trx } from './repository.ts';
import { withFreshLocks } from './retry.ts';
import { moveScheduledChanges, writePending } from './scheduled-changes.ts';
import type { Merge } from './schemas.ts';

export type Merged<Row> = Row & {
  mergeId: string | null;
  duplicateId: string;
  moved: Record<string, number>;
};

/** Throws `version_required`. */
function duplicateVersions({ request }: CallContext, version: number | undefined): Precondition | undefined {
  if (version !== undefined) return ofVersion(version);
  if (request.isVersionRequired)
    throw new RosterError('version_required', 'Send the version of the duplicate as duplicateVersion.');
  return undefined;
}

/** Throws `validation_failed` for merging a record into itself. */
function checkTwo({ id, duplicateId }: Merge): void {
  if (id === duplicateId)
    throw invalidInput({ pointer: '#/duplicateId', code: 'self', detail: 'is the ID of the record itself' });
}

interface Pair<Row> {
  resource: DirectoryResource<Row & { id: string }>;
  survivor: RecordJson;
  duplicate: RecordJson;
  mergeId: string;
  cause: ChangeCause;
}

function causeIn(
  { mergeId, cause }: Pick<Pair<unknown>, 'mergeId' | 'cause'>,
  details: EventDetails = {},
): ChangeCause {
  return { ...cause, details: { ...cause.details, mergeId, ...details } };
}

async function moveAll<Row extends Versioned>(trx: Trx, pair: Pair<Row>): Promise<MovedReferences> {
  const { resource, survivor, duplicate, cause } = pair;
  const move = { from: duplicate.id, to: survivor.id };
  const records = await moveReferences(trx, resource, { ...move, cause: causeIn(pair) });
  const { own, destinations } = await moveScheduledChanges(trx, move);
  const subjects = new Map(destinations.map(({ subject, resource: name }) => [subject, name]));
  for (const { id } of [survivor, duplicate]) subjects.delete(id);
  await writePending(trx, subjects, causeIn(pair));
  const views = await moveViews(trx, { ...move, now: cause.now });
  return { records, scheduledChanges: own, destinations: destinations.map(({ id }) => id), views };
}

async function deleteDuplicate<Row extends Versioned>(trx: Trx, pair: Pair<Row>): Promise<void> {
  const { resource, survivor, duplicate } = pair;
  const cause = causeIn(pair, { mergedInto: survivor.id });
  // Its scheduled changes moved to the survivor and must not be cancelled.
  const columns = { scheduled_changes: { value: '[]' } };
  const unlimited = { limit: undefined };
  await changeRecords(trx, resource, {
    selection: byId(duplicate.id),
    columns,
    verb: 'merged',
    cause,
    ...unlimited,
    when: always,
  });
  await deleteRecord(trx, resource, { id: duplicate.id, cause, ...unlimited });
}

async function changeSurvivor<Row extends Versioned>(
  trx: Trx,
  pair: Pair<Row> & { patch: object },
): Promise<Row> {
  const { resource, survivor, duplicate, patch } = pair;
  const [changed] = await changeRecords(trx, resource as DirectoryResource<Row>, {
    selection: byId(survivor.id),
    columns: {
      ...writtenColumns(resource, patch, { isPatch: true }),
      ...pendingColumns,
    },
    verb: 'merged',
    when: always,
    cause: causeIn(pair, { mergedFrom: duplicate.id }),
    // The values come from two records the caller may see.
    limit: undefined,
  });
  if (changed === undefined) throw new Error('a locked record was not changed');
  return changed.record;
}

interface Keys {
  source: { name: string; key: string } | null;
  email: string | null;
  name: string;
}

/** The keys that lead to the survivor without being its own: the duplicate's, or its previous ones. */
function leadingKeys<Row>(
  { nameParts }: Pair<Row>['resource'],
  { survivor, duplicate }: Pick<Pair<Row>, 'survivor' | 'duplicate'>,
  result: Json,
): Keys {
  const nameOf = (record: Json) =>
    nameParts
      .map((field) => record[field])
      .filter((name) => name !== null)
      .join(' ');
  const keysOf = (record: Json) =>
    ({ source: record.source, email: record.email, name: nameOf(record) }) as Keys;
  const [was, other, is] = [keysOf(survivor), keysOf(duplicate), keysOf(result)];
  const leading = <Key extends keyof Keys>(key: Key): Keys[Key] =>
    was[key] !== null && !isDeepStrictEqual(was[key], is[key]) ? was[key] : other[key];
  return { source: leading('source'), email: leading('email'), name: leading('name') };
}

/** For locked records; see `mergeRecord`. Also returns the IDs of all records that now refer to the survivor. */
async function mergeLocked<Row extends Versioned>(
  trx: Trx,
  pair: Pair<Row>,
  choices: NonNullable<Merge['fields']>,
): Promise<{ record: Row; moved: MovedReferences['records'] }> {
  const { resource, duplicate, mergeId, cause } = pair;
  let { survivor } = pair;
  checkChoices(resource, { survivor, duplicate, choices });
  if (resource.parent?.isTree)
    await checkMergeRights(trx, { ...pair.cause, survivorId: survivor.id, duplicateId: duplicate.id });
  const own = ownReferences(resource, { survivor, duplicate });
  if (Object.keys(own).length > 0) {
    const change = { columns: own, verb: 'updated' as const, cause: causeIn(pair), limit: undefined };
    const [changed] = await changeRecords(trx, resource, { selection: byId(survivor.id), ...change });
    survivor = { ...survivor, ...changed?.record };
  }
  const patch = mergePatch(resource, { survivor, duplicate, choices });
  const moved = await moveAll(trx, pair);
  await deleteDuplicate(trx, pair);
  const record = await changeSurvivor(trx, { ...pair, survivor, patch });
  const { source, ...keys } = leadingKeys(resource, pair, asJson(record));
  await trx
    .insertInto('record_merge')
    .values({
      id: mergeId,
      collection: resource.name,
      survivor_id: survivor.id,
      duplicate_id: duplicate.id,
      source_name: source?.name ?? null,
      source_key: source?.key ?? null,
      ...keys,
      merged_at: cause.now,
      merged_by: cause.actorId,
      undone_at: null,
      moved: JSON.stringify(moved),
    })
    .execute();
  return { record, moved: moved.records };
}

async function countMoved(
  trx: Trx,
  moved: MovedReferences['records'],
  limit: CallContext['limit'],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, ids] of Object.entries(moved)) {
    const { size } = await seenAmong(trx, definitionOf(name as ResourceName), { ids, limit });
    if (size > 0) counts[name] = size;
  }
  return counts;
}

/**
 * Merges a record into another, the survivor, in one transaction. The survivor gets the chosen values and all
 * references to the duplicate, which is deleted and afterwards found as the survivor. Events in order: of the
 * referring records, `merged` and `deleted` of the duplicate, `merged` of the survivor; each names the merge.
 * A dry run checks every rule, then rolls back.
 *
 * Throws `not_found`, `version_conflict`, `version_required`, `validation_failed` for impossible choices,
 * `insufficient_scope` if the rights over two offices differ, and the error of a violated constraint, such as
 * `office_inactive` for agents of an office merged into an inactive one.
 */
export async function mergeRecord<Row extends Versioned>(
  ctx: CallContext,
  resource: DirectoryResource<Row>,
  request: Merge,
): Promise<Merged<Row>> {
  const { id, duplicateId, duplicateVersion, dryRun } = request;
  checkTwo(request);
  const precondition = preconditionOf(ctx, request);
  const expected = duplicateVersions(ctx, duplicateVersion);
  const cause = causeOf(ctx, request.reason);
  return withFreshLocks(ctx.db, async (trx) => {
    const locked = await lockRecords(trx, resource, { ids: [id, duplicateId], limit: ctx.limit });
    const [survivor, duplicate] = [locked.get(id), locked.get(duplicateId)];
    if (survivor === undefined) throw notFound(resource, id);
    checkVersion(survivor, precondition);
    if (duplicate === undefined) throw notFound(resource, duplicateId);
    checkVersion(duplicate, expected);
    const mergeId = newId(cause.now);
    const pair = { resource, survivor, duplicate, mergeId, cause };
    const merge = async () => {
      const { record, moved } = await mergeLocked<Row>(trx, pair, request.fields ?? {});
      return { ...record, duplicateId, moved: await countMoved(trx, moved, ctx.limit) };
    };
    return dryRun ? { ...(await rolledBack(trx, merge)), mergeId: null } : { ...(await merge()), mergeId };
  });
}

export { unmergeRecord } from './undo.ts';

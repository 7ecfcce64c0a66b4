import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { z } from 'zod';
import { withActors } from '../access/actors.ts';
import { limitFor } from '../access/caller.ts';
import { checkCreationLimit, maxFor } from '../access/creation-limits.ts';
import { checkScopes, chooseNames } from '../access/scopes.ts';
import { type DirectoryResource, definitionOf, resourceNames } from '../directory/registry.ts';
import type { ResourceDefinition } from '../engine/definition.ts';
import { type ChangeKind, PENDING_MAX } from '../engine/fields/scheduled-changes.ts';
import { noRecordError, requireRecord } from '../engine/list/find-record.ts';
import { listPage, type Page } from '../engine/list/list-records.ts';
import { newId } from '../engine/new-id.ts';
import { isWithinLimit } from '../engine/office-limit.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import type { Columns } from '../engine/sql/column-mapping.ts';
import { byId, changeRecords, type Limited } from '../engine/write/mutations.ts';
import { checkVersion, preconditionOf } from '../engine/write/precondition.ts';
import { inTransaction } from '../engine/write/transaction.ts';
import { inputError, RosterError } from '../errors/roster-error.ts';
import type { EventDetails } from '../log/event-details.ts';
import {
  causeOf,
  getRecord,
  notFound,
  type OneChange,
  type StatusVerb,
  setStatus,
  type Versioned,
} from '../records/service.ts';
import type { CallContext } from '../trpc/context.ts';
import { type Effective, effectiveTime, type ReadZone, zoneOfRecord } from './effective-time.ts';
import { pendingColumns, tooManyPending } from './many.ts';
import {
  endScheduledChange,
  findScheduledChange,
  insertScheduledChange,
  lockRecord,
  pendingChanges,
  scheduledChanges,
} from './repository.ts';
import type { ScheduledChange, ScheduledChangeQuery } from './schemas.ts';

/** The first and the last places on Earth where a day begins. */
const [EASTERNMOST, WESTERNMOST] = ['Etc/GMT-14', 'Etc/GMT+12'];

export { type Effective, zoneOfOffice } from './effective-time.ts';
export { cancelMany, pendingColumns, scheduleMany } from './many.ts';

export interface StatusChange extends OneChange, Effective {
  reason?: string | null | undefined;
}

interface TimedChange {
  change: ChangeKind;
  input: StatusChange;
  zone: ReadZone;
  officeId?: string;
  isCascade?: boolean | undefined;
}

/**
 * Makes a change now, or schedules it for a future time, which takes the role of a manager. Scheduling makes
 * a new version with the event `updated`, unless the same change is already scheduled. Throws the errors of
 * `now`; for scheduling `insufficient_scope`, `not_found`, `version_conflict`, `validation_failed`,
 * `limit_reached` for too many pending changes, and `reference_not_found` for an office that is missing or
 * out of the limit.
 */
export async function nowOrLater<Row extends Versioned, Result>(
  ctx: CallContext,
  resource: DirectoryResource<Row>,
  { input, zone, ...change }: TimedChange,
  now: () => Promise<Result>,
): Promise<Result | Row> {
  const effectiveAt = await effectiveTime(ctx, input, zone);
  if (effectiveAt === undefined) return now();
  const limit = limitFor(ctx.caller, { scope: `${resource.name}:write`, isManaged: true });
  const { id, ifVersion, reason = null } = input;
  const precondition = preconditionOf(ctx, { ifVersion });
  return inTransaction(ctx.db, async (trx) => {
    const record = await lockRecord(trx, resource, { id, limit });
    if (record === undefined) throw notFound(resource, id);
    const { officeId = null, isCascade = false } = change;
    const pending = await pendingChanges(trx, id);
    const isScheduled = pending.some(
      (other) =>
        other.change === change.change &&
        other.officeId === officeId &&
        other.isCascade === isCascade &&
        other.effectiveAt === effectiveAt.toISOString(),
    );
    if (isScheduled) return getRecord({ db: trx, limit }, resource, id);
    checkVersion(record, precondition);
    if (pending.length >= maxFor(limit, PENDING_MAX))
      throw new RosterError('limit_reached', tooManyPending(resource, pending.length));
    if (officeId !== null) await checkOffice(trx, { id: officeId, change: change.change, limit });
    const cause = causeOf(ctx, reason);
    await checkCreationLimit(trx, 'scheduledChanges', { ...ctx, limit });
    const scheduledId = newId(cause.now);
    await insertScheduledChange(trx, {
      id: scheduledId,
      resource: resource.name,
      subject_id: id,
      change: change.change,
      effective_at: effectiveAt,
      office_id: officeId,
      is_cascade: isCascade,
      reason,
      scheduled_by: ctx.caller.id,
      scheduled_at: cause.now,
      office_ids: limit ? [...limit.granted] : null,
    });
    return changePending(trx, resource, {
      id,
      cause: { ...cause, details: { scheduledChangeId: scheduledId } satisfies EventDetails },
    });
  });
}

/** Throws the errors of `setStatus` and `nowOrLater`. */
export function changeStatus<Row extends Versioned>(
  ctx: CallContext,
  resource: DirectoryResource<Row>,
  verb: StatusVerb,
  input: StatusChange,
): Promise<Row> {
  const zone = zoneOfRecord(resource, { id: input.id, limit: ctx.limit });
  return nowOrLater(ctx, resource, { change: verb, input, zone }, () =>
    setStatus(ctx, resource, verb, input),
  );
}

/**
 * The time of a bulk change: undefined if it happens now. A day may have begun at some offices and not at others,
 * so it is kept unless it has begun everywhere. Throws `validation_failed` as `effectiveTime`.
 */
export async function scheduledTime(ctx: CallContext, times: Effective): Promise<Effective | undefined> {
  const easternmost = async () => ({ zone: EASTERNMOST });
  const westernmost = async () => ({ zone: WESTERNMOST });
  await effectiveTime(ctx, times, easternmost);
  if ((await effectiveTime(ctx, times, westernmost)) === undefined) return undefined;
  const { effectiveAt, effectiveOn } = times;
  return effectiveOn === undefined ? { effectiveAt } : { effectiveOn };
}

/** Checks what a job could only find out later. Throws `limit_reached`, `reference_not_found`. */
export async function checkScheduling(
  trx: Transaction<Database>,
  ctx: CallContext,
  change: { type: string; officeId?: string },
  count: number,
): Promise<void> {
  const { officeId } = change;
  if (officeId !== undefined)
    await checkOffice(trx, { id: officeId, change: 'transfer', limit: ctx.limit, at: '#/change/officeId' });
  // As if these were there already.
  await checkCreationLimit(trx, 'scheduledChanges', ctx, { created: -count });
}

/** Throws `reference_not_found`. The office need not be active before the change happens. */
async function checkOffice(
  trx: Transaction<Database>,
  { id, change, limit, at }: Limited & { id: string; change: ChangeKind; at?: string },
): Promise<void> {
  const office = trx.selectFrom('office').where('id', '=', id).where(isWithinLimit('id', limit)).select('id');
  if ((await office.executeTakeFirst()) !== undefined) return;
  const pointer = at ?? (change === 'transfer_agents' ? '#/toOfficeId' : '#/officeId');
  throw inputError('reference_not_found', {
    pointer,
    code: 'not_found',
    detail: 'is not an existing record',
  });
}

/** Updates a locked record's `scheduledChanges` and other columns, and returns the record. */
export async function changePending<Row extends Versioned>(
  trx: Transaction<Database>,
  resource: ResourceDefinition<Row>,
  change: {
    id: string;
    cause: ChangeCause;
    columns?: Columns;
    verb?: 'updated' | 'deactivated' | 'reactivated' | 'transferred' | 'change_failed';
  },
): Promise<Row> {
  const { id, cause, columns = {}, verb = 'updated' } = change;
  const [changed] = await changeRecords(trx, resource, {
    selection: byId(id),
    columns: { ...columns, ...pendingColumns },
    verb,
    cause,
    // The record was locked within the limit.
    limit: undefined,
  });
  if (changed === undefined) throw notFound(resource, id);
  return changed.record;
}

/** Throws `not_found`, and `insufficient_scope` without the scope to read its resource. */
export async function getScheduledChange(ctx: CallContext, id: string): Promise<ScheduledChange> {
  const change = await visibleChange(ctx, id);
  checkScopes(ctx.caller, [`${change.resource}:read`]);
  return change;
}

async function visibleChange(ctx: CallContext, id: string): Promise<ScheduledChange> {
  const change = await requireRecord(ctx.db, scheduledChanges, { id, limit: ctx.limit });
  const [named = change] = await withActors(ctx.db, [change], ctx.caller);
  return named;
}

/** Throws `insufficient_scope` for a resource the caller may not read, `invalid_cursor`, `cursor_mismatch`. */
export async function listScheduledChanges(
  { db, caller, limit, now }: CallContext,
  query: z.output<typeof ScheduledChangeQuery>,
): Promise<Page<ScheduledChange>> {
  const resource = chooseNames(caller, query.resource, 'read');
  const isEvery = query.resource === undefined && resource.length === resourceNames.length;
  const input = isEvery ? query : { ...query, resource };
  const page = await listPage(db, { resource: scheduledChanges, input, now: now(), limit });
  return { ...page, items: await withActors(db, page.items, caller) };
}

/** Throws `not_found`, `insufficient_scope`, and `change_finished` if it is done or has failed. */
export async function cancelScheduledChange(ctx: CallContext, id: string): Promise<ScheduledChange> {
  return inTransaction(ctx.db, async (trx) => {
    const found = await findScheduledChange(trx, { id });
    if (found === undefined) throw noRecordError(scheduledChanges, id);
    checkScopes(ctx.caller, [`${found.resource}:write`]);
    const resource = definitionOf(found.resource);
    const { subjectId } = found;
    const record = await lockRecord(trx, resource, { id: subjectId, limit: ctx.limit });
    const change = await findScheduledChange(trx, { id, isLocked: true });
    // The record can have left the limit since. After a deletion, only unlimited access sees the change.
    const isHidden = record === undefined && ctx.limit !== undefined;
    if (isHidden || change === undefined) throw noRecordError(scheduledChanges, id);
    const { status } = change;
    if (status === 'pending') {
      const cause = { ...causeOf(ctx), details: { scheduledChangeId: id } satisfies EventDetails };
      await endScheduledChange(trx, id, { status: 'cancelled', now: cause.now });
      if (record !== undefined) await changePending(trx, resource, { id: subjectId, cause });
    } else if (status !== 'cancelled') {
      const how = status === 'done' ? 'is done' : 'has failed';
      throw new RosterError('change_finished', `The scheduled change ${how}.`);
    }
    return visibleChange({ ...ctx, db: trx }, id);
  });
}

import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import { limitFor } from '../access/caller.ts';
import { checkCreationLimit, checkNumber } from '../access/creation-limits.ts';
import { containsOffices } from '../access/office-ids.ts';
import { checkScopes, chooseNames } from '../access/scopes.ts';
import { type DirectoryResource, definitionOf } from '../directory/registry.ts';
import { noRecordError, requireRecord } from '../engine/list/find-record.ts';
import { listPage, type Page } from '../engine/list/list-records.ts';
import { newId } from '../engine/new-id.ts';
import { readLimit } from '../engine/office-limit.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import type { Limited } from '../engine/write/mutations.ts';
import { inTransaction } from '../engine/write/transaction.ts';
import { invalidInput, RosterError } from '../errors/roster-error.ts';
import type { RecordContext } from '../records/procedure.ts';
import { causeOf } from '../records/service.ts';
import { CHECKED_MAX, tryChange } from '../records/try-change.ts';
import { checkScheduling, scheduledTime } from '../schedule/service.ts';
import { RECORDS_OF_REQUEST } from '../trpc/authorization.ts';
import type { CallContext } from '../trpc/context.ts';
import { undoRecords } from './batches.ts';
import type { BulkChange, BulkPreview, BulkResponse } from './bulk/schemas.ts';
import { changeMany } from './bulk/service.ts';
import {
  BATCH_SIZE,
  copyChangedBatches,
  countChanged,
  firstMatching,
  insertBatches,
  lastChanged,
  type RecordFilter,
} from './record-sets.ts';
import { endCancelled, findUndo, jobErrors, jobs, type LockedJob, lockJob, setTotal } from './repository.ts';
import type { Job, JobError, JobErrorQuery, JobQuery, JobResource } from './schemas.ts';

export interface BulkRequest {
  filter: { all?: true | undefined };
  selects?: RecordFilter;
  change: BulkChange;
  expectedCount?: number | undefined;
  dryRun?: boolean | undefined;
  reason?: string | null | undefined;
  effectiveAt?: string | undefined;
  effectiveOn?: string | undefined;
}

interface OwnJob {
  resource: JobResource;
  filter: object | null;
  change: object | null;
  undoes: string | null;
  reason: string | null;
  total: number;
  batches: number;
  officeIds?: readonly string[] | null;
  isOpen?: boolean;
}

interface Accepted {
  id: string;
  now: Date;
}

/** Has the caller's limit unless `officeIds` is given. Doesn't check the number of jobs. */
export function insertOwnJob(
  trx: Transaction<Database>,
  ctx: CallContext,
  { officeIds = ctx.limit?.granted ?? null, ...job }: OwnJob,
): Promise<Accepted> {
  return insertJob(trx, causeOf(ctx), { ...job, officeIds });
}

type JobCause = Pick<ChangeCause, 'now' | 'actorId' | 'requestId'>;

async function insertJob(
  trx: Transaction<Database>,
  { now, actorId, requestId }: JobCause,
  { filter, change, officeIds, isOpen = false, ...job }: OwnJob & Required<Pick<OwnJob, 'officeIds'>>,
): Promise<Accepted> {
  const id = newId(now);
  const isEmpty = job.total === 0 && !isOpen;
  await trx
    .insertInto('job')
    .values({
      ...job,
      id,
      filter: filter && JSON.stringify(filter),
      change: change && JSON.stringify(change),
      status: isEmpty ? 'completed' : 'queued',
      finished_at: isEmpty ? now : null,
      created_at: now,
      worked_at: now,
      created_by: actorId,
      request_id: requestId,
      office_ids: officeIds && [...officeIds],
    })
    .execute();
  return { id, now };
}

interface ChangeOfMatching extends Limited {
  filter: object;
  selects: RecordFilter;
  change: BulkChange;
  reason: string | null;
  officeIds: readonly string[] | null;
}

/** As many records as match at this moment. Doesn't check the number of jobs. Returns the ID of the job. */
export async function insertChange(
  trx: Transaction<Database>,
  resource: DirectoryResource,
  { cause, limit, selects, ...job }: ChangeOfMatching & { cause: JobCause },
): Promise<string> {
  const open = { resource: resource.name, undoes: null, total: 0, batches: 0, isOpen: true };
  const { id, now } = await insertJob(trx, cause, { ...job, ...open });
  const total = await insertBatches(trx, resource, { filter: selects, limit, jobId: id, now });
  await setTotal(trx, { id, now, total, batches: Math.ceil(total / BATCH_SIZE) });
  return id;
}

/** Accepts a change of all records that match at this moment. Throws `limit_reached`. */
export async function acceptChange(
  trx: Transaction<Database>,
  ctx: CallContext,
  resource: DirectoryResource,
  {
    reason = null,
    ...change
  }: Pick<ChangeOfMatching, 'filter' | 'selects' | 'change'> & {
    reason?: string | null | undefined;
  },
): Promise<Job> {
  const { limit } = ctx;
  await checkNumber(trx, 'jobs', ctx);
  const own = { cause: causeOf(ctx), limit, officeIds: limit?.granted ?? null };
  const id = await insertChange(trx, resource, { ...change, ...own, reason });
  await checkCreationLimit(trx, 'jobs', ctx, { created: 1 });
  return requireRecord(trx, jobs, { id, limit });
}

/** Locks the number of jobs last, because a filter can take seconds. Throws `limit_reached`. */
async function acceptJob(
  trx: Transaction<Database>,
  ctx: CallContext,
  { fill, ...job }: OwnJob & { fill: (accepted: Accepted) => Promise<void> },
): Promise<string> {
  await checkNumber(trx, 'jobs', ctx);
  const accepted = await insertOwnJob(trx, ctx, job);
  await fill(accepted);
  await checkCreationLimit(trx, 'jobs', ctx, { created: 1 });
  return accepted.id;
}

/**
 * Accepts a bulk change and returns the job; with `dryRun` the number of records and the effect on the first
 * 500 by ID. One statement counts and fixes the records, within the limit. A call counts as an import of 500
 * records. With a time that has not come, the job schedules the change of each record, which takes the role of
 * a manager; a preview shows the change as it would be now. Throws `count_mismatch`, `limit_reached`,
 * `insufficient_scope`, `rate_limited`, and the errors of `scheduledTime`.
 */
export async function changeByFilter(
  ctx: RecordContext,
  resource: DirectoryResource<{ id: string }>,
  { filter, selects = filter, change, expectedCount, dryRun = false, reason = null, ...times }: BulkRequest,
): Promise<BulkResponse> {
  const time = await scheduledTime(ctx, times);
  if (time !== undefined && change.type === 'delete')
    throw invalidInput({ pointer: '#/change/type', code: 'not_allowed', detail: "can't be scheduled" });
  const limit =
    time === undefined
      ? ctx.limit
      : limitFor(ctx.caller, { scope: `${resource.name}:write`, isManaged: true });
  const { defaultCountry } = ctx.settings;
  const { all, ...filters } = filter;
  await ctx.request.charge(CHECKED_MAX / RECORDS_OF_REQUEST - 1);
  return inTransaction(ctx.db, async (trx) => {
    if (dryRun || expectedCount === undefined) {
      const cause = causeOf(ctx, reason);
      const matching = { filter: selects, now: cause.now, limit, max: CHECKED_MAX };
      const { count, ids } = await firstMatching(trx, resource, matching);
      const tried = { ids, change, cause, limit, defaultCountry };
      const preview = await tryChange(trx, resource, {
        ids,
        count,
        limit,
        change: () => changeMany(trx, resource, tried),
      });
      checkCount(count, expectedCount);
      return preview;
    }
    if (time !== undefined) await checkScheduling(trx, { ...ctx, limit }, change, expectedCount);
    const id = await acceptJob(
      trx,
      { ...ctx, limit },
      {
        filter: all === true ? { all } : filters,
        change: { ...change, ...time },
        resource: resource.name,
        total: expectedCount,
        batches: Math.ceil(expectedCount / BATCH_SIZE),
        undoes: null,
        reason,
        fill: async ({ id: jobId, now }) => {
          const selected = { filter: selects, limit, jobId, now, expectedCount };
          checkCount(await insertBatches(trx, resource, selected), expectedCount);
        },
      },
    );
    return requireRecord(trx, jobs, { id, limit });
  });
}

/** Throws `count_mismatch`. */
function checkCount(actualCount: number, expectedCount: number | undefined): void {
  if (expectedCount === undefined || actualCount === expectedCount) return;
  const detail = `The filter matches ${actualCount} records, not ${expectedCount}.`;
  throw new RosterError('count_mismatch', detail, { actualCount });
}

/** Throws `not_found`, `insufficient_scope`. */
export async function getJob(ctx: CallContext, id: string): Promise<Job> {
  const job = await requireRecord(ctx.db, jobs, { id, limit: ctx.limit });
  checkScopes(ctx.caller, [`${job.resource}:read`]);
  return job;
}

/** Throws `insufficient_scope` for a requested resource the caller may not read. */
export async function listJobs(ctx: CallContext, { resource, ...query }: JobQuery): Promise<Page<Job>> {
  const input = { ...query, resource: chooseNames(ctx.caller, resource, 'read') };
  return listPage(ctx.db, { resource: jobs, input, limit: ctx.limit });
}

/** The records that could not be changed. Throws `not_found`, `insufficient_scope`. */
export async function listJobErrors(
  ctx: CallContext,
  { id, ...query }: JobErrorQuery,
): Promise<Page<JobError>> {
  await getJob(ctx, id);
  const input = { ...query, sort: 'createdAt', jobId: id };
  return listPage(ctx.db, { resource: jobErrors, input, limit: undefined });
}

/** Throws `not_found`, `insufficient_scope`. */
export async function lockOwnJob(
  trx: Transaction<Database>,
  ctx: CallContext,
  id: string,
): Promise<LockedJob> {
  const job = await lockJob(trx, id);
  if (job === undefined || !containsOffices(ctx.limit, job.office_ids)) throw noRecordError(jobs, id);
  checkScopes(ctx.caller, [`${job.resource}:write`]);
  return job;
}

/** Ends after the batch in progress; its changes stay. Throws `not_found`, `insufficient_scope`. */
export async function cancelJob(ctx: CallContext, id: string): Promise<Job> {
  return inTransaction(ctx.db, async (trx) => {
    await lockOwnJob(trx, ctx, id);
    await endCancelled(trx, { id, now: ctx.now() });
    return requireRecord(trx, jobs, { id, limit: ctx.limit });
  });
}

/** Throws `not_found`, `insufficient_scope`, `job_not_finished`. */
async function lockEnded(trx: Transaction<Database>, ctx: CallContext, id: string): Promise<LockedJob> {
  const job = await lockOwnJob(trx, ctx, id);
  if (job.status === 'queued' || job.status === 'running')
    throw new RosterError('job_not_finished', `The job is ${job.status}.`);
  return job;
}

/** Tries 500 records, last changed first. Throws `not_found`, `insufficient_scope`, `job_not_finished`. */
export async function previewUndo(ctx: RecordContext, id: string): Promise<BulkPreview> {
  return inTransaction(ctx.db, async (trx) => {
    const job = await lockEnded(trx, ctx, id);
    const resource = definitionOf(job.resource);
    const { total: count } = await countChanged(trx, id);
    const ids = await lastChanged(trx, { jobId: id, max: CHECKED_MAX });
    // With the job's limit, as its undo.
    const limit = job.office_ids === null ? undefined : await readLimit(trx, job.office_ids);
    const { retentionDays } = ctx.settings;
    const undo = { ids, undoes: id, cause: causeOf(ctx), retentionDays, limit };
    return tryChange(trx, resource, { ids, count, limit, change: () => undoRecords(trx, resource, undo) });
  });
}

/**
 * Accepts a job that reverts a job's changes, except where records changed since. Returns an existing undo
 * unless it was cancelled or has failed. Throws `not_found`, `insufficient_scope`, `job_not_finished`,
 * `limit_reached`.
 */
export async function undoJob(
  ctx: CallContext,
  { id, reason = null }: { id: string; reason?: string | null | undefined },
): Promise<Job> {
  return inTransaction(ctx.db, async (trx) => {
    const { resource, office_ids: officeIds } = await lockEnded(trx, ctx, id);
    const { limit } = ctx;
    const previous = await findUndo(trx, id);
    if (previous !== undefined) return requireRecord(trx, jobs, { id: previous, limit });
    const undo = await acceptJob(trx, ctx, {
      ...(await countChanged(trx, id)),
      resource,
      filter: null,
      change: null,
      // With equal limits both jobs are visible to the same callers.
      officeIds,
      undoes: id,
      reason,
      fill: ({ id: to }) => copyChangedBatches(trx, { from: id, to }),
    });
    return requireRecord(trx, jobs, { id: undo, limit });
  });
}

export type { RecordFilter } from './record-sets.ts';
export { findUndo, jobFields, jobs, type LockedJob } from './repository.ts';

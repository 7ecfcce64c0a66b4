import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { checkCreationLimit } from '../access/creation-limits.ts';
import { containsOffices } from '../access/office-ids.ts';
import { checkScopes, readableNames, type Scope } from '../access/scopes.ts';
import { type DirectoryResource, definitionOf, type ResourceName } from '../directory.ts';
import { RosterError } from '../errors/roster-error.ts';
import { causeOf, type Versioned } from '../records/service.ts';
import { CHECKED_MAX, tryChange } from '../records/try-change.ts';
import { noRecordError, requireRecord } from '../resources/list/find-record.ts';
import { type Page, readPage } from '../resources/list/list-records.ts';
import { readLimit } from '../resources/office-limit.ts';
import { inTransaction } from '../resources/write/transaction.ts';
import { RECORDS_OF_REQUEST } from '../trpc/authorization.ts';
import type { CallContext } from '../trpc/context.ts';
import type { BulkAnswer, BulkChange, BulkPreview } from './bulk-schemas.ts';
import { insertPairBatches, PAIRS_OF_BATCH, previewMerges } from './merge-pairs.ts';
import type { MergeMany } from './merge-schemas.ts';
import { previewChange } from './preview.ts';
import {
  BATCH_SIZE,
  copyChangedBatches,
  countChanged,
  insertBatches,
  lastChanged,
  type RecordFilter,
} from './record-sets.ts';
import { endCancelled, findUndo, insertJob, jobErrors, jobs, type LockedJob, lockJob } from './repository.ts';
import type { Job, JobError, JobErrorQuery, JobQuery } from './schemas.ts';
import { undoRecords } from './undo-records.ts';

type Access = 'read' | 'write';

const scopeOf = (resource: ResourceName, access: Access): Scope => `${resource}:${access}`;

/** A request to change all records that a filter selects, validated. */
export interface BulkRequest {
  filter: { all?: true | undefined };
  /** The conditions that the filter means, if it is not simply those of its fields. */
  selects?: RecordFilter;
  change: BulkChange;
  expectedCount?: number | undefined;
  dryRun?: boolean | undefined;
  reason?: string | null | undefined;
}

/** Throws `limit_reached`. Locks the number of unfinished jobs until the transaction ends. */
async function checkLimit(
  trx: Transaction<Database>,
  { caller, limit, services }: CallContext,
): Promise<void> {
  await checkCreationLimit(trx, 'jobs', { ownerId: caller.id, limit, now: services.now() });
}

/** The parts of a job that its request gives. */
function requested(ctx: CallContext, reason: string | null | undefined) {
  const { now, actorId, requestId } = causeOf(ctx);
  return {
    id: uuidv7({ msecs: now.getTime() }),
    reason: reason ?? null,
    now,
    createdBy: actorId,
    requestId,
  };
}

/**
 * Accepts a change of all records that a filter selects, and returns the job; with `dryRun` what it would do. The ids of the records
 * are fixed with the job, in one statement that counts them; of a caller with a limit those within it. A call counts as an import of
 * 500 records.
 * Throws `count_mismatch`, `limit_reached`, `insufficient_scope`, `rate_limited`.
 */
export async function changeByFilter(
  ctx: CallContext,
  resource: DirectoryResource<{ id: string }>,
  { filter, selects = filter, change, expectedCount, dryRun = false, reason }: BulkRequest,
): Promise<BulkAnswer> {
  const { limit } = ctx;
  await ctx.request.charge(CHECKED_MAX / RECORDS_OF_REQUEST - 1);
  return inTransaction(ctx.db, async (trx) => {
    if (dryRun || expectedCount === undefined) {
      const preview = await previewChange(trx, resource, {
        filter: selects,
        change,
        cause: causeOf(ctx, reason),
        limit,
        defaultCountry: ctx.services.defaultCountry,
      });
      checkCount(preview.count, expectedCount);
      return preview;
    }
    await checkLimit(trx, ctx);
    const job = requested(ctx, reason);
    const { all, ...filters } = filter;
    await insertJob(trx, {
      ...job,
      resource: resource.name,
      filter: all === true ? { all } : filters,
      change,
      undoes: null,
      total: expectedCount,
      batches: Math.ceil(expectedCount / BATCH_SIZE),
      officeIds: limit?.granted ?? null,
    });
    const records = { jobId: job.id, filter: selects, now: job.now, expectedCount, limit };
    checkCount(await insertBatches(trx, resource, records), expectedCount);
    return requireRecord(trx, jobs, { id: job.id, limit });
  });
}

/**
 * Accepts the merge of all pairs that a filter selects, and returns the job; with `dryRun` what it would do. The pairs are fixed with the
 * job, of a caller with a limit those of which both records are within it. A call counts as an import of 500 records.
 * Throws `count_mismatch`, `limit_reached`, `rate_limited`.
 */
export async function mergeByFilter<Row extends Versioned>(
  ctx: CallContext,
  resource: DirectoryResource<Row>,
  { filter: selection, expectedCount, dryRun = false, reason }: MergeMany,
): Promise<BulkAnswer> {
  const { limit } = ctx;
  await ctx.request.charge(CHECKED_MAX / RECORDS_OF_REQUEST - 1);
  return inTransaction(ctx.db, async (trx) => {
    if (dryRun || expectedCount === undefined) {
      const cause = causeOf(ctx, reason);
      const preview = await previewMerges(trx, resource, { selection, cause, limit });
      checkCount(preview.count, expectedCount, 'pairs');
      return preview;
    }
    await checkLimit(trx, ctx);
    const job = requested(ctx, reason);
    await insertJob(trx, {
      ...job,
      resource: resource.name,
      filter: selection,
      change: { type: 'merge', minScore: selection.minScore },
      undoes: null,
      total: expectedCount,
      batches: Math.ceil(expectedCount / PAIRS_OF_BATCH),
      officeIds: limit?.granted ?? null,
    });
    const pairs = { jobId: job.id, selection, now: job.now, expectedCount, limit };
    checkCount(await insertPairBatches(trx, resource, pairs), expectedCount, 'pairs');
    return requireRecord(trx, jobs, { id: job.id, limit });
  });
}

/** Throws `count_mismatch` if another number is expected. */
function checkCount(actualCount: number, expectedCount: number | undefined, what = 'records'): void {
  if (expectedCount === undefined || actualCount === expectedCount) return;
  const detail = `The filter selects ${actualCount} ${what}, not ${expectedCount}.`;
  throw new RosterError('count_mismatch', detail, { actualCount });
}

/** The caller must have the scope of the resource whose records the job changes. Throws `insufficient_scope`. */
function checkAccess({ caller }: CallContext, { resource }: Pick<Job, 'resource'>, access: Access): void {
  checkScopes(caller, [scopeOf(resource, access)]);
}

/** Reads one job. Throws `not_found`, `insufficient_scope`. */
export async function getJob(ctx: CallContext, id: string): Promise<Job> {
  const job = await requireRecord(ctx.db, jobs, { id, limit: ctx.limit });
  checkAccess(ctx, job, 'read');
  return job;
}

/** One page of the jobs of the resources that the caller may read. Throws `insufficient_scope` for one that it names and may not. */
export async function listJobs(ctx: CallContext, { resource, ...query }: JobQuery): Promise<Page<Job>> {
  checkScopes(
    ctx.caller,
    (resource ?? []).map((name) => scopeOf(name, 'read')),
  );
  const input = { ...query, resource: resource ?? readableNames(ctx.caller) };
  return (await readPage(ctx.db, { resource: jobs, input, limit: ctx.limit })).decode();
}

/** One page of the records that a job could not change. Throws `not_found`, `insufficient_scope`. */
export async function listJobErrors(
  ctx: CallContext,
  { id, ...query }: JobErrorQuery,
): Promise<Page<JobError>> {
  await getJob(ctx, id);
  const input = { ...query, sort: 'createdAt', jobId: id };
  return (await readPage(ctx.db, { resource: jobErrors, input, limit: undefined })).decode();
}

/** Locks a job that the caller may change. Throws `not_found`, `insufficient_scope`. */
export async function lockOwnJob(
  trx: Transaction<Database>,
  ctx: CallContext,
  id: string,
): Promise<LockedJob> {
  const job = await lockJob(trx, id);
  if (job === undefined || !containsOffices(ctx.limit, job.office_ids)) throw noRecordError(jobs, id);
  checkAccess(ctx, job, 'write');
  return job;
}

/**
 * Cancels a job, after the batch in progress if there is one; what it has changed stays changed. A job that has ended is returned as
 * it is. Throws `not_found`, `insufficient_scope`.
 */
export async function cancelJob(ctx: CallContext, id: string): Promise<Job> {
  return inTransaction(ctx.db, async (trx) => {
    await lockOwnJob(trx, ctx, id);
    await endCancelled(trx, { id, now: ctx.services.now() });
    return requireRecord(trx, jobs, { id, limit: ctx.limit });
  });
}

/**
 * Tells what the undo of a job would do: how many records it would put back, and on the first 500, the last changed first, what would
 * change and what it could not do. Changes nothing.
 * Throws `not_found`, `insufficient_scope`, `job_not_finished`.
 */
export async function previewUndo(ctx: CallContext, id: string): Promise<BulkPreview> {
  return inTransaction(ctx.db, async (trx) => {
    const job = await lockOwnJob(trx, ctx, id);
    if (job.status === 'queued' || job.status === 'running') throw new RosterError('job_not_finished');
    const resource = definitionOf(job.resource);
    const { total: count } = await countChanged(trx, id);
    const ids = await lastChanged(trx, { jobId: id, max: CHECKED_MAX });
    // With the limit of the job, as its undo.
    const limit = job.office_ids === null ? undefined : await readLimit(trx, job.office_ids);
    const { retentionDays } = ctx.services;
    const undo = { ids, undoes: id, cause: causeOf(ctx), retentionDays, limit };
    return tryChange(trx, resource, { ids, count, limit, change: () => undoRecords(trx, resource, undo) });
  });
}

/**
 * Accepts a job that reverts the records which another one has changed and nobody has changed since. Repeated, it returns the job
 * of the first call, unless that was cancelled or has failed.
 * Throws `not_found`, `insufficient_scope`, `job_not_finished`, `limit_reached`.
 */
export async function undoJob(
  ctx: CallContext,
  { id, reason }: { id: string; reason?: string | null | undefined },
): Promise<Job> {
  return inTransaction(ctx.db, async (trx) => {
    const job = await lockOwnJob(trx, ctx, id);
    const { limit } = ctx;
    if (job.status === 'queued' || job.status === 'running') throw new RosterError('job_not_finished');
    const previous = await findUndo(trx, id);
    if (previous !== undefined) return requireRecord(trx, jobs, { id: previous, limit });
    await checkLimit(trx, ctx);
    const undo = requested(ctx, reason);
    const { resource, office_ids: officeIds } = job;
    const counts = await countChanged(trx, id);
    const nothing = { filter: null, change: null };
    // With the same limit, so that who can see the job can see what undoes it.
    await insertJob(trx, { ...undo, ...counts, ...nothing, resource, officeIds, undoes: id });
    await copyChangedBatches(trx, { from: id, to: undo.id });
    return requireRecord(trx, jobs, { id: undo.id, limit });
  });
}

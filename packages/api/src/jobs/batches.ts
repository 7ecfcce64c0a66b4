import { type Database, inlineSql } from '@roster/db';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import {
  type DirectoryResource,
  definitionOf,
  isKnownResource,
  type ResourceName,
} from '../directory/registry.ts';
import { readLimit } from '../engine/office-limit.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import { claim } from '../engine/queue/claim.ts';
import type { Limited } from '../engine/write/mutations.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import { findChanges, undoEach } from '../history/undo/service.ts';
import type { EventDetails } from '../log/event-details.ts';
import type { Outcome } from '../records/change-each.ts';
import { cancelMany, type Effective, scheduleMany } from '../schedule/service.ts';
import type { BulkChange } from './bulk/schemas.ts';
import { changeMany } from './bulk/service.ts';
import { endFailed, postponeJob } from './repository.ts';

export interface BatchOptions {
  now: () => Date;
  retentionDays: number;
  defaultCountry: string | undefined;
  runImport: (trx: Transaction<Database>, job: Job, options: { cause: ChangeCause }) => Promise<void>;
}

const nextJob = inlineSql(
  claim({
    table: 'job',
    condition: sql<boolean>`finished_at is null and ${isKnownResource('resource')}`,
    order: sql`worked_at, id`,
    max: 1,
    lease: 'transaction',
  }),
);

/** Locks the job that has waited longest, with the IDs of its next batch, until the transaction ends. */
async function takeBatch(trx: Transaction<Database>) {
  return trx
    .with('job', () => sql<Selectable<Database['job']>>`(${nextJob})`)
    .selectFrom('job')
    .leftJoin('job_batch', (on) => on.onRef('job_id', '=', 'job.id').onRef('number', '=', 'next_batch'))
    .select(['job.id', 'resource', 'change', 'undoes', 'reason', 'batches', 'next_batch'])
    .select(['created_by', 'request_id', 'office_ids', sql<string[] | null>`to_json(ids)`.as('ids')])
    .$narrowType<{ resource: ResourceName; change: TimedChange | { type: 'import' } | null }>()
    .executeTakeFirst();
}

type TimedChange = BulkChange & Effective;

function isScheduled(change: TimedChange): change is Exclude<BulkChange, { type: 'delete' }> & Effective {
  return (change.effectiveAt ?? change.effectiveOn) !== undefined;
}

type Job = NonNullable<Awaited<ReturnType<typeof takeBatch>>>;

async function completeBatch(
  trx: Transaction<Database>,
  { id, next_batch: number, batches }: Job,
  { changed, unchanged, rejected, partial, now }: Outcome & { now: Date },
): Promise<void> {
  const isLast = number + 1 === batches;
  const errors = [...rejected, ...partial].map(({ fields, ...error }) => ({
    ...error,
    job_id: id,
    fields: JSON.stringify(fields),
    created_at: now,
  }));
  if (errors.length > 0) await trx.insertInto('job_error').values(errors).execute();
  if (changed.length > 0)
    await trx
      .updateTable('job_batch')
      .set({ changed })
      .where('job_id', '=', id)
      .where('number', '=', number)
      .execute();
  const completed = sql<'completed' | 'completed_with_errors'>`
    case when rejected + partly_changed + ${errors.length} > 0 then 'completed_with_errors' else 'completed' end`;
  await trx
    .updateTable('job')
    .set((job) => ({
      changed: job('changed', '+', changed.length),
      unchanged: job('unchanged', '+', unchanged.length),
      rejected: job('rejected', '+', rejected.length),
      partly_changed: job('partly_changed', '+', partial.length),
      next_batch: number + 1,
      worked_at: sql`clock_timestamp()`,
      started_at: job.fn.coalesce('started_at', job.val(now)),
      finished_at: isLast ? now : null,
      status: isLast ? completed : 'running',
    }))
    .where('id', '=', id)
    .execute();
}

function causeOf(job: Job, now: Date): ChangeCause {
  return {
    now,
    actorId: job.created_by,
    requestId: job.request_id,
    reason: job.reason,
    details: { bulkId: job.id } satisfies EventDetails,
  };
}

async function runBatch(
  trx: Transaction<Database>,
  { ids, resource: name, change, undoes, ...job }: Omit<Job, 'change'> & { change: TimedChange | null },
  {
    cause,
    retentionDays,
    defaultCountry,
  }: Pick<BatchOptions, 'retentionDays' | 'defaultCountry'> & { cause: ChangeCause },
): Promise<Outcome> {
  const resource = definitionOf(name);
  if (ids === null) throw new Error(`the job ${job.id} has no batch ${job.next_batch}`);
  // By the present tree of offices.
  const limit = job.office_ids === null ? undefined : await readLimit(trx, job.office_ids);
  if (undoes !== null) return undoRecords(trx, resource, { ids, undoes, cause, retentionDays, limit });
  if (change === null) throw new Error(`the job ${job.id} has no change`);
  if (isScheduled(change)) {
    const { effectiveAt, effectiveOn, ...made } = change;
    const scheduled = { change: made, effectiveAt, effectiveOn, jobId: job.id, officeIds: job.office_ids };
    return scheduleMany(trx, resource, { ids, cause, limit, ...scheduled });
  }
  return changeMany(trx, resource, { ids, change, cause, limit, defaultCountry });
}

/**
 * Runs the next batch of the longest waiting job in one transaction with its events, errors and progress, so
 * that each record is changed once. On several servers, each takes another job. If the server dies, the
 * database rolls back and another server runs the batch.
 *
 * Returns whether there was a batch. Rejects if the database is unavailable, slow or overloaded, or a record
 * is locked for too long: then run the batch again, after those of other jobs. An internal error fails the
 * job, and is the cause of the thrown error.
 */
export async function runNextBatch(db: Kysely<Database>, options: BatchOptions): Promise<boolean> {
  let taken: Job | undefined;
  try {
    return await db.transaction().execute(async (trx) => {
      taken = await takeBatch(trx);
      if (taken === undefined) return false;
      const { change } = taken;
      const cause = causeOf(taken, options.now());
      if (change?.type === 'import') {
        await options.runImport(trx, taken, { cause });
        return true;
      }
      const outcome = await runBatch(trx, { ...taken, change }, { ...options, cause });
      await completeBatch(trx, taken, { ...outcome, now: options.now() });
      return true;
    });
  } catch (error) {
    if (taken === undefined) throw error;
    const { status, errorCode, message } = toRosterError(error);
    const isTooLarge = errorCode === 'payload_too_large';
    if (status !== 500 && !isTooLarge) {
      // If this fails too, the thrown error says why.
      await postponeJob(db, taken.id).catch(() => undefined);
      throw error;
    }
    const { id, next_batch: number, batches } = taken;
    const batch = batches === 0 ? 'Reading the file failed.' : `Batch ${number + 1} of ${batches} failed.`;
    const detail = isTooLarge ? message : `${batch} The log of the server names the job with the error.`;
    await endFailed(db, { id, now: options.now(), failure: { code: errorCode, detail } });
    if (isTooLarge) return true;
    throw new Error(`The job ${id} has failed. ${batch}`, { cause: error });
  }
}

interface Undo extends Limited {
  ids: readonly string[];
  undoes: string;
  cause: ChangeCause;
  retentionDays: number;
}

/** The changes of the job, or those that it scheduled and that are still to come. */
export async function undoRecords(
  trx: Transaction<Database>,
  resource: DirectoryResource,
  { ids, undoes, ...undo }: Undo,
): Promise<Outcome> {
  const job = trx
    .selectFrom('job')
    .where('id', '=', undoes)
    .select('change')
    .$narrowType<{ change: Effective | null }>();
  const { change } = await job.executeTakeFirstOrThrow();
  if ((change?.effectiveAt ?? change?.effectiveOn) !== undefined)
    return cancelMany(trx, resource, { ids, jobId: undoes, ...undo });
  const ofJob = sql`subject_id = any(${ids}::uuid[]) and details ->> 'bulkId' = ${undoes}`;
  return undoEach(trx, resource, { ids, changes: await findChanges(trx, ofJob), ...undo });
}

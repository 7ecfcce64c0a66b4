import { constant, type Database, inlineSql } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { createdByJson } from '../access/actors.ts';
import { isContained } from '../access/office-ids.ts';
import { tableShape } from '../engine/json/record-json.ts';
import { equalsAny, isAnyId } from '../engine/list/filters.ts';
import type { Listable } from '../engine/list/list-records.ts';
import { deleteInBatches, type Retention, retentionEnd } from '../engine/retention.ts';
import { JOB_ERRORS_MAX, Job, type JobError, type JobFailure, type JobResource } from './schemas.ts';

const firstErrors = sql<JobError[]>`(
  select coalesce(json_agg(json_build_object(
    'id', first.id, 'code', first.code, 'detail', first.detail, 'fields', first.fields)), '[]')
  from (
    select id, code, detail, fields from job_error where job_error.job_id = job.id
    order by created_at, id limit ${sql.lit(JOB_ERRORS_MAX)}
  ) as first)`;

export const jobFields = {
  undoneBy: sql<string | null>`(
    select undo.id from job as undo where undo.undoes = job.id order by undo.created_at desc, undo.id desc limit 1)`,
  processed: sql<number>`job.changed + job.unchanged + job.rejected`,
  failure: sql<JobFailure | null>`(
    case when job.failure_code is not null
      then json_build_object('code', job.failure_code, 'detail', job.failure_detail) end)`,
  createdBy: createdByJson(sql.ref('job.created_by')),
};

/** For an import with its present step, because a check changes nothing. */
const change = sql<Job['change']>`(
  case when job.change ->> 'type' = 'import'
    then job.change::jsonb || (select jsonb_build_object('step', step) from import where import.id = job.id)
    else job.change::jsonb end)`;

export const jobs: Listable<Job, { resource: string[] }> = constant({
  name: 'jobs',
  table: 'job',
  ...tableShape('job', Job, { ...jobFields, change, errors: firstErrors }),
  isWithin: isContained,
  filters: { resource: (values) => equalsAny('resource', values) },
});

const errorRecord = inlineSql(sql<JobError>`
  json_build_object('id', job_error.id, 'code', job_error.code, 'detail', job_error.detail, 'fields', job_error.fields)`);

/** In the order of the records. */
export const jobErrors: Listable<JobError, { jobId: string }> = constant({
  name: 'job errors',
  table: 'job_error',
  record: errorRecord,
  filters: { jobId: (id) => isAnyId('job_id', [id]) },
  orderedIndexes: { job_id: 'created_at' },
});

export type LockedJob = NonNullable<Awaited<ReturnType<typeof lockJob>>>;

export async function lockJob(trx: Transaction<Database>, id: string) {
  return trx
    .selectFrom('job')
    .select(['id', 'resource', 'status', 'office_ids'])
    .where('id', '=', id)
    .forUpdate()
    .$narrowType<{ resource: JobResource }>()
    .executeTakeFirst();
}

/** Batches may be ahead of the job's progress. */
const changedSoFar = sql<number>`
  greatest(job.changed, (select sum(cardinality(job_batch.changed)) from job_batch where job_id = job.id))`;

/** Of a job whose records were counted after it was inserted. Without records it has ended. */
export async function setTotal(
  trx: Transaction<Database>,
  { id, now, ...size }: { id: string; now: Date; total: number; batches: number },
): Promise<void> {
  const ended = size.total === 0 ? ({ status: 'completed', finished_at: now } as const) : {};
  await trx
    .updateTable('job')
    .set({ ...size, ...ended })
    .where('id', '=', id)
    .execute();
}

/** The job must be locked. No further batch begins. */
export async function endCancelled(
  db: Kysely<Database>,
  { id, now }: { id: string; now: Date },
): Promise<void> {
  await db
    .updateTable('job')
    .set({ status: 'cancelled', finished_at: now, changed: changedSoFar })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .execute();
}

/** `failure` is returned by `GET /jobs/{id}`. */
export async function endFailed(
  db: Kysely<Database>,
  { id, now, failure: { code, detail } }: { id: string; now: Date; failure: JobFailure },
): Promise<void> {
  const failure = { failure_code: code, failure_detail: detail };
  await db
    .updateTable('job')
    .set({ status: 'failed', finished_at: now, ...failure, changed: changedSoFar })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .execute();
}

/** Has no effect while a server is working on the job. */
export async function postponeJob(db: Kysely<Database>, id: string): Promise<void> {
  await db
    .updateTable('job')
    .set({ worked_at: sql`clock_timestamp()` })
    .where('id', '=', (row) =>
      row
        .selectFrom('job')
        .where('id', '=', id)
        .where('finished_at', 'is', null)
        .select('id')
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}

/** The latest undo of a job that has not failed or been cancelled; undefined if none. */
export async function findUndo(db: Kysely<Database>, id: string): Promise<string | undefined> {
  const undo = await db
    .selectFrom('job')
    .where('undoes', '=', id)
    .where('status', 'not in', ['cancelled', 'failed'])
    .select('id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return undo?.id;
}

const tables = {
  job_error: ['job_id', 'id'],
  import_error: ['import_id', 'id'],
  import_row: ['import_id', 'row'],
} as const;

/** Finished and accepted before the retention: their events are as old, or older. */
const expired = (db: Kysely<Database>, retention: Retention) =>
  db
    .selectFrom('job')
    .where('created_at', '<=', retentionEnd(retention))
    .where('finished_at', 'is not', null)
    .select('id');

/** In short transactions. Returns the number of jobs. Safe on any number of servers. */
export async function purgeJobs(db: Kysely<Database>, retention: Retention): Promise<number> {
  for (const [table, keys] of Object.entries(tables) as [keyof typeof tables, readonly string[]][]) {
    const isOfExpired = sql`${sql.ref(keys[0] ?? '')} in ${expired(db, retention)}`;
    await deleteInBatches(db, table, isOfExpired, keys);
  }
  const { numDeletedRows } = await db
    .deleteFrom('job')
    .where('id', 'in', expired(db, retention).forUpdate().skipLocked())
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

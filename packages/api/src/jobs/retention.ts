import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { type Retention, retentionEnd } from '../resources/retention.ts';

/** The number of errors that one statement deletes. */
const ERRORS_AT_ONCE = 5_000;

/** Finished jobs that were accepted before the retention time: their events are as old, or older. */
const expired = (retention: Retention) => sql`
  select id from job where created_at <= ${retentionEnd(retention)} and finished_at is not null`;

/**
 * Deletes expired jobs with their batches and errors, in transactions that are short. Returns how many jobs. Any number of servers can
 * run it at the same time.
 */
export async function purgeJobs(db: Kysely<Database>, retention: Retention): Promise<number> {
  for (let deleted = ERRORS_AT_ONCE; deleted === ERRORS_AT_ONCE; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from job_error where (job_id, id) in (
        select job_id, id from job_error where job_id in (${expired(retention)}) limit ${ERRORS_AT_ONCE}
        for update skip locked
      )`.execute(db);
    deleted = Number(numAffectedRows);
  }
  const { numAffectedRows = 0n } = await sql`
    delete from job where id in (${expired(retention)} for update skip locked)`.execute(db);
  return Number(numAffectedRows);
}

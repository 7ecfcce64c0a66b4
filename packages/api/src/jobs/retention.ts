import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { deleteInBatches, type Retention, retentionEnd } from '../resources/retention.ts';

/** The tables with the most rows of a job, each with the columns of its key, of which the first is the job. */
const tables = {
  job_error: ['job_id', 'id'],
  import_error: ['import_id', 'id'],
  import_row: ['import_id', 'row'],
  compared_row: ['import_id', 'row'],
} as const;

/** Finished jobs that were accepted before the retention time: their events are as old, or older. */
const expired = (retention: Retention) => sql`
  select id from job where created_at <= ${retentionEnd(retention)} and finished_at is not null`;

/** Deletes rows of expired jobs. */
async function purgeRows(
  db: Kysely<Database>,
  table: keyof typeof tables,
  retention: Retention,
): Promise<void> {
  const [job, key] = tables[table].map((column) => sql.ref(column));
  await deleteInBatches(
    db,
    (rowsMax) => sql`
      delete from ${sql.table(table)} where (${job}, ${key}) in (
        select ${job}, ${key} from ${sql.table(table)} where ${job} in (${expired(retention)}) limit ${rowsMax}
        for update skip locked
      )`,
  );
}

/**
 * Deletes expired jobs with their batches, errors and rows of files, in transactions that are short. Returns how many jobs. Any number of servers can
 * run it at the same time.
 */
export async function purgeJobs(db: Kysely<Database>, retention: Retention): Promise<number> {
  for (const table of Object.keys(tables) as (keyof typeof tables)[]) await purgeRows(db, table, retention);
  const { numAffectedRows = 0n } = await sql`
    delete from job where id in (${expired(retention)} for update skip locked)`.execute(db);
  return Number(numAffectedRows);
}

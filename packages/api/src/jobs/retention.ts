import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { deleteInBatches, type Retention, retentionEnd } from '../engine/retention.ts';

const tables = {
  job_error: ['job_id', 'id'],
  import_error: ['import_id', 'id'],
  import_row: ['import_id', 'row'],
} as const;

/** Finished and accepted before the retention: their events are as old, or older. */
const expired = (retention: Retention) => sql`
  select id from job where created_at <= ${retentionEnd(retention)} and finished_at is not null`;

/** In short transactions. Returns the number of jobs. Safe on any number of servers. */
export async function purgeJobs(db: Kysely<Database>, retention: Retention): Promise<number> {
  for (const [table, keys] of Object.entries(tables) as [keyof typeof tables, readonly string[]][]) {
    const isOfExpired = sql`${sql.ref(keys[0] ?? '')} in (${expired(retention)})`;
    await deleteInBatches(db, table, isOfExpired, keys);
  }
  const { numAffectedRows = 0n } = await sql`
    delete from job where id in (${expired(retention)} for update skip locked)`.execute(db);
  return Number(numAffectedRows);
}

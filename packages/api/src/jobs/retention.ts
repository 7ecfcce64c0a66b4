import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { deleteInBatches, type Retention, retentionEnd } from '../engine/retention.ts';

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

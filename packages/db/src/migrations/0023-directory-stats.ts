import { type Kysely, sql } from 'kysely';
import { buildIndex } from './concurrent-index.ts';

export const isConcurrent = true;

/**
 * The counts of the directory, which take long to make if it is large: one row. And what counts the agents of an office without
 * reading their rows: the index on `office_id` has all of them, this one those that are inactive, which are few.
 *
 * Outside a transaction, so each statement can run again after a failure.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists directory_stats (
      is_only boolean primary key default true constraint directory_stats_is_only_check check (is_only),
      counts json not null
    )`.execute(db);
  await buildIndex(
    db,
    'agent_inactive_office_idx',
    `agent (office_id) where status = 'inactive' and office_id is not null`,
  );
}

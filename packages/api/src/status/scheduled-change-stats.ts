import { compileOnce, type Database } from '@roster/db';
import { type AbortableQueryOptions, type Kysely, sql } from 'kysely';

/** The state of the scheduled changes, for metrics and diagnostics. */
export interface ScheduledChangeStats {
  /** Pending changes, counted up to 10,000. */
  pending: number;
  /** Those of them whose time has come. */
  due: number;
  /** For how long the oldest of these has been due, in seconds; 0 if there is none. */
  oldestDueS: number;
}

const selectStats = compileOnce<object, ScheduledChangeStats>(
  () => sql`
    select count(*)::int as pending, count(*) filter (where due_at <= now())::int as due,
      coalesce(greatest(extract(epoch from now() - min(due_at)), 0), 0)::float8 as "oldestDueS"
    from (
      select due_at from scheduled_change where status = 'pending' order by due_at limit 10000
    ) as counted`,
  { isReadOnly: true },
);

/** Reads the state of the scheduled changes. */
export async function readScheduledChangeStats(
  db: Kysely<Database>,
  options?: AbortableQueryOptions,
): Promise<ScheduledChangeStats> {
  const [stats] = await selectStats.execute(db, {}, options);
  if (stats === undefined) throw new Error('an aggregate without groups returned no row');
  return stats;
}

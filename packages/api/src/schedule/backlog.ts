import { compileOnce } from '@roster/db';
import { sql } from 'kysely';
import { oneRowOf } from '../events/log/backlog.ts';

/** The state of the scheduled changes that have not happened yet. */
export interface ScheduledChangeStats {
  /** All of them, counted up to 10,000. */
  pending: number;
  /** Those of them whose time has come. */
  due: number;
  /** For how long the oldest of these has been due, in seconds; 0 if there is none. */
  oldestDueS: number;
}

const selectScheduledChangeStats = compileOnce<object, ScheduledChangeStats>(
  () => sql`
  select count(*)::int as pending, count(*) filter (where due_at <= now())::int as due,
    coalesce(greatest(extract(epoch from now() - min(due_at)), 0), 0)::float8 as "oldestDueS"
  from (
    select due_at from scheduled_change where status = 'pending' order by due_at limit 10000
  ) as counted`,
  { isReadOnly: true },
);

/** Reads the state of the scheduled changes that have not happened yet. */
export const readScheduledChangeStats = oneRowOf(selectScheduledChangeStats);

import { compileOnce } from '@roster/db';
import { sql } from 'kysely';
import { oneRowOf } from '../events/log/backlog.ts';

export interface ScheduledChangeStats {
  /** Counted up to 10,000. */
  pending: number;
  due: number;
  /** In seconds; 0 if none is due. */
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

export const readScheduledChangeStats = oneRowOf(selectScheduledChangeStats);

import { compileOnce, type Database } from '@roster/db';
import { type AbortableQueryOptions, type Kysely, sql } from 'kysely';

/** The state of the event log, for metrics and diagnostics. */
export interface EventLogStats {
  /** The last assigned position. */
  lastPosition: number;
  /** The position up to which the log is compacted. */
  compactedTo: number;
  /** Committed events without a position, counted up to 10,000. */
  waiting: number;
  /** The age of the oldest of them in seconds; 0 if there is none. */
  oldestWaitingS: number;
}

const selectStats = compileOnce<object, EventLogStats>(
  () => sql`
    select last_position::float8 as "lastPosition", compacted_to::float8 as "compactedTo",
      (select count(*)::int from (select from event where position is null limit 10000) as counted) as waiting,
      coalesce(
        (
          select greatest(extract(epoch from now() - occurred_at), 0)::float8
          from event where position is null order by id limit 1
        ),
        0
      ) as "oldestWaitingS"
    from event_log`,
  { isReadOnly: true },
);

/** Reads the state of the event log. The cost does not depend on the size of the log. */
export async function readEventLogStats(
  db: Kysely<Database>,
  options?: AbortableQueryOptions,
): Promise<EventLogStats> {
  const [stats] = await selectStats.execute(db, {}, options);
  if (stats === undefined) throw new Error('the table event_log has no row');
  return stats;
}

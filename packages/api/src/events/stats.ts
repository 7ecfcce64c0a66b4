import { compileOnce, type Database } from '@roster/db';
import { type AbortableQueryOptions, type Kysely, sql } from 'kysely';

/** How far the log of changes has come, for whoever watches the service. */
export interface EventLogStats {
  /** The newest position that was given. */
  lastPosition: number;
  /** Up to which position the log is compacted. */
  compactedTo: number;
  /** Committed events without a position; at most 10,000 are counted. */
  waiting: number;
  /** How long the oldest of them has been waiting, in seconds; 0 where none is. */
  oldestWaitingS: number;
}

const readState = compileOnce<object, EventLogStats>(
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

/** Reads how far the log has come: an index of what waits and one row, whatever the log's size. */
export async function readEventLogStats(
  db: Kysely<Database>,
  options?: AbortableQueryOptions,
): Promise<EventLogStats> {
  const [state] = await readState.execute(db, {}, options);
  if (state === undefined) throw new Error('the log has lost its place');
  return state;
}

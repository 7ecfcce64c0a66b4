import { type CompiledStatement, compileOnce, type Database } from '@roster/db';
import { type AbortableQueryOptions, type Kysely, sql } from 'kysely';

export function oneRowOf<Row>(statement: CompiledStatement<object, Row>) {
  return async (db: Kysely<Database>, options?: AbortableQueryOptions): Promise<Row> => {
    const [row] = await statement.execute(db, {}, options);
    if (row === undefined) throw new Error('a statement about what waits has no row');
    return row;
  };
}

export interface EventLogStats {
  lastPosition: number;
  compactedTo: number;
  /** Events without a position, counted up to 10,000. */
  waiting: number;
  /** In seconds; 0 if none is waiting. */
  oldestWaitingS: number;
}

const selectEventLogStats = compileOnce<object, EventLogStats>(
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

/** The cost does not depend on the size of the log. */
export const readEventLogStats = oneRowOf(selectEventLogStats);

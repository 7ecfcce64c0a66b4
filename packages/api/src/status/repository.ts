import { compileOnce, type Database } from '@roster/db';
import { type AbortableQueryOptions, type Kysely, type RawBuilder, sql } from 'kysely';
import { timeText } from '../resources/json/record-json.ts';
import { ALIVE_MS } from './registry.ts';
import { LISTED_MAX, type ServiceStatus } from './schemas.ts';

const selectServers = compileOnce<object, ServiceStatus['servers'][number]>(
  () => sql`
    select id, host, pid, version, ${timeText(sql.ref<Date>('started_at'))} as "startedAt",
      ${timeText(sql.ref<Date>('seen_at'))} as "lastSeenAt"
    from running_server where seen_at > now() - ${sql.lit(`${ALIVE_MS} ms`)}::interval
    order by started_at, id limit ${sql.lit(LISTED_MAX)}`,
  { isReadOnly: true },
);

/** The servers that have been seen lately, the oldest first. */
export function readServers(db: Kysely<Database>): Promise<ServiceStatus['servers']> {
  return selectServers.execute(db, {});
}

/** Makes the function that runs a statement, whose answer is always one row. */
function readerOf<Facts>(select: RawBuilder<Facts>) {
  const statement = compileOnce<object, Facts>(() => select, { isReadOnly: true });
  return async (db: Kysely<Database>, options?: AbortableQueryOptions): Promise<Facts> => {
    const [facts] = await statement.execute(db, {}, options);
    if (facts === undefined) throw new Error('a statement about the state of the service has no row');
    return facts;
  };
}

interface DatabaseFacts {
  version: string;
  sizeBytes: number;
  connectionsOpen: number;
  connectionsMax: number;
  latestMigration: string | null;
}

/** Reads the facts that PostgreSQL has of itself. The size takes longer, the more files the database has: some 2 ms for 1,000. */
export const readDatabaseFacts = readerOf(sql<DatabaseFacts>`
  select split_part(current_setting('server_version'), ' ', 1) as version,
    pg_database_size(current_database())::float8 as "sizeBytes",
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "connectionsOpen",
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) as "connectionsMax",
    (select max(name) from kysely_migration) as "latestMigration"`);

/** Reads the numbers of jobs that have not ended. */
export const readJobStats = readerOf(sql<ServiceStatus['jobs']>`
  select count(*) filter (where status = 'queued')::int as queued,
    count(*) filter (where status = 'running')::int as running,
    coalesce(
      greatest(extract(epoch from now() - min(created_at) filter (where status = 'queued')), 0), 0
    )::float8 as "oldestQueuedS"
  from job where finished_at is null`);

/** The state of the event log; `compactedTo` is the position up to which it is compacted. */
export type EventLogStats = ServiceStatus['sequencer'] & { compactedTo: number };

/** Reads the state of the event log. The cost does not depend on the size of the log. */
export const readEventLogStats = readerOf(sql<EventLogStats>`
  select last_position::float8 as "lastPosition", compacted_to::float8 as "compactedTo",
    (select count(*)::int from (select from event where position is null limit 10000) as counted) as waiting,
    coalesce(
      (
        select greatest(extract(epoch from now() - occurred_at), 0)::float8
        from event where position is null order by id limit 1
      ),
      0
    ) as "oldestWaitingS"
  from event_log`);

/**
 * Reads the state of the deliveries of all active webhooks, each of which has at most 1,000 that are pending. A delivery is not due while
 * an earlier one of its record is pending.
 */
export const readDeliveryQueueStats = readerOf(sql<ServiceStatus['deliveries']>`
  with reader as (select id, read_to, failing_since, paused_until from webhook where status = 'active'),
    delivery as (
      select due_at, claim, due_at <= now() and (paused_until is null or paused_until <= now()) and seq = (
        select earliest.seq from webhook_delivery as earliest
        where earliest.webhook_id = waiting.webhook_id and earliest.subject_id = waiting.subject_id
          and earliest.status = 'pending'
        order by earliest.seq limit 1
      ) as "isDue"
      from webhook_delivery as waiting join reader on reader.id = waiting.webhook_id
      where status = 'pending'
    )
  select count(*)::int as pending,
    count(*) filter (where "isDue")::int as due,
    count(*) filter (where claim is not null and due_at > now())::int as "inFlight",
    coalesce(extract(epoch from now() - min(due_at) filter (where "isDue")), 0)::float8 as "oldestDueS",
    (select count(*)::int from reader where failing_since is not null) as failing,
    (
      select coalesce(max(greatest(last_position - read_to, 0)), 0)::float8 from reader cross join event_log
    ) as unread
  from delivery`);

/** Reads the state of the scheduled changes that have not happened yet. */
export const readScheduledChangeStats = readerOf(sql<ServiceStatus['scheduledChanges']>`
  select count(*)::int as pending, count(*) filter (where due_at <= now())::int as due,
    coalesce(greatest(extract(epoch from now() - min(due_at)), 0), 0)::float8 as "oldestDueS"
  from (
    select due_at from scheduled_change where status = 'pending' order by due_at limit 10000
  ) as counted`);

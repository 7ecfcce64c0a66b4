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
 * Active webhooks and their pending deliveries, of which each has at most 1,000. A delivery is not due while an earlier one of its record
 * is pending. A webhook is behind since its oldest event that was not sent, whether that is in the queue or only in the log. What was
 * sent and rejected is tried again later and keeps no other record waiting; it counts only if the receiver responds to nothing.
 */
const deliveryQueue = sql`
  reader as materialized (
    select id, read_to, failing_since, slow_since, paused_until is not null and paused_until > now() as is_paused
    from webhook where status = 'active'
  ), waiting as materialized (
    select waiting.webhook_id, waiting.position, due_at, claim, attempts = '[]' as is_unsent, is_paused,
      failing_since is not null or is_paused as is_stuck, seq = (
        select earliest.seq from webhook_delivery as earliest
        where earliest.webhook_id = waiting.webhook_id and earliest.subject_id = waiting.subject_id
          and earliest.status = 'pending'
        order by earliest.seq limit 1
      ) as is_first
    from webhook_delivery as waiting join reader on reader.id = waiting.webhook_id
    where status = 'pending'
  ), behind as materialized (
    select id, failing_since is not null or is_paused as is_stuck, slow_since is not null as is_slow, coalesce(
      (
        select occurred_at from event where position = (
          select min(waiting.position) from waiting
          where webhook_id = reader.id and (is_stuck or is_first and is_unsent)
        )
      ),
      (select occurred_at from event where position > read_to order by position limit 1)
    ) as since
    from reader
  )`;

/** The seconds since a time; 0 if that is null or to come. */
const secondsSince = (time: RawBuilder<unknown>) =>
  sql`coalesce(greatest(extract(epoch from now() - ${time}), 0), 0)::float8`;

/** Reads the state of the deliveries of all active webhooks. */
export const readDeliveryQueueStats = readerOf(sql<ServiceStatus['deliveries']>`
  with ${deliveryQueue}
  select count(*)::int as pending,
    count(*) filter (where is_first and due_at <= now() and not is_paused)::int as due,
    count(*) filter (where claim is not null and due_at > now())::int as "inFlight",
    ${secondsSince(sql`min(due_at) filter (where is_first and due_at <= now() and not is_paused)`)} as "oldestDueS",
    (select ${secondsSince(sql`min(since)`)} from behind where not is_stuck) as "lagS",
    (select ${secondsSince(sql`min(since)`)} from behind where is_stuck) as "failingLagS",
    (select count(*)::int from reader where failing_since is not null) as failing,
    (
      select coalesce(max(greatest(last_position - read_to, 0)), 0)::float8 from reader cross join event_log
    ) as unread
  from waiting`);

/** A webhook that has fallen behind. */
export interface LaggingWebhook {
  webhookId: string;
  /** The age of its oldest event that was not sent, in seconds. */
  lagS: number;
  /** Whether its receiver takes more than a second for a message. */
  isSlow: boolean;
}

const selectLagging = compileOnce<{ moreThanS: number }, LaggingWebhook>(
  (place) => sql`
    with ${deliveryQueue}, lagging as (
      select id as "webhookId", ${secondsSince(sql`since`)} as "lagS", is_slow as "isSlow" from behind where not is_stuck
    )
    select * from lagging where "lagS" > ${place('moreThanS')}::float8 order by "lagS" desc limit ${sql.lit(LISTED_MAX)}`,
  { isReadOnly: true },
);

/** The webhooks whose receivers respond and that are behind by more than some seconds, the furthest first. */
export function readLaggingWebhooks(
  db: Kysely<Database>,
  { moreThanS }: { moreThanS: number },
): Promise<LaggingWebhook[]> {
  return selectLagging.execute(db, { moreThanS });
}

/** Reads the state of the scheduled changes that have not happened yet. */
export const readScheduledChangeStats = readerOf(sql<ServiceStatus['scheduledChanges']>`
  select count(*)::int as pending, count(*) filter (where due_at <= now())::int as due,
    coalesce(greatest(extract(epoch from now() - min(due_at)), 0), 0)::float8 as "oldestDueS"
  from (
    select due_at from scheduled_change where status = 'pending' order by due_at limit 10000
  ) as counted`);

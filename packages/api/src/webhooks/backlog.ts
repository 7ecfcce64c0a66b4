import { compileOnce, type Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { oneRowOf } from '../events/log/backlog.ts';

/** The state of the deliveries of all active webhooks. */
export interface DeliveryStats {
  /** Deliveries that are not made yet. */
  pending: number;
  /** Those of them whose time has come and that no server has taken. */
  due: number;
  /** Those that a server is making. */
  inFlight: number;
  /** For how long the oldest of those that are due has been, in seconds; 0 if there is none. */
  oldestDueS: number;
  /** The age of the oldest event that was not sent to a receiver that responds, in seconds. */
  lagS: number;
  /** The same of receivers that fail or are paused. */
  failingLagS: number;
  /** Active webhooks whose last attempt failed. */
  failing: number;
  /** Events that the active webhook furthest behind has not read. */
  unread: number;
}

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

const selectDeliveryStats = compileOnce<object, DeliveryStats>(
  () => sql`
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
  from waiting`,
  { isReadOnly: true },
);

/** Reads the state of the deliveries of all active webhooks. */
export const readDeliveryStats = oneRowOf(selectDeliveryStats);

/** The most webhooks that are listed as behind. */
const LAGGING_MAX = 200;

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
    select * from lagging where "lagS" > ${place('moreThanS')}::float8 order by "lagS" desc limit ${sql.lit(LAGGING_MAX)}`,
  { isReadOnly: true },
);

/** The webhooks whose receivers respond and that are behind by more than some seconds, the furthest first. */
export function readLaggingWebhooks(
  db: Kysely<Database>,
  { moreThanS }: { moreThanS: number },
): Promise<LaggingWebhook[]> {
  return selectLagging.execute(db, { moreThanS });
}

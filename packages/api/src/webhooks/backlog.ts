import { compileOnce, type Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { oneRowOf } from '../log/backlog.ts';

export interface DeliveryStats {
  pending: number;
  /** Deliveries whose time has come and that no server has claimed. */
  due: number;
  inFlight: number;
  /** In seconds; 0 if none is due. */
  oldestDueS: number;
  /** The age of the oldest event not yet sent to a receiver that responds, in seconds. */
  lagS: number;
  /** `lagS` for receivers that fail or are paused. */
  failingLagS: number;
  failing: number;
  /** Events not yet read by the active webhook furthest behind. */
  unread: number;
}

/**
 * Tags, because almost everything in these statements is an expression.
 *
 * Active webhooks and their pending deliveries, at most 1,000 each. A delivery is not due while an earlier
 * one of its record is pending. The lag of a webhook starts at its oldest unsent event, in the queue or in
 * the log. A rejected message is retried later and delays no other record; it counts only if the receiver
 * fails altogether.
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

/** 0 for null or a future time. */
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

export const readDeliveryStats = oneRowOf(selectDeliveryStats);

const LAGGING_MAX = 200;

export interface LaggingWebhook {
  webhookId: string;
  /** The age of its oldest unsent event, in seconds. */
  lagS: number;
  /** Whether the receiver takes more than a second per message. */
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

/** Responding receivers that lag by more than some seconds, the furthest first. */
export function readLaggingWebhooks(
  db: Kysely<Database>,
  { moreThanS }: { moreThanS: number },
): Promise<LaggingWebhook[]> {
  return selectLagging.execute(db, { moreThanS });
}

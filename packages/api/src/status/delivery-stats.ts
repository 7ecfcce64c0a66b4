import { compileOnce, type Database } from '@roster/db';
import { type AbortableQueryOptions, type Kysely, sql } from 'kysely';

/** The state of the delivery queue of all active webhooks, for metrics and diagnostics. */
export interface DeliveryQueueStats {
  /** Pending deliveries, due or not. */
  pending: number;
  /** Pending deliveries that are due: a delivery is not due while an earlier one of its record is pending. */
  due: number;
  /** Deliveries that a server has claimed. */
  inFlight: number;
  /** For how long the oldest due delivery has been due, in seconds; 0 if none is due. */
  oldestDueS: number;
  /** Webhooks whose last attempt failed. */
  failing: number;
  /** The number of events that the slowest webhook has not read. */
  unread: number;
}

const selectStats = compileOnce<object, DeliveryQueueStats>(
  () => sql`
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
    from delivery`,
  { isReadOnly: true },
);

/** Reads the state of the delivery queue, which has at most 1,000 pending deliveries of each webhook. */
export async function readDeliveryQueueStats(
  db: Kysely<Database>,
  options?: AbortableQueryOptions,
): Promise<DeliveryQueueStats> {
  const [stats] = await selectStats.execute(db, {}, options);
  if (stats === undefined) throw new Error('an aggregate without groups returned no row');
  return stats;
}

import { sql } from 'kysely';
import { oneRowOf } from '../event-log/backlog.ts';

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
  /** Active webhooks whose last attempt failed. */
  failing: number;
  /** Events that the active webhook furthest behind has not read. */
  unread: number;
}

/**
 * Reads the state of the deliveries of all active webhooks, each of which has at most 1,000 that are pending. A delivery is not due while
 * an earlier one of its record is pending.
 */
export const readDeliveryStats = oneRowOf(sql<DeliveryStats>`
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

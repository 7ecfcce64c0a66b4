import { compileOnce, type Database } from '@roster/db';
import { type AbortableQueryOptions, type Kysely, sql } from 'kysely';

/** What waits to be told to webhooks that are active, for whoever watches the service. */
export interface DeliveryQueueStats {
  /** Deliveries that wait for their time, due or not. */
  pending: number;
  /** Of those the ones that a server should take now: one that waits for an earlier one of its record is not due. */
  due: number;
  /** Deliveries that a server has taken and is making. */
  inFlight: number;
  /** For how long the delivery that waits longest has been due, in seconds; 0 where none is. */
  oldestDueS: number;
  /** Webhooks whose last attempt failed. */
  failing: number;
  /** Events the webhook that is furthest behind has not read yet. */
  unread: number;
}

const readState = compileOnce<object, DeliveryQueueStats>(
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

/** Reads what waits for webhooks: at most the thousand deliveries of each that the queue holds. */
export async function readDeliveryQueueStats(
  db: Kysely<Database>,
  options?: AbortableQueryOptions,
): Promise<DeliveryQueueStats> {
  const [state] = await readState.execute(db, {}, options);
  if (state === undefined) throw new Error('a count without a group has one row');
  return state;
}

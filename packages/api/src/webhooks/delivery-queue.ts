import { compileOnce, type Database, type Param } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { claim, dueNow } from '../engine/queue/claim.ts';
import type { FreeSlots } from './delivery-slots.ts';
import type { Attempt } from './schemas.ts';

/**
 * Longer than the time until an attempt starts (10 s), the attempt itself (20 s) and the recording of its result. When it ends
 * without a result, the server is considered dead and another one takes the delivery over.
 */
export const LEASE_MS = 35_000;

/** A delivery that only this server makes until the lease ends. */
export interface ClaimedDelivery {
  id: string;
  claim: string;
  webhookId: string;
  position: number;
  /** The number of attempts so far. */
  attempts: number;
  url: string;
  /** When the status of the webhook last changed, to the microsecond, as PostgreSQL writes it. */
  statusChangedAt: string;
  isFailing: boolean;
  isSlow: boolean;
  /** The offices whose events the webhook receives; null for all. */
  officeIds: string[] | null;
  /** The secrets to sign with, the newest first. */
  secrets: string[];
}

export interface ClaimOptions {
  /** A unique id of this claim (UUID). */
  claim: string;
  /** The maximum number of deliveries. */
  free: FreeSlots;
  /** The maximum number of concurrent deliveries of one webhook; 1 while it is failing. */
  perWebhook: number;
  /** The same for webhooks, by their ids, whose receivers have kept up with more; it does not apply while they are slow. */
  grown?: Readonly<Record<string, number>> | undefined;
}

/** The options of a claim as parameters of its statement. */
interface ClaimValues extends FreeSlots {
  claim: string;
  perWebhook: number;
  grown: string;
}

/**
 * The deliveries that may start: first those of the webhooks with the fewest running attempts, and of one webhook the oldest. A
 * delivery is not due while an earlier one of its record is pending, so that the deliveries of a record arrive in order.
 */
function startable(place: Param<ClaimValues>): RawBuilder<unknown> {
  return sql`
    with ready as materialized (
      select webhook.id, failing_since is not null or slow_since is not null as is_troubled,
        case
          when failing_since is not null then 1
          when slow_since is not null then ${place('perWebhook')}::int
          else coalesce((${place('grown')}::jsonb ->> webhook.id::text)::int, ${place('perWebhook')}::int)
        end as most,
        (
          select count(*) from webhook_delivery
          where webhook_id = webhook.id and status = 'pending' and claim is not null and due_at > now()
        ) as under_way
      from webhook
      where status = 'active' and (paused_until is null or paused_until <= now())
    ), candidate as (
      select due.*, is_troubled, under_way + row_number() over (partition by ready.id order by due_at, seq) as ordinal
      from ready cross join lateral (
        select id, due_at, seq from webhook_delivery as delivery
        where webhook_id = ready.id and status = 'pending' and due_at <= now() and seq = (
          select earliest.seq from webhook_delivery as earliest
          where earliest.webhook_id = ready.id and earliest.subject_id = delivery.subject_id
            and earliest.status = 'pending'
          order by earliest.seq limit 1
        )
        order by due_at, seq
        limit greatest(most - under_way, 0)
      ) as due
    ), ranked as (
      select id, is_troubled, ordinal, row_number() over (partition by is_troubled order by ordinal, due_at, seq) as place
      from candidate
    )
    select id from ranked where place <= case
      when not is_troubled then ${place('count')}::int
      when ordinal = 1 then ${place('firstCount')}::int
      else ${place('troubledCount')}::int
    end`;
}

/**
 * Statements of the queue are planned each time: it fills and empties within seconds, and a plan from when it was empty reads all of the
 * table for each delivery.
 */
const plannedEachTime = { isPlannedForValues: true };

const claimStatement = compileOnce<ClaimValues, Omit<ClaimedDelivery, 'claim'>>((place) => {
  const deliveries = claim({
    table: 'webhook_delivery',
    condition: sql`status = 'pending' and due_at <= now() and id in (${startable(place)})`,
    lease: { ms: LEASE_MS, id: place('claim') },
  });
  return sql`
    with claimed as (${deliveries})
    select claimed.id, claimed.webhook_id as "webhookId", claimed.position::float8 as position,
      jsonb_array_length(attempts) as attempts, url,
      status_changed_at::text as "statusChangedAt", failing_since is not null as "isFailing",
      slow_since is not null as "isSlow", office_ids as "officeIds", (
      select json_agg(secret order by created_at desc) from webhook_secret
      where webhook_id = webhook.id and (ends_at is null or ends_at > now())
    ) as secrets
    from claimed join webhook on webhook.id = claimed.webhook_id order by seq`;
}, plannedEachTime);

/** Claims due deliveries, by the clock of the database, the same for all servers. */
export async function claimDue(
  db: Kysely<Database>,
  { claim: id, free, perWebhook, grown = {} }: ClaimOptions,
): Promise<ClaimedDelivery[]> {
  const values = { claim: id, ...free, perWebhook, grown: JSON.stringify(grown) };
  const rows = await claimStatement.execute(db, values);
  return rows.map((row) => ({ ...row, claim: id }));
}

/**
 * Releases the deliveries of claims whose statement failed, so that they are due again. Returns the claims that had any: a
 * statement whose connection was lost may commit later, and a later call finds it.
 */
export async function release(db: Kysely<Database>, claims: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ claim: string }>`
    with claimed as (
      select id, claim from webhook_delivery where claim = any(${claims}::uuid[]) and status = 'pending' for update
    ), released as (
      update webhook_delivery set claim = null, due_at = ${dueNow} where id in (select id from claimed)
    )
    select distinct claim from claimed`.execute(db);
  return rows.map(({ claim }) => claim);
}

/** The state of a webhook when a delivery of it was claimed. */
export type ClaimedWebhook = Pick<ClaimedDelivery, 'webhookId' | 'url' | 'statusChangedAt'>;

/**
 * Whether the URL and the status of a webhook are the same as when the delivery was claimed. If not, a client has configured
 * another receiver, or enabled this one again, and the response to an attempt that started before does not apply to it.
 */
function isUnchanged({ webhookId, url, statusChangedAt }: ClaimedWebhook): RawBuilder<boolean> {
  return sql`id = ${webhookId} and url = ${url} and status_changed_at = ${statusChangedAt}::timestamptz`;
}

/** The state of a delivery after an attempt: finished, or pending for a retry. */
export type DeliveryOutcome =
  | { status: 'delivered' | 'failed' | 'superseded' }
  | { status: 'pending'; retryInMs: number };

/** The outcome of a claimed delivery, with its attempt if one was made. */
export interface Settlement {
  claimed: ClaimedDelivery;
  outcome: DeliveryOutcome;
  attempt?: Attempt | undefined;
}

/** The webhooks are locked first, in one order: what changes or deletes one locks it before its deliveries, too. */
const settleStatement = compileOnce<{ settlements: string }, never>(
  (place) => sql`
    with settled as materialized (
      select * from json_to_recordset(${place('settlements')}::json) as (
        id uuid, claim uuid, webhook_id uuid, url text, status_changed_at timestamptz, status text, retry_in_ms float8, attempts jsonb
      )
    ), receiver as materialized (
      select id, url, status_changed_at from webhook where id in (select webhook_id from settled) order by id for key share
    )
    update webhook_delivery as delivery
    set status = settled.status, claim = null, attempts = delivery.attempts || settled.attempts,
      finished_at = case when settled.status <> 'pending' then now() end,
      due_at = case
        when settled.status <> 'pending' then null
        when receiver.url = settled.url and receiver.status_changed_at = settled.status_changed_at
          then now() + settled.retry_in_ms * interval '1 ms'
        else ${dueNow}
      end
    from settled join receiver on receiver.id = settled.webhook_id
    where delivery.id = settled.id and delivery.claim = settled.claim and delivery.status = 'pending'`,
  plannedEachTime,
);

/**
 * Records the outcomes of claimed deliveries in one statement. A retry is due at once if the webhook has been given another URL, or
 * enabled again, since the claim. Does nothing for a delivery that another server has taken over.
 */
export async function settle(db: Kysely<Database>, settlements: readonly Settlement[]): Promise<void> {
  const rows = settlements.map(({ claimed, outcome, attempt }) => ({
    id: claimed.id,
    claim: claimed.claim,
    webhook_id: claimed.webhookId,
    url: claimed.url,
    status_changed_at: claimed.statusChangedAt,
    status: outcome.status,
    retry_in_ms: outcome.status === 'pending' ? outcome.retryInMs : null,
    attempts: attempt === undefined ? [] : [attempt],
  }));
  await settleStatement.execute(db, { settlements: JSON.stringify(rows) });
}

/** Records whether the last attempt for a webhook failed, or was slow: since when all have. */
export async function recordTrouble(
  db: Kysely<Database>,
  column: 'failing_since' | 'slow_since',
  { webhookId, isTroubled }: { webhookId: string; isTroubled: boolean },
): Promise<void> {
  const since = sql.ref(column);
  await (isTroubled
    ? sql`update webhook set ${since} = now() where id = ${webhookId} and ${since} is null`
    : sql`update webhook set ${since} = null where id = ${webhookId} and ${since} is not null`
  ).execute(db);
}

/**
 * Starts no attempt for a webhook for a time, because the receiver sent Retry-After. Does nothing if the webhook has been
 * given another URL, or enabled again, since the claim.
 */
export async function pause(
  db: Kysely<Database>,
  claimed: ClaimedWebhook,
  { timeMs }: { timeMs: number },
): Promise<void> {
  await db
    .updateTable('webhook')
    .set({ paused_until: sql`now() + ${timeMs} * interval '1 ms'` })
    .where(isUnchanged(claimed))
    .execute();
}

/**
 * Disables a webhook whose receiver is gone. Does nothing if the webhook has been given another URL, or enabled again, since
 * the claim.
 */
export async function disable(
  db: Kysely<Database>,
  claimed: ClaimedWebhook,
  { reason }: { reason: string },
): Promise<void> {
  await db
    .updateTable('webhook')
    .set({ status: 'disabled', status_reason: reason, status_changed_at: sql`now()` })
    .where('status', '=', 'active')
    .where(isUnchanged(claimed))
    .execute();
}

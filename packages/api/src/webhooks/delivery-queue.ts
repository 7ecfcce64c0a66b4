import type { Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { claim, dueNow } from '../queue/claim.ts';
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
  /** Whether the last attempt for the webhook failed. */
  isFailing: boolean;
  /** Whether the last attempt for the webhook was slow. */
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
}

/**
 * The deliveries that may start: first those of the webhooks with the fewest running attempts, and of one webhook the oldest. A
 * delivery is not due while an earlier one of its record is pending, so that the deliveries of a record arrive in order.
 */
function startable({ free, perWebhook }: Omit<ClaimOptions, 'claim'>): RawBuilder<unknown> {
  return sql`
    with ready as (
      select webhook.id, failing_since is not null or slow_since is not null as is_troubled,
        case when failing_since is null then ${perWebhook}::int else 1 end as most,
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
      when not is_troubled then ${free.count}::int
      when ordinal = 1 then ${free.firstCount}::int
      else ${free.troubledCount}::int
    end`;
}

/** Claims due deliveries, by the clock of the database, the same for all servers. */
export async function claimDue(
  db: Kysely<Database>,
  { claim: id, ...options }: ClaimOptions,
): Promise<ClaimedDelivery[]> {
  const deliveries = claim({
    table: 'webhook_delivery',
    condition: sql`status = 'pending' and due_at <= now() and id in (${startable(options)})`,
    lease: { ms: LEASE_MS, id },
  });
  const { rows } = await sql<Omit<ClaimedDelivery, 'claim'>>`
    with claimed as (${deliveries})
    select claimed.id, claimed.webhook_id as "webhookId", claimed.position::float8 as position,
      jsonb_array_length(attempts) as attempts, url,
      status_changed_at::text as "statusChangedAt", failing_since is not null as "isFailing",
      slow_since is not null as "isSlow", office_ids as "officeIds", (
      select json_agg(secret order by created_at desc) from webhook_secret
      where webhook_id = webhook.id and (ends_at is null or ends_at > now())
    ) as secrets
    from claimed join webhook on webhook.id = claimed.webhook_id order by seq`.execute(db);
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

/**
 * Records the outcome of a claimed delivery. A retry is due at once if the webhook has been given another URL, or enabled
 * again, since the claim. Returns false if another server has taken the delivery over.
 */
export async function complete(
  db: Kysely<Database>,
  claimed: ClaimedDelivery,
  { outcome, attempt }: { outcome: DeliveryOutcome; attempt?: Attempt },
): Promise<boolean> {
  const { id, claim } = claimed;
  const isPending = outcome.status === 'pending';
  const due = isPending
    ? sql`case when exists (select from webhook where ${isUnchanged(claimed)})
        then now() + ${outcome.retryInMs} * interval '1 ms' else ${dueNow} end`
    : sql`null`;
  const attempts = JSON.stringify(attempt === undefined ? [] : [attempt]);
  const { numAffectedRows = 0n } = await sql`
    update webhook_delivery
    set status = ${outcome.status}, claim = null, due_at = ${due}, attempts = attempts || ${attempts}::jsonb,
      finished_at = ${isPending ? sql`null` : sql`now()`}
    where id = ${id} and claim = ${claim} and status = 'pending'`.execute(db);
  return numAffectedRows > 0n;
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
  await sql`
    update webhook set paused_until = now() + ${timeMs} * interval '1 ms' where ${isUnchanged(claimed)}`.execute(
    db,
  );
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
  await sql`
    update webhook set status = 'disabled', status_reason = ${reason}, status_changed_at = now()
    where status = 'active' and ${isUnchanged(claimed)}`.execute(db);
}

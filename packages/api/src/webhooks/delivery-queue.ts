import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { Left } from './capacity.ts';
import type { Attempt } from './schemas.ts';

/**
 * Longer than it may take until an attempt begins (10 s), what that may take (20 s), and its note: a server that has not
 * said by then what came of it has died, and another one takes the delivery over.
 */
export const LEASE_MS = 35_000;

/** A delivery that this server is to make, and nobody else for as long as the lease lasts. */
export interface Claimed {
  id: string;
  claim: string;
  webhookId: string;
  position: number;
  /** How many attempts there have been. */
  attempts: number;
  url: string;
  /** Whether the last attempt for the webhook failed. */
  isFailing: boolean;
  /** Whether the last attempt for the webhook was slow. */
  isSlow: boolean;
  /** What signs, the newest first. */
  secrets: string[];
}

export interface ClaimOptions {
  /** A name for this claim that no other has (UUID). */
  claim: string;
  /** How many at most. */
  left: Left;
  /** How many of one webhook may be on their way at once; one while it fails. */
  perWebhook: number;
}

/**
 * Claims deliveries that are due: of each webhook the one that waits longest, and those of the webhook with the fewest on
 * their way first. One that waits for an earlier one of its record is not due, so that those of a record arrive in order.
 * The clock is that of the database, one for all servers.
 */
export async function claimDue(
  db: Kysely<Database>,
  { claim, left, perWebhook }: ClaimOptions,
): Promise<Claimed[]> {
  const { rows } = await sql<Omit<Claimed, 'claim'>>`
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
      select due.*, is_troubled, under_way + row_number() over (partition by ready.id order by due_at, seq) as turn
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
      select id, is_troubled, turn, row_number() over (partition by is_troubled order by turn, due_at, seq) as place
      from candidate
    ), locked as (
      select id from webhook_delivery
      where status = 'pending' and due_at <= now() and id in (
        select id from ranked where place <= case
          when not is_troubled then ${left.count}::int
          when turn = 1 then ${left.firstCount}::int
          else ${left.troubledCount}::int
        end
      )
      for update skip locked
    ), claimed as (
      update webhook_delivery set claim = ${claim}, due_at = now() + ${LEASE_MS} * interval '1 ms'
      where id in (select id from locked)
      returning id, webhook_id, position, seq, jsonb_array_length(attempts) as attempts
    )
    select claimed.id, claimed.webhook_id as "webhookId", claimed.position::float8 as position, attempts, url,
      failing_since is not null as "isFailing", slow_since is not null as "isSlow", (
      select json_agg(secret order by created_at desc) from webhook_secret
      where webhook_id = webhook.id and (ends_at is null or ends_at > now())
    ) as secrets
    from claimed join webhook on webhook.id = claimed.webhook_id order by seq`.execute(db);
  return rows.map((row) => ({ ...row, claim }));
}

/**
 * Gives back, at once, what was claimed under these names: whoever claimed it was never told what. Returns the names under
 * which something was; a claim whose connection broke may still commit, and is found by a later call.
 */
export async function giveBack(db: Kysely<Database>, claims: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ claim: string }>`
    with claimed as (
      select id, claim from webhook_delivery where claim = any(${claims}::uuid[]) and status = 'pending' for update
    ), given as (
      update webhook_delivery set claim = null, due_at = now() where id in (select id from claimed)
    )
    select distinct claim from claimed`.execute(db);
  return rows.map(({ claim }) => claim);
}

/** What becomes of a delivery: it is finished, or tried again. */
export type Outcome =
  | { status: 'delivered' | 'failed' | 'superseded' }
  | { status: 'pending'; retryInMs: number };

/** Notes what came of a claimed delivery; of one that was taken over meanwhile, nothing. Returns whether it did. */
export async function settle(
  db: Kysely<Database>,
  { id, claim }: Claimed,
  { outcome, attempt }: { outcome: Outcome; attempt?: Attempt },
): Promise<boolean> {
  const isPending = outcome.status === 'pending';
  const due = isPending ? sql`now() + ${outcome.retryInMs} * interval '1 ms'` : sql`null`;
  const attempts = JSON.stringify(attempt === undefined ? [] : [attempt]);
  const { numAffectedRows = 0n } = await sql`
    update webhook_delivery
    set status = ${outcome.status}, claim = null, due_at = ${due}, attempts = attempts || ${attempts}::jsonb,
      finished_at = ${isPending ? sql`null` : sql`now()`}
    where id = ${id} and claim = ${claim} and status = 'pending'`.execute(db);
  return numAffectedRows > 0n;
}

/** Notes of a webhook that an attempt succeeded after others that failed, or the other way round. */
export async function noteHealth(
  db: Kysely<Database>,
  { webhookId, isWell }: { webhookId: string; isWell: boolean },
): Promise<void> {
  await (isWell
    ? sql`update webhook set failing_since = null where id = ${webhookId} and failing_since is not null`
    : sql`update webhook set failing_since = now() where id = ${webhookId} and failing_since is null`
  ).execute(db);
}

/** Notes of a webhook that an attempt was slow after others that were quick, or the other way round. */
export async function noteSpeed(
  db: Kysely<Database>,
  { webhookId, isSlow }: { webhookId: string; isSlow: boolean },
): Promise<void> {
  await (isSlow
    ? sql`update webhook set slow_since = now() where id = ${webhookId} and slow_since is null`
    : sql`update webhook set slow_since = null where id = ${webhookId} and slow_since is not null`
  ).execute(db);
}

/** Makes no attempt for a webhook for a time, because the receiver asked for that. */
export async function pause(
  db: Kysely<Database>,
  { webhookId, timeMs }: { webhookId: string; timeMs: number },
): Promise<void> {
  await sql`
    update webhook set paused_until = now() + ${timeMs} * interval '1 ms' where id = ${webhookId}`.execute(
    db,
  );
}

/** Disables a webhook whose receiver is gone, and says so. */
export async function disable(
  db: Kysely<Database>,
  { webhookId, reason }: { webhookId: string; reason: string },
): Promise<void> {
  await sql`
    update webhook set status = 'disabled', status_reason = ${reason}, status_changed_at = now()
    where id = ${webhookId} and status = 'active'`.execute(db);
}

import { compileOnce, type Database, type Param } from '@roster/db';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { claim, dueNow } from '../engine/queue/claim.ts';
import type { FreeSlots } from './delivery-slots.ts';
import type { Attempt } from './schemas.ts';

/** Delay (10 s), attempt (20 s) and recording. Without a result by then, another server takes over. */
export const LEASE_MS = 35_000;

export interface ClaimOptions {
  /** A UUID. */
  claim: string;
  free: FreeSlots;
  perWebhook: number;
  /** Higher limits by webhook ID, for receivers that keep up; ignored while they are slow. */
  grown?: Readonly<Record<string, number>> | undefined;
}

interface ClaimValues extends FreeSlots {
  claim: string;
  perWebhook: number;
  grown: string;
}

/**
 * Fair between webhooks. A delivery waits for earlier ones of its record, so that they arrive in order. A tag, because almost
 * everything in it is an expression.
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

/** A plan for an empty queue, which fills within seconds, would scan the table for each delivery. */
const plannedEachTime = { isPlannedForValues: true };

const newestSecrets = sql<string[]>`(
  select json_agg(secret order by created_at desc) from webhook_secret
  where webhook_id = webhook.id and (ends_at is null or ends_at > now()))`;

const claimStatement = compileOnce((param: Param<ClaimValues>, db: Kysely<Database>) => {
  const deliveries = claim({
    table: 'webhook_delivery',
    condition: sql`status = 'pending' and due_at <= now() and id in (${startable(param)})`,
    lease: { ms: LEASE_MS, id: param('claim') },
  });
  return db
    .with('claimed', () => sql<Selectable<Database['webhook_delivery']>>`(${deliveries})`)
    .selectFrom('claimed')
    .innerJoin('webhook', 'webhook.id', 'claimed.webhook_id')
    .select([
      ...(['claimed.id', 'claimed.webhook_id as webhookId', 'url', 'office_ids as officeIds'] as const),
      sql<number>`claimed.position::float8`.as('position'),
      sql<number>`jsonb_array_length(attempts)`.as('attempts'),
      // With microseconds.
      sql<string>`status_changed_at::text`.as('statusChangedAt'),
      sql<boolean>`failing_since is not null`.as('isFailing'),
      sql<boolean>`slow_since is not null`.as('isSlow'),
      newestSecrets.as('secrets'),
    ])
    .orderBy('seq');
}, plannedEachTime);

export type ClaimedDelivery = Awaited<ReturnType<typeof claimDue>>[number];

/** By the clock of the database. */
export async function claimDue(
  db: Kysely<Database>,
  { claim: id, free, perWebhook, grown = {} }: ClaimOptions,
) {
  const values = { claim: id, ...free, perWebhook, grown: JSON.stringify(grown) };
  const rows = await claimStatement.execute(db, values);
  return rows.map((row) => ({ ...row, claim: id }));
}

/** Returns the claims that had any: a statement with a lost connection may still commit later. */
export async function release(db: Kysely<Database>, claims: readonly string[]): Promise<string[]> {
  const rows = await db
    .with('claimed', (one) =>
      one
        .selectFrom('webhook_delivery')
        .where((row) => row('claim', '=', row.fn.any(row.val(claims))))
        .where('status', '=', 'pending')
        .select(['id', 'claim'])
        .$narrowType<{ claim: string }>()
        .forUpdate(),
    )
    .with('released', (one) =>
      one
        .updateTable('webhook_delivery')
        .set({ claim: null, due_at: dueNow })
        .where('id', 'in', one.selectFrom('claimed').select('id')),
    )
    .selectFrom('claimed')
    .select('claim')
    .distinct()
    .execute();
  return rows.map(({ claim }) => claim);
}

export type ClaimedWebhook = Pick<ClaimedDelivery, 'webhookId' | 'url' | 'statusChangedAt'>;

/** The result of an earlier attempt does not apply to a webhook that was changed since. */
function isUnchanged({ webhookId, url, statusChangedAt }: ClaimedWebhook): RawBuilder<boolean> {
  return sql`id = ${webhookId} and url = ${url} and status_changed_at = ${statusChangedAt}::timestamptz`;
}

export type DeliveryOutcome =
  | { status: 'delivered' | 'failed' | 'superseded' }
  | { status: 'pending'; retryInMs: number };

export interface Settlement {
  claimed: ClaimedDelivery;
  outcome: DeliveryOutcome;
  attempt?: Attempt | undefined;
}

/**
 * Webhooks are locked first and in one order, as where they are changed or deleted. A tag, because the
 * builder would need the types of the recordset again.
 */
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

/** Skips deliveries taken over by other servers. A changed webhook's retry is due at once. */
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

export async function recordTrouble(
  db: Kysely<Database>,
  column: 'failing_since' | 'slow_since',
  { webhookId, isTroubled }: { webhookId: string; isTroubled: boolean },
): Promise<void> {
  await db
    .updateTable('webhook')
    .set({ [column]: isTroubled ? sql`now()` : null })
    .where('id', '=', webhookId)
    .where(column, isTroubled ? 'is' : 'is not', null)
    .execute();
}

/** Pauses a webhook after Retry-After, unless it got another URL or was enabled since the claim. */
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

/** Disables a webhook whose receiver is gone, unless it got another URL or was enabled since the claim. */
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

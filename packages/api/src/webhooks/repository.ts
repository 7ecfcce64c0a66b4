import { constant, type Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { createdByJson } from '../access/actors.ts';
import { isContained } from '../access/office-ids.ts';
import { tableShape, timeText } from '../engine/json/record-json.ts';
import { isAnyId } from '../engine/list/filters.ts';
import type { Listable } from '../engine/list/list-records.ts';
import { dueNow } from '../engine/queue/claim.ts';
import { deleteInBatches, type Retention, retentionEnd } from '../engine/retention.ts';
import type { RecordEventType } from '../log/types.ts';
import { isEventWithin } from '../log/visibility.ts';
import { Webhook, WebhookDelivery } from './schemas.ts';

export const webhooks: Listable<Webhook> = constant({
  name: 'webhooks',
  table: 'webhook',
  ...tableShape('webhook', Webhook, {
    pausedUntil: timeText(
      sql<Date | null>`case when webhook.paused_until > now() then webhook.paused_until end`,
    ),
    createdBy: createdByJson(sql.ref('webhook.created_by')),
  }),
  isWithin: isContained,
});

export const deliveries: Listable<WebhookDelivery, { webhookId: string }> = constant({
  name: 'deliveries',
  table: 'webhook_delivery',
  ...tableShape('webhook_delivery', WebhookDelivery, {
    messageId: sql`'evt_' || webhook_delivery.position`,
    subject: sql.ref('webhook_delivery.subject_id'),
    nextAttemptAt: timeText(sql.ref('webhook_delivery.due_at')),
  }),
  // Only events received before the webhook was limited to other offices.
  isWithin: (offices) => sql<boolean>`exists (
    select from event where event.position = webhook_delivery.position and ${isEventWithin(offices)})`,
  filters: { webhookId: (id) => isAnyId('webhook_id', [id]) },
  orderedIndexes: { webhook_id: 'created_at' },
});

export async function insertSigningSecret(
  db: Kysely<Database>,
  { webhookId, secret, now }: { webhookId: string; secret: string; now: Date },
): Promise<void> {
  await db
    .insertInto('webhook_secret')
    .values({ webhook_id: webhookId, secret, created_at: now, ends_at: null })
    .execute();
}

/** Doesn't extend earlier expiries. Also deletes expired secrets. */
export async function endSigningSecrets(
  db: Kysely<Database>,
  { webhookId, endsAt, now }: { webhookId: string; endsAt: Date; now: Date },
): Promise<void> {
  await db
    .updateTable('webhook_secret')
    .set((row) => ({ ends_at: row.fn<Date>('least', ['ends_at', row.val(endsAt)]) }))
    .where('webhook_id', '=', webhookId)
    .execute();
  await db
    .deleteFrom('webhook_secret')
    .where('webhook_id', '=', webhookId)
    .where('ends_at', '<=', now)
    .execute();
}

/** Newest first. */
export async function signingSecrets(
  db: Kysely<Database>,
  { webhookId, now }: { webhookId: string; now: Date },
): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_secret')
    .where('webhook_id', '=', webhookId)
    .where((row) => row.or([row('ends_at', 'is', null), row('ends_at', '>', now)]))
    .select('secret')
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map(({ secret }) => secret);
}

interface Change {
  url?: string | undefined;
  description?: string | null | undefined;
  types?: RecordEventType[] | null | undefined;
  officeIds?: string[] | null | undefined;
  status?: 'active' | 'disabled' | undefined;
}

/** A new URL or status makes pending deliveries due at once, because the reason to wait is gone. */
export async function changeWebhook(
  db: Kysely<Database>,
  { id, now, officeIds, ...change }: Change & { id: string; now: Date },
): Promise<void> {
  const values = { ...change, office_ids: officeIds };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  if (given.length === 0) return;
  const isChanged = (name: 'status' | 'url') =>
    values[name] === undefined
      ? sql<boolean>`false`
      : sql<boolean>`${sql.ref(`before.${name}`)} <> ${values[name]}`;
  const isStatusChanged = isChanged('status');
  await db
    .with('before', (one) => one.selectFrom('webhook').where('id', '=', id).selectAll().forUpdate())
    .with('changed', (one) =>
      one
        .updateTable('webhook')
        .from('before')
        .set({
          ...values,
          updated_at: now,
          paused_until: null,
          status_changed_at: sql`case when ${isStatusChanged} then ${now} else before.status_changed_at end`,
          status_reason: sql`case when ${isStatusChanged} then null else before.status_reason end`,
        })
        .whereRef('webhook.id', '=', 'before.id')
        .where((row) =>
          row.or(
            given.map(([name, value]) => row(sql.ref(`before.${name}`), 'is distinct from', row.val(value))),
          ),
        )
        .returning([
          'webhook.id',
          'webhook.status',
          sql<boolean>`${isStatusChanged} or ${isChanged('url')}`.as('is_resumed'),
        ]),
    )
    .updateTable('webhook_delivery')
    .from('changed')
    .set({ due_at: dueNow })
    .whereRef('webhook_id', '=', 'changed.id')
    .where('changed.status', '=', 'active')
    .where('is_resumed', '=', true)
    .where('webhook_delivery.status', '=', 'pending')
    .where('claim', 'is', null)
    .execute();
}

/** Supersedes pending deliveries after the position, so that they are not sent twice; claimed ones are not. */
export async function rewindWebhook(
  db: Kysely<Database>,
  { id, after }: { id: string; after: string },
): Promise<void> {
  const now = sql<Date>`now()`;
  await db
    .updateTable('webhook_delivery')
    .set({ status: 'superseded', due_at: null, claim: null, finished_at: now })
    .where('webhook_id', '=', id)
    .where('status', '=', 'pending')
    .where('position', '>', after)
    .where((row) => row.or([row('claim', 'is', null), row('due_at', '<=', now)]))
    .execute();
  await db
    .updateTable('webhook')
    .set((row) => ({ read_to: row.fn<string>('least', ['read_to', row.val(after)]) }))
    .where('id', '=', id)
    .execute();
}

/** On all servers, through the channel of new events. Not a select of the builder, which would count as a read. */
export async function wakeDeliveryWorkers(db: Kysely<Database>): Promise<void> {
  await sql`select pg_notify('roster_events', '')`.execute(db);
}

/** Returns the number of deliveries. Safe on any number of servers. */
export async function purgeDeliveries(db: Kysely<Database>, retention: Retention): Promise<number> {
  await db.deleteFrom('webhook_secret').where('ends_at', '<=', retention.now).execute();
  const isOver = sql`status <> 'pending' and finished_at <= ${retentionEnd(retention)}`;
  return deleteInBatches(db, 'webhook_delivery', isOver);
}

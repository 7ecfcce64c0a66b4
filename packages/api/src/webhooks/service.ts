import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { checkScopes } from '../api-keys/authenticator.ts';
import { RosterError } from '../errors/roster-error.ts';
import { isChanged, writeAdminEvent } from '../events/admin-events.ts';
import { endOfLog } from '../events/repository.ts';
import { type RecordEventType, readScopesOf, type webhookVerbs } from '../events/types.ts';
import { findRecord, type Page, readPage } from '../resources/list/list-records.ts';
import { causeOf } from '../resources/service.ts';
import type { CallContext, Context } from '../trpc/context.ts';
import { inTransaction } from '../trpc/idempotency.ts';
import { disable } from './delivery-queue.ts';
import { newSigningSecret } from './message.ts';
import {
  changeWebhook,
  deleteWebhookRow,
  deliveries,
  endSigningSecrets,
  insertSigningSecret,
  insertWebhook,
  lockWebhook,
  putBack,
  wakeDeliverers,
  webhooks,
} from './repository.ts';
import type {
  NewWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryQuery,
  WebhookPatch,
  WebhookReplay,
  WebhookRotation,
  WebhookWithSecret,
} from './schemas.ts';
import { faultOfTarget } from './ssrf-guard.ts';

const DAY_S = 24 * 60 * 60;

function notFound(id: string): RosterError {
  return new RosterError('not_found', `No webhook has the id ${id}.`);
}

/** Reads one webhook. Throws `not_found`. */
export async function getWebhook(db: Kysely<Database>, id: string): Promise<Webhook> {
  const webhook = (await findRecord(db, webhooks, id))?.decode();
  if (webhook === undefined) throw notFound(id);
  return webhook;
}

/** Who decides where events are sent may read the records of each type. Throws `insufficient_scope`. */
function checkTypes({ caller }: CallContext, types: RecordEventType[] | null): void {
  checkScopes(caller, readScopesOf(types));
}

/**
 * Changes a webhook in a transaction, where the caller may read what it receives, and writes the event of what has changed.
 * Throws `not_found`, `insufficient_scope`.
 */
async function changing(
  ctx: CallContext,
  { id, verb }: { id: string; verb: (typeof webhookVerbs)[number] },
  change: (trx: Kysely<Database>) => Promise<void>,
): Promise<Webhook> {
  return inTransaction(ctx.db, async (trx) => {
    if (!(await lockWebhook(trx, id))) throw notFound(id);
    const before = await getWebhook(trx, id);
    checkTypes(ctx, before.types);
    await change(trx);
    const after = await getWebhook(trx, id);
    // A rotation or a replay may change nothing that is shown, and has happened all the same.
    if (verb !== 'updated' || isChanged(before, after))
      await writeAdminEvent(trx, { type: `webhook.${verb}`, before, after, cause: causeOf(ctx) });
    return after;
  });
}

/** What may not be called is refused at once, where the URL itself shows it. Throws `validation_failed`. */
function checkTarget({ services: { sender } }: Context, url: string | undefined): void {
  const detail = url === undefined ? undefined : faultOfTarget(url, sender);
  if (detail === undefined) return;
  const errors = [{ pointer: '#/url', code: 'not_allowed', detail }];
  throw new RosterError('validation_failed', `url ${detail}.`, { errors });
}

/** The position a place in the log stands for. Throws `cursor_expired` for one beyond its end. */
async function positionAt(db: Kysely<Database>, place: string): Promise<string> {
  const end = await endOfLog(db);
  if (place === 'latest') return end;
  if (BigInt(place) <= BigInt(end)) return place;
  throw new RosterError(
    'cursor_expired',
    `The log ends at ${end}; ${place} belongs to another log, or to a later one.`,
  );
}

/** Makes room for one more webhook, until the transaction ends. Throws `limit_reached`. */
async function takeRoom(trx: Kysely<Database>, webhooksMax: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('the number of webhooks', 0))`.execute(trx);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from webhook`.execute(trx);
  if ((rows[0]?.count ?? 0) < webhooksMax) return;
  throw new RosterError('limit_reached', `There are ${webhooksMax} webhooks, and no more are allowed.`);
}

/**
 * Makes a webhook and its first secret, which is answered this once. Throws `validation_failed`, `insufficient_scope`,
 * `cursor_expired`, `limit_reached`.
 */
export async function createWebhook(
  ctx: CallContext,
  { url, description = null, types = null, after = 'latest' }: z.output<typeof NewWebhook>,
): Promise<WebhookWithSecret> {
  checkTarget(ctx, url);
  checkTypes(ctx, types);
  const now = ctx.services.now();
  const id = uuidv7({ msecs: now.getTime() });
  const secret = newSigningSecret();
  return ctx.db.transaction().execute(async (trx) => {
    await takeRoom(trx, ctx.services.webhooksMax);
    const readTo = await positionAt(trx, after);
    await insertWebhook(trx, {
      ...{ id, url, description, types: types && [...new Set(types)] },
      ...{ readTo, createdBy: ctx.caller.keyId, now },
    });
    await insertSigningSecret(trx, { webhookId: id, secret, now });
    await wakeDeliverers(trx);
    const webhook = await getWebhook(trx, id);
    await writeAdminEvent(trx, { type: 'webhook.created', after: webhook, cause: causeOf(ctx) });
    return { ...webhook, secret };
  });
}

/** Changes a webhook. Throws `not_found`, `validation_failed`, `insufficient_scope`. */
export async function updateWebhook(
  ctx: CallContext,
  { id, ...patch }: z.output<typeof WebhookPatch>,
): Promise<Webhook> {
  checkTarget(ctx, patch.url);
  const types = patch.types && [...new Set(patch.types)];
  return changing(ctx, { id, verb: 'updated' }, async (trx) => {
    if (types !== undefined) checkTypes(ctx, types);
    await changeWebhook(trx, { id, now: ctx.services.now(), ...patch, types });
    await wakeDeliverers(trx);
  });
}

/** Disables a webhook whose receiver is gone, says so, and writes the event, which no key has asked for. */
export async function disableWebhook(
  db: Kysely<Database>,
  { id, reason, now }: { id: string; reason: string; now: Date },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await lockWebhook(trx, id))) return;
    const before = await getWebhook(trx, id);
    await disable(trx, { webhookId: id, reason });
    const after = await getWebhook(trx, id);
    const cause = { now, actorId: null, requestId: null };
    if (isChanged(before, after))
      await writeAdminEvent(trx, { type: 'webhook.updated', before, after, cause });
  });
}

/** Removes a webhook with its secrets and its deliveries. Throws `not_found`. */
export async function deleteWebhook(ctx: CallContext, id: string): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    if (!(await lockWebhook(trx, id))) throw notFound(id);
    const after = await getWebhook(trx, id);
    await deleteWebhookRow(trx, id);
    await writeAdminEvent(trx, { type: 'webhook.deleted', after, cause: causeOf(ctx) });
  });
}

/**
 * Gives a webhook a new secret. The one before signs too for the overlap, a day unless given, so that the receiver can
 * change over. Throws `not_found`, `insufficient_scope`.
 */
export async function rotateWebhook(
  ctx: CallContext,
  { id, overlapSeconds = DAY_S }: z.output<typeof WebhookRotation>,
): Promise<WebhookWithSecret> {
  const now = ctx.services.now();
  const secret = newSigningSecret();
  const webhook = await changing(ctx, { id, verb: 'rotated' }, async (trx) => {
    const endsAt = new Date(now.getTime() + overlapSeconds * 1_000);
    await endSigningSecrets(trx, { webhookId: id, endsAt, now });
    await insertSigningSecret(trx, { webhookId: id, secret, now });
  });
  return { ...webhook, secret };
}

/** One page of what was sent, and is to be sent, to a webhook. Throws `not_found` and what a page does. */
export async function readDeliveries(
  { db }: Context,
  { id, ...asked }: z.output<typeof WebhookDeliveryQuery>,
): Promise<Page<WebhookDelivery>> {
  await getWebhook(db, id);
  const input = { ...asked, webhookId: id, sort: '-createdAt' };
  return (await readPage(db, { collection: deliveries, input })).decode();
}

/**
 * Delivers everything after a position again, from the log as it is now. A position that the webhook has not come to
 * yet changes nothing, because all that is after it is still to be delivered. Throws `not_found`, `insufficient_scope`,
 * `cursor_expired`.
 */
export async function replayWebhook(
  ctx: CallContext,
  { id, after }: z.output<typeof WebhookReplay>,
): Promise<Webhook> {
  return changing(ctx, { id, verb: 'replayed' }, async (trx) => {
    await putBack(trx, { id, after: await positionAt(trx, after) });
    await wakeDeliverers(trx);
  });
}

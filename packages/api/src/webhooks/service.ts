import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import { lockRow } from '../access/access-rows.ts';
import { checkCreationLimit } from '../access/creation-limits.ts';
import { givenOffices } from '../access/office-ids.ts';
import { checkScopes } from '../access/scopes.ts';
import { rotateSecret } from '../access/secret.ts';
import { noRecordError, requireRecord } from '../engine/list/find-record.ts';
import { listPage, type Page } from '../engine/list/list-records.ts';
import { newId } from '../engine/new-id.ts';
import { inTransaction } from '../engine/write/transaction.ts';
import { invalidInput, RosterError } from '../errors/roster-error.ts';
import { writeAdminEvent } from '../log/admin-events.ts';
import { lastPosition } from '../log/repository.ts';
import { endOfLog } from '../log/sequencer.ts';
import { type AdminVerb, RecordEventType, readScopesOf } from '../log/types.ts';
import { causeOf } from '../records/service.ts';
import type { CallContext } from '../trpc/context.ts';
import { type ClaimedWebhook, disable } from './delivery-queue.ts';
import { newSigningSecret, signedMessage, testPayload } from './message.ts';
import {
  changeWebhook,
  deliveries,
  endSigningSecrets,
  insertSigningSecret,
  rewindWebhook,
  signingSecrets,
  wakeDeliveryWorkers,
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
  WebhookTest,
  WebhookWithSecret,
} from './schemas.ts';
import type { Sender } from './sender/http-sender.ts';
import { checkUrl } from './sender/ssrf-guard.ts';

export interface WebhookCollaborators {
  sender: Sender;
  webhooksMax: number;
}

export interface WebhookContext extends CallContext, WebhookCollaborators {}

/** The caller needs the scopes to read the records of these types. Throws `insufficient_scope`. */
function checkTypes({ caller }: CallContext, types: RecordEventType[] | null): void {
  checkScopes(caller, readScopesOf(types ?? RecordEventType.options));
}

/** Throws `not_found`, and `insufficient_scope` if the caller can't read its records. */
async function changeLockedWebhook(
  ctx: CallContext,
  { id, verb }: { id: string; verb: AdminVerb<'webhook'> },
  change: (trx: Kysely<Database>) => Promise<void>,
): Promise<Webhook> {
  return inTransaction(ctx.db, async (trx) => {
    if (!(await lockRow(trx, 'webhook', id))) throw noRecordError(webhooks, id);
    const one = { id, limit: ctx.limit };
    const before = await requireRecord(trx, webhooks, one);
    checkTypes(ctx, before.types);
    await change(trx);
    const after = await requireRecord(trx, webhooks, one);
    await writeAdminEvent(trx, {
      type: `webhook.${verb}`,
      before,
      after,
      // A rotation or a replay always has an event.
      isAlways: verb !== 'updated',
      cause: causeOf(ctx),
    });
    return after;
  });
}

/** Throws `validation_failed` for a forbidden receiver. */
function requireAllowedUrl({ sender }: WebhookCollaborators, url: string | undefined): void {
  const detail = url === undefined ? undefined : checkUrl(url, sender);
  if (detail !== undefined) throw invalidInput({ pointer: '#/url', code: 'not_allowed', detail });
}

/** Throws `cursor_expired` for a position beyond the log's end. */
async function requirePosition(db: Kysely<Database>, position: string): Promise<string> {
  const end = await lastPosition(db);
  if (BigInt(position) <= BigInt(end)) return position;
  throw new RosterError(
    'cursor_expired',
    `The log ends at ${end}; ${position} belongs to a different log, or to a later one.`,
  );
}

/**
 * Creates a webhook with its first secret, which only this returns. It keeps its offices even if the caller's
 * rights change. Throws `validation_failed`, `insufficient_scope`, `reference_not_found`, `cursor_expired`,
 * `limit_reached`.
 */
export async function createWebhook(
  ctx: WebhookContext,
  { url, description = null, types = null, after = 'latest', ...given }: z.output<typeof NewWebhook>,
): Promise<WebhookWithSecret> {
  requireAllowedUrl(ctx, url);
  checkTypes(ctx, types);
  const now = ctx.now();
  const id = newId(now);
  const secret = newSigningSecret();
  return ctx.db.transaction().execute(async (trx) => {
    const officeIds = await givenOffices(trx, ctx.limit, given.officeIds);
    await checkCreationLimit(trx, 'webhooks', ctx, { max: ctx.webhooksMax });
    const readTo = after === 'latest' ? await endOfLog(trx) : await requirePosition(trx, after);
    await trx
      .insertInto('webhook')
      .values({
        id,
        url,
        description,
        types: types && [...new Set(types)],
        office_ids: officeIds,
        read_to: readTo,
        status: 'active',
        status_changed_at: now,
        created_at: now,
        updated_at: now,
        created_by: ctx.caller.id,
      })
      .execute();
    await insertSigningSecret(trx, { webhookId: id, secret, now });
    await wakeDeliveryWorkers(trx);
    const webhook = await requireRecord(trx, webhooks, { id, limit: ctx.limit });
    await writeAdminEvent(trx, { type: 'webhook.created', after: webhook, cause: causeOf(ctx) });
    return { ...webhook, secret };
  });
}

/** Throws `not_found`, `validation_failed`, `insufficient_scope`, `reference_not_found`. */
export async function updateWebhook(
  ctx: WebhookContext,
  { id, officeIds: given, ...patch }: z.output<typeof WebhookPatch>,
): Promise<Webhook> {
  requireAllowedUrl(ctx, patch.url);
  const types = patch.types && [...new Set(patch.types)];
  return changeLockedWebhook(ctx, { id, verb: 'updated' }, async (trx) => {
    if (types !== undefined) checkTypes(ctx, types);
    const officeIds = given === undefined ? undefined : await givenOffices(trx, ctx.limit, given);
    await changeWebhook(trx, { id, now: ctx.now(), ...patch, types, officeIds });
    await wakeDeliveryWorkers(trx);
  });
}

/** Not if it got another URL or was enabled since the claim. The event has no actor. */
export async function disableWebhook(
  db: Kysely<Database>,
  claimed: ClaimedWebhook,
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  const { webhookId: id } = claimed;
  await db.transaction().execute(async (trx) => {
    if (!(await lockRow(trx, 'webhook', id))) return;
    const one = { id, limit: undefined };
    const before = await requireRecord(trx, webhooks, one);
    await disable(trx, claimed, { reason });
    const after = await requireRecord(trx, webhooks, one);
    const cause = { now, actorId: null, requestId: null };
    await writeAdminEvent(trx, { type: 'webhook.updated', before, after, cause });
  });
}

/** With its secrets and deliveries. Throws `not_found`. */
export async function deleteWebhook(ctx: CallContext, id: string): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    if (!(await lockRow(trx, 'webhook', id))) throw noRecordError(webhooks, id);
    const after = await requireRecord(trx, webhooks, { id, limit: ctx.limit });
    await trx.deleteFrom('webhook').where('id', '=', id).execute();
    await writeAdminEvent(trx, { type: 'webhook.deleted', after, cause: causeOf(ctx) });
  });
}

/** Messages are signed with both during the overlap. Throws `not_found`, `insufficient_scope`. */
export async function rotateWebhook(
  ctx: CallContext,
  { id, overlapSeconds }: z.output<typeof WebhookRotation>,
): Promise<WebhookWithSecret> {
  const rotation = { now: ctx.now(), secret: newSigningSecret(), overlapSeconds };
  return rotateSecret(rotation, ({ now, secret, previousEndsAt }) =>
    changeLockedWebhook(ctx, { id, verb: 'rotated' }, async (trx) => {
      await endSigningSecrets(trx, { webhookId: id, endsAt: previousEndsAt, now });
      await insertSigningSecret(trx, { webhookId: id, secret, now });
    }),
  );
}

/** Newest first. Throws `not_found`, `invalid_cursor`, `cursor_mismatch`. */
export async function readDeliveries(
  { db, limit }: CallContext,
  { id, ...request }: z.output<typeof WebhookDeliveryQuery>,
): Promise<Page<WebhookDelivery>> {
  await requireRecord(db, webhooks, { id, limit });
  const input = { ...request, webhookId: id, sort: '-createdAt' };
  return listPage(db, { resource: deliveries, input, limit });
}

/** Throws `not_found`, `insufficient_scope`, `cursor_expired`. */
export async function replayWebhook(
  ctx: CallContext,
  { id, after }: z.output<typeof WebhookReplay>,
): Promise<Webhook> {
  return changeLockedWebhook(ctx, { id, verb: 'replayed' }, async (trx) => {
    await rewindWebhook(trx, { id, after: await requirePosition(trx, after) });
    await wakeDeliveryWorkers(trx);
  });
}

/** Shorter than for deliveries, because a client waits for it. */
const TEST_TIMEOUT_S = 5;
/** Longer than any test; after it the server is considered dead. */
const LEASE_S = 2 * TEST_TIMEOUT_S;

/** One test per webhook at a time, across servers. Throws `not_found`, `test_in_progress`, `rate_limited`. */
export async function testWebhook(ctx: WebhookContext, id: string): Promise<WebhookTest> {
  const now = ctx.now();
  const { url } = await requireRecord(ctx.db, webhooks, { id, limit: ctx.limit });
  const secrets = await signingSecrets(ctx.db, { webhookId: id, now });
  const payload = testPayload({ id: newId(now), webhookId: id, now });
  return ctx.request.callOut(async () => {
    if (!(await beginTest(ctx.db, id))) {
      const detail = 'Another test of this webhook is still running.';
      throw new RosterError('test_in_progress', detail, { retryAfter: TEST_TIMEOUT_S });
    }
    try {
      const message = signedMessage(payload, { url, secrets }, now);
      const { attempt } = await ctx.sender.send(message, { timeoutMs: TEST_TIMEOUT_S * 1_000 });
      return { ...attempt, messageId: payload.messageId };
    } finally {
      await endTest(ctx.db, id);
    }
  });
}

async function beginTest(db: Kysely<Database>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook')
    .set({ test_ends_at: sql`now() + ${LEASE_S} * interval '1 s'` })
    .where('id', '=', id)
    .where((row) => row.or([row('test_ends_at', 'is', null), row('test_ends_at', '<=', sql<Date>`now()`)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function endTest(db: Kysely<Database>, id: string): Promise<void> {
  await db.updateTable('webhook').set({ test_ends_at: null }).where('id', '=', id).execute();
}

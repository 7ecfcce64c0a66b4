import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { requireRecord } from '../engine/list/find-record.ts';
import { newId } from '../engine/new-id.ts';
import { RosterError } from '../errors/roster-error.ts';
import { signedMessage, testPayload } from './message.ts';
import { signingSecrets, webhooks } from './repository.ts';
import type { WebhookTest } from './schemas.ts';
import type { WebhookContext } from './service.ts';

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

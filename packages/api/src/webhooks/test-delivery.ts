import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { requireRecord } from '../engine/list/find-record.ts';
import { RosterError } from '../errors/roster-error.ts';
import { signedMessage, testPayload } from './message.ts';
import { signingSecrets, webhooks } from './repository.ts';
import type { WebhookTest } from './schemas.ts';
import type { WebhookContext } from './service.ts';

/** Less than the timeout of a delivery, because the caller waits for it. */
const TEST_TIMEOUT_S = 5;
/** Longer than a test can take: when it ends, the server of the test is considered dead. */
const LEASE_S = 2 * TEST_TIMEOUT_S;

/**
 * Sends a test message once, whatever the status of the webhook. One test of a webhook runs at a time, on all servers together.
 * Throws `not_found`, `test_in_progress`, `rate_limited`.
 */
export async function testWebhook(ctx: WebhookContext, id: string): Promise<WebhookTest> {
  const now = ctx.now();
  const { url } = await requireRecord(ctx.db, webhooks, { id, limit: ctx.limit });
  const secrets = await signingSecrets(ctx.db, { webhookId: id, now });
  const payload = testPayload({ id: uuidv7(), webhookId: id, now });
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

/** Takes the lease of a test. Returns false if another test has it. */
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

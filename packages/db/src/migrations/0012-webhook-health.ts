import { type Kysely, sql } from 'kysely';

/**
 * Since when the receiver of a webhook has been slow, so that slow webhooks get a share of the delivery workers and no
 * more; and until when somebody tests a webhook, so that one test of it runs at a time on all servers together.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook add slow_since timestamptz(3), add test_ends_at timestamptz(3)`.execute(db);
}

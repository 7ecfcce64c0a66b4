import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';

/** Resolves when so many connections to the database wait for a lock; fails after the timeout. */
export async function untilWaiting(
  db: Kysely<Database>,
  count: number,
  options: { timeout: number; interval?: number },
): Promise<void> {
  const waits = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waits.execute(db)).rows.length, options).toBe(count);
}

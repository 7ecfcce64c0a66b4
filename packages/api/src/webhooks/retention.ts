import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { type Retention, retentionEnd } from '../resources/retention.ts';

/** The number of deliveries that one statement deletes. */
const BATCH_SIZE = 5_000;

/**
 * Deletes the deliveries that finished before the retention, in batches, and expired secrets. Any number of servers can run it at
 * the same time.
 *
 * Returns the number of deleted deliveries.
 */
export async function purgeDeliveries(db: Kysely<Database>, retention: Retention): Promise<number> {
  const oldest = retentionEnd(retention);
  await sql`delete from webhook_secret where ends_at <= ${retention.now}`.execute(db);
  for (let count = 0; ; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from webhook_delivery where id in (
        select id from webhook_delivery where status <> 'pending' and finished_at <= ${oldest} limit ${BATCH_SIZE}
        for update skip locked
      )`.execute(db);
    count += Number(numAffectedRows);
    if (numAffectedRows < BATCH_SIZE) return count;
  }
}

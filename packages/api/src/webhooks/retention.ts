import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { type Retention, retentionEnd } from '../resources/retention.ts';

const AT_ONCE = 5_000;

/**
 * Removes the deliveries that were finished before the retention, and the secrets that have ended. Short statements, one
 * after the other; safe on any number of servers at once. Returns how many deliveries it removed.
 */
export async function purgeDeliveries(db: Kysely<Database>, retention: Retention): Promise<number> {
  const oldest = retentionEnd(retention);
  await sql`delete from webhook_secret where ends_at <= ${retention.now}`.execute(db);
  for (let count = 0; ; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from webhook_delivery where id in (
        select id from webhook_delivery where status <> 'pending' and finished_at <= ${oldest} limit ${AT_ONCE}
        for update skip locked
      )`.execute(db);
    count += Number(numAffectedRows);
    if (numAffectedRows < AT_ONCE) return count;
  }
}

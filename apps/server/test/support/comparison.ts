import { setTimeout } from 'node:timers/promises';
import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';

/** Waits until the server has compared all records with each other. */
export async function untilCompared(db: Kysely<Database>): Promise<void> {
  const left = sql`
    select from event where position is null
    union all select from comparison where not is_complete or position < (select last_position from event_log)
    union all select where not exists (select from comparison)`;
  while ((await left.execute(db)).rows.length > 0) await setTimeout(20);
}

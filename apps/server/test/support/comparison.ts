import { setTimeout } from 'node:timers/promises';
import { compareSome } from '@roster/api/testing';
import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';

/**
 * Compares all records with each other that the server has not compared yet. Beside the server, which rests after each batch, and
 * longer the more is changed.
 */
export async function compareAll(db: Kysely<Database>, now = new Date()): Promise<void> {
  const left = sql`
    select from event where position is null
    union all select from comparison where not is_complete or position < (select last_position from event_log)
    union all select where not exists (select from comparison)`;
  while ((await left.execute(db)).rows.length > 0) {
    await compareSome(db, { now });
    await setTimeout(10);
  }
}

import { type Kysely, sql } from 'kysely';
import { buildIndex } from './concurrent-index.ts';

export const isConcurrent = true;

/**
 * The log keeps events for longer than deleted records can be restored, so the events of a purged record are deleted by
 * themselves: the index finds the `purged` events, which have no record, and `erased_to` is the position of the last one whose
 * record has no other event any more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table event_log add column if not exists erased_to bigint not null default 0`.execute(db);
  await buildIndex(db, 'event_purged_idx', 'event (position) where record is null');
}

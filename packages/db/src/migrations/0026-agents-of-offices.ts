import type { Kysely } from 'kysely';
import { buildIndex } from './concurrent-index.ts';

export const isConcurrent = true;

/**
 * The agents of an office by name, for callers who are limited to some offices: without it a list of theirs by name reads agents of
 * all offices. With the time of the last change they are sorted by that from the index too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await buildIndex(db, 'agent_office_name_idx', 'agent (office_id, last_name, id) include (updated_at)');
}

import type { Kysely } from 'kysely';
import { buildIndex } from './concurrent-index.ts';

export const isConcurrent = true;

/**
 * Records by their names in the searched text, for the records whose name is what is searched: however many records have its words,
 * these come first. A name may be longer than what fits into an index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['office', 'agent', 'team'])
    await buildIndex(db, `${table}_shown_name_idx`, `${table} (left(split_part(search_text, '|', 2), 200))`);
}

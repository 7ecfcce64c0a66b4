import type { Kysely } from 'kysely';
import { buildIndex } from './concurrent-index.ts';

export const isConcurrent = true;

/**
 * A city's offices and agents by their names, ignoring the case of the city: without these a list of a city reads the whole table. And
 * the links of one owner, of which there are so many at most, among all that waits to be used once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const city = `lower(address_city collate "und-x-icu")`;
  await buildIndex(db, 'office_city_name_idx', `office (${city}, name, id)`);
  await buildIndex(db, 'agent_city_name_idx', `agent (${city}, last_name, id)`);
  await buildIndex(db, 'sign_in_link_idx', `sign_in ((data ->> 'owner'), expires_at) where kind = 'link'`);
}

import type { Kysely } from 'kysely';
import { buildIndex, dropIndex } from './concurrent-index.ts';

export const isConcurrent = true;

/**
 * Agents by last name and then by first name, all of them and those of a region, of a city and of an office, and all by first name
 * and then by last name. Those of an office are sorted by the time of the last change and by first name from its index too. They
 * replace the indexes without the first name.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const city = `lower(address_city collate "und-x-icu")`;
  const names = 'last_name, first_name, id';
  await buildIndex(db, 'agent_by_last_name_idx', `agent (${names})`);
  await buildIndex(db, 'agent_by_first_name_idx', 'agent (first_name, last_name, id)');
  await buildIndex(db, 'agent_region_by_name_idx', `agent (address_region, ${names})`);
  await buildIndex(db, 'agent_city_by_name_idx', `agent (${city}, ${names})`);
  await buildIndex(db, 'agent_office_by_name_idx', `agent (office_id, ${names}) include (updated_at)`);
  for (const old of ['agent_last_name', 'agent_region_name', 'agent_city_name', 'agent_office_name'])
    await dropIndex(db, `${old}_idx`);
}

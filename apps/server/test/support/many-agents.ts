import { sql } from 'kysely';
import type { TestServer } from './index.ts';

const BATCH_SIZE = 5_000;

/**
 * Inserts at least so many agents into an office without their events and their JSON: the triggers, which stay disabled, would
 * take most of the time.
 */
export async function insertManyAgents(
  { database: { db } }: TestServer,
  { officeId, count }: { officeId: string; count: number },
): Promise<void> {
  await sql`alter table agent disable trigger user`.execute(db);
  for (let inserted = 0; inserted < count; inserted += BATCH_SIZE)
    await sql`
      insert into agent (id, created_at, updated_at, status_changed_at, first_name, last_name, office_id)
      select gen_random_uuid(), now(), now(), now(), 'Ana', 'Reis', ${officeId}
      from generate_series(1, ${BATCH_SIZE}::int)`.execute(db);
}

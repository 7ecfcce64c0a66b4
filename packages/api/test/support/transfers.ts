import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';

/** Inserts agents of an office, every third of them inactive. */
export async function fillOffice(db: Kysely<Database>, officeId: string, agents: number): Promise<void> {
  await sql`
    insert into agent
      (id, created_at, updated_at, status_changed_at, first_name, last_name, office_id, status, deactivated_at)
    select gen_random_uuid(), now(), now(), now(), 'Ana', n::text, ${officeId},
      case when n % 3 = 0 then 'inactive' else 'active' end, case when n % 3 = 0 then now() end
    from generate_series(1, ${agents}::int) as n`.execute(db);
}

/** The number of agents of an office. */
export async function countAgents(db: Kysely<Database>, officeId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from agent where office_id = ${officeId}`.execute(db);
  return rows[0]?.count ?? -1;
}

/** The events of transfers to an office, the agents they are about, and the transactions that wrote them. */
export async function countTransfers(db: Kysely<Database>, officeId: string) {
  const { rows } = await sql<{ events: number; agents: number; transactions: number }>`
    select count(*)::int as events, count(distinct subject_id)::int as agents,
      count(distinct xmin::text)::int as transactions
    from event where type = 'agent.transferred' and details ->> 'toOfficeId' = ${officeId}`.execute(db);
  return rows[0];
}

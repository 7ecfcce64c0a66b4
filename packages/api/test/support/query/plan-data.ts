import { connect } from '@roster/db';
import type { TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';

/** Offices, agents in some of them and an event for each, made by the database itself. */
export async function fillForPlans({ connection }: TestDatabase, agents: number): Promise<void> {
  await using db = connect({ connection, timeouts: { statementMs: 0 } });
  await sql`
    insert into office (id, created_at, updated_at, status_changed_at, name)
    select gen_random_uuid(), time, time, time, 'Office ' || n
    from generate_series(1, ${agents / 20}::int) as n, lateral (select now() - n * interval '1 minute') as at (time)`.execute(
    db,
  );
  await sql`
    insert into agent (id, created_at, updated_at, status_changed_at, first_name, last_name, email, mls_id, office_id,
      address_city, address_region, address_country, source_name, source_key)
    select gen_random_uuid(), time, time, time, 'Ana ' || n % 97, 'Reis ' || md5(n::text), 'a' || n || '@x.example', 'M' || n,
      office.id, 'City ' || n % 211, chr(65 + n % 26), 'PT', 'MLS', n::text
    from generate_series(1, ${agents}::int) as n
      cross join lateral (select now() - n * interval '1 second') as at (time)
      join (select id, row_number() over () as place from office) as office
        on office.place = 1 + n % ${agents / 20}::int`.execute(db);
  await sql`
    insert into event (position, type, subject_id, version, occurred_at, record)
    select row_number() over (), 'agent.purged', id, 1, created_at, null from agent`.execute(db);
  await sql`update event_log set last_position = ${agents}`.execute(db);
  // One agent in ten is affiliated with another office, and one in five of those with the same one.
  await sql`
    update agent set affiliations = jsonb_build_array(jsonb_build_object(
      'officeId', office.id, 'title', null, 'isVisible', true, 'since', null))
    from (
      select agent.id as agent_id, row_number() over (order by id) as n from agent where mls_id like '%3'
    ) as picked join (select id, row_number() over (order by id) as place from office) as office
      on office.place = case when n % 5 = 0 then 1 else 1 + n % ${agents / 20}::int end
    where agent.id = agent_id and office_id <> office.id`.execute(db);
  for (const table of ['office', 'agent', 'agent_affiliation', 'event'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db);
}

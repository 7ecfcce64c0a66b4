import { type Kysely, sql } from 'kysely';
import type { Database } from '../tables.ts';

const HOSTILE = `sql: '\\\\.' tab:\t newline:\n return:\r quote:"'' null:\\N backslash:\\ greek:Σίσυφος astral:😀`;

/**
 * Fills an empty database with so many agents, one office for 20 of them, and rows in every other table:
 * references in both directions, active agents in inactive offices, texts that are hard to quote, an event
 * for each agent, and some without a position. A million agents take a minute.
 */
export async function insertSampleData(db: Kysely<Database>, agents: number): Promise<void> {
  const offices = Math.max(4, Math.ceil(agents / 20));
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    await insertOffices(trx, offices);
    await insertAgents(trx, agents, offices);
    await insertEvents(trx, agents);
    await insertKeys(trx);
    await insertWebhooks(trx, agents);
    await insertJobs(trx);
  });
}

async function insertOffices(db: Kysely<Database>, offices: number): Promise<void> {
  await sql`
    insert into office (id, created_at, updated_at, status_changed_at, name, bio, licenses, metadata, main_office_id)
    select ${officeId(sql`n`)}, time, time, time, 'Office ' || n, ${HOSTILE} || n,
      jsonb_build_array(jsonb_build_object('number', 'L' || n, 'region', 'LX')),
      jsonb_build_object('hostile', ${HOSTILE}::text),
      case when n % 4 = 1 and n < ${offices}::int then ${officeId(sql`n + 1`)} end
    from generate_series(1, ${offices}::int) as n,
      lateral (select timestamptz '2026-01-01' + n * interval '1 second') as at (time)`.execute(db);
}

async function insertAgents(db: Kysely<Database>, agents: number, offices: number): Promise<void> {
  await sql`
    insert into agent (id, created_at, updated_at, status_changed_at, first_name, last_name, email, bio, languages,
      designations, metadata, office_id, affiliations, assistant_to_agent_id, address_city, address_country, source_name, source_key)
    select ${agentId(sql`n`)}, time, time, time, (array['Ana', 'João', '陽菜', 'Ελένη'])[1 + n % 4], 'Nº ' || n,
      'agent' || n || '@sample.example', case n % 3 when 0 then ${HOSTILE} || n when 1 then null else '\\.' end,
      array['pt-PT', 'en'], array[left(${HOSTILE}, 50)], jsonb_build_object('n', n::text),
      ${officeId(sql`1 + n % ${offices}::int`)}, case when n % 7 = 0 then jsonb_build_array(jsonb_build_object(
        'officeId', ${officeId(sql`1 + (n + 1) % ${offices}::int`)}, 'title', ${HOSTILE}::text, 'isVisible', true, 'since', null
      )) else '[]' end, case when n % 10 = 1 then ${agentId(sql`n + 1`)} end,
      'Lisboa', 'PT', 'sample', n::text
    from generate_series(1, ${agents}::int) as n,
      lateral (select timestamptz '2026-01-01' + n * interval '1 second') as at (time)
    where n % 10 <> 1 or n < ${agents}::int`.execute(db);
  await sql`
    update office set broker_agent_id = agent.id, manager_agent_id = agent.id
    from (select distinct on (office_id) office_id, id from agent order by office_id, id) as agent
    where agent.office_id = office.id`.execute(db);
  await sql`
    update office set status = 'inactive', deactivated_at = now(), status_reason = 'closed'
    where id = ${officeId(sql`3`)}`.execute(db);
  await sql`
    insert into license_notice (subject_id, license, days_before, noticed_at)
    select id, licenses -> 0, 30, now() from office`.execute(db);
  await sql`insert into directory_stats (counts) values ('{ "offices" : 4 }') on conflict do nothing`.execute(
    db,
  );
  await sql`
    insert into tombstone (collection, id, record, deleted_at)
    select 'agents', gen_random_uuid(), json_build_object('bio', ${HOSTILE}::text, 'n', n), now()
    from generate_series(1, 10) as n`.execute(db);
}

/** The last ten have no position. */
async function insertEvents(db: Kysely<Database>, agents: number): Promise<void> {
  await sql`
    insert into event (position, type, subject_id, version, occurred_at, request_id, record, previous)
    select nullif(least(n, ${agents - 10}::bigint + 1), ${agents - 10}::bigint + 1), 'agent.created', id, 1, created_at,
      'sample', json_build_object('id', id, 'bio', bio, 'metadata', metadata, 'first', first_name), '{ }'
    from (select *, row_number() over (order by id) as n from agent) as agent`.execute(db);
  await sql`update event_log set last_position = (select max(position) from event)`.execute(db);
  await sql`
    insert into idempotent_response (actor_id, operation, key, input_hash, response, created_at)
    select gen_random_uuid(), 'agents.create', 'key "' || n, sha256(n::text::bytea), json_build_object('n', n), now()
    from generate_series(1, 10) as n`.execute(db);
}

async function insertKeys(db: Kysely<Database>): Promise<void> {
  await sql`
    with key as (
      insert into api_key (id, name, scopes, created_at, updated_at)
      select gen_random_uuid(), 'Key ' || n, array['offices:read', 'agents:read'], now(), now()
      from generate_series(1, 3) as n returning *
    )
    insert into api_key_secret (hash, key_id, hint, created_at)
    select sha256(name::bytea), id, 'rst_…', now() from key`.execute(db);
  await sql`
    with log as (update event_log set last_position = last_position + 3 returning last_position)
    insert into admin_event (position, type, subject_id, version, occurred_at, record)
    select last_position - 3 + row_number() over (order by id), 'key.created', id, 1, now(), json_build_object('id', id)
    from api_key cross join log`.execute(db);
}

async function insertWebhooks(db: Kysely<Database>, agents: number): Promise<void> {
  await sql`
    with webhook as (
      insert into webhook (id, url, types, status, status_changed_at, read_to, created_at, updated_at)
      select gen_random_uuid(), 'https://receiver.example/' || n, array['agent.created'], 'disabled', now(),
        ${Math.floor(agents / 2)}::bigint, now(), now()
      from generate_series(1, 2) as n returning *
    ), secret as (
      insert into webhook_secret (secret, webhook_id, created_at)
      select 'whsec_' || encode(sha256(url::bytea), 'base64'), id, now() from webhook
    )
    insert into webhook_delivery (id, webhook_id, position, type, subject_id, status, due_at, created_at, finished_at)
    select gen_random_uuid(), webhook.id, n, 'agent.created', gen_random_uuid(), state,
      case when state = 'pending' then now() end, now(), case when state <> 'pending' then now() end
    from webhook, generate_series(1, 8) as n,
      lateral (select (array['pending', 'delivered', 'failed', 'superseded'])[1 + n % 4]) as is_in (state)`.execute(
    db,
  );
}

async function insertJobs(db: Kysely<Database>): Promise<void> {
  await sql`
    with job as (
      insert into job (id, resource, status, filter, change, reason, total, batches, created_at, worked_at, finished_at)
      select gen_random_uuid(), 'agents', status, '{"all": true}', '{"type": "deactivate"}', ${HOSTILE}, 2, 1, now(), now(), now()
      from unnest(array['completed_with_errors', 'cancelled']) as status returning *
    ), batch as (
      insert into job_batch (job_id, number, ids, changed)
      select id, 0, array[${agentId(sql`1`)}, ${agentId(sql`2`)}], array[${agentId(sql`2`)}] from job
    )
    insert into job_error (job_id, id, code, detail, created_at)
    select id, ${agentId(sql`1`)}, 'not_found', ${HOSTILE}, now() from job where status = 'completed_with_errors'`.execute(
    db,
  );
}

/** Equal in every database, so that one can replace another. */
function agentId(n: ReturnType<typeof sql>) {
  return sql`('00000000-0000-7000-a000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
}

function officeId(n: ReturnType<typeof sql>) {
  return sql`('00000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
}

import type { Client } from 'pg';

/** One agent in so many has the event of its creation in the log. */
const AGENTS_OF_EVENT = 10;
/** Agents with many versions, and how many each has. */
const CHANGED_AGENTS = 20;
export const VERSIONS = 500;
/** Agents of one office, which are changed together. */
export const GROUP = 10_000;

const lastPosition = '(select last_position from event_log)';

const endOfLog = 'update event_log set last_position = coalesce((select max(position) from event), 0)';

// The times are recent: maintenance removes from the log what is older than the history is kept for.
const CREATIONS = `
  insert into event (position, type, subject_id, version, occurred_at, record)
  select ${lastPosition} + row_number() over (order by created_at, id), 'agent.created', id, 1, now() - interval '300 days', record
  from (select id, created_at, record, row_number() over (order by created_at, id) as n from agent) as numbered
  where n % $1 = 0 and not exists (select from event where subject_id = numbered.id)`;

const CHANGES = `
  insert into event (position, type, subject_id, version, occurred_at, record, previous)
  select ${lastPosition} + row_number() over (order by n, id), 'agent.updated', id, n, now() - interval '200 days' + n * interval '1 hour',
    (record::jsonb || jsonb_build_object('title', 'Title ' || n, 'version', n))::json,
    json_build_object('title', 'Title ' || n - 1, 'version', n - 1)
  from agent, generate_series(2, $1::int) as n where id = any($2)`;

/** Agents that have many versions in the log. */
export async function changedAgents(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'select id from agent order by created_at, id limit $1',
    [CHANGED_AGENTS],
  );
  return rows.map(({ id }) => id);
}

/** Adds what the log lacks: the creation of a tenth of the agents, and many versions of a few. */
export async function fillHistory(client: Client): Promise<void> {
  await client.query(CREATIONS, [AGENTS_OF_EVENT]);
  await client.query(endOfLog);
  const ids = await changedAgents(client);
  const { rows } = await client.query(
    'select from event where subject_id = any($1) and version > 1 limit 1',
    [ids],
  );
  if (rows.length === 0) await client.query(CHANGES, [VERSIONS, ids]);
  await client.query(endOfLog);
  await client.query('vacuum analyze event');
}

/** The two offices between which a group of agents moves: one of them has all of it. */
export async function groupOffices(client: Client): Promise<[string, string]> {
  const { rows } = await client.query<{ id: string }>(
    'select id from office order by created_at desc, id limit 2',
  );
  const [one, other] = rows;
  if (one === undefined || other === undefined) throw new Error('there are too few offices');
  return [one.id, other.id];
}

/** Moves the oldest agents to one office, so that a filter selects the same number at every size from there on. */
export async function gather(client: Client): Promise<{ from: string; to: string; ids: string[] }> {
  const [from, to] = await groupOffices(client);
  await client.query(
    `update agent set office_id = $1 where office_id is distinct from $1
       and id in (select id from agent order by created_at, id limit $2)`,
    [from, GROUP],
  );
  await client.query('vacuum analyze agent');
  const { rows } = await client.query<{ id: string }>('select id from agent where office_id = $1', [from]);
  return { from, to, ids: rows.map(({ id }) => id) };
}

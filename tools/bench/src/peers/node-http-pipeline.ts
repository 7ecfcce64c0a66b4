import { Client } from 'pg';
import { agentJson } from '../agent-json.ts';
import { type AgentRow, type Body, columns, columnsOf, newRow, patternsOf } from './agent.ts';
import { serve } from './node-http.ts';
import { databaseUrl } from './start.ts';

/**
 * The limit of the machine: pipelined connections, and PostgreSQL answers the text that is sent. A change and its
 * event are one statement. No one would write a service like this, with no errors, checks or retries.
 */
const READERS = 2;
// A commit waits for the disk, and a connection with it: more of them share one write.
const WRITERS = 10;

async function connected(
  count: number,
): Promise<(statement: Statement, values: unknown[]) => Promise<string>> {
  const options = { connectionString: databaseUrl(), pipeline: true };
  const clients = Array.from({ length: count }, () => new Client(options));
  await Promise.all(clients.map((client) => client.connect()));
  let next = 0;
  return async (statement, values) => {
    next = (next + 1) % count;
    const client = clients[next] as Client;
    const { rows } = await client.query<[string]>({ ...statement, values, rowMode: 'array' });
    return rows[0]?.[0] as string;
  };
}

interface Statement {
  name: string;
  text: string;
}

const read = await connected(READERS);
const write = await connected(WRITERS);

function page(condition: string, order: string): string {
  return `select json_build_object('items', coalesce(json_agg(item), '[]'))::text from (
    select ${agentJson} as item from agent where ${condition} order by ${order} limit $1) as page`;
}

const GET = { name: 'get', text: `select (${agentJson})::text from agent where id = $1` };
const LIST = { name: 'list', text: page('status = $2 and address_region = $3', 'last_name, id') };

function searchOf(words: number): Statement {
  const conditions = Array.from({ length: words }, (_, index) => `search_text like $${index + 2}`);
  return { name: `search-${words}`, text: page(conditions.join(' and '), 'created_at desc, id desc') };
}

const logged = (type: string, previous: string) => `
  record as (select ${agentJson} as record, id, version, updated_at from changed as agent),
  logged as (
    insert into event (type, subject_id, version, occurred_at, record, previous)
    select '${type}', id, version, updated_at, record, ${previous} from record)
  select record::text from record`;

const INSERT = {
  name: 'insert',
  text: `with changed as (
    insert into agent (${columns}) values (${columns.map((_, index) => `$${index + 1}`)}) returning *
  ), ${logged('agent.created', `'{}'`)}`,
};

function updateOf(names: string[], fields: string[]): Statement {
  const set = names.map((name, index) => `${name} = $${index + 3}`);
  const previous = fields.map((field) => `'${field}', target.record -> '${field}'`);
  const text = `with target as (
      select id, ${agentJson} as record from agent where id = $1 and version = $2 for no key update
    ), changed as (
      update agent set ${set}, version = agent.version + 1, updated_at = now() from target
      where agent.id = target.id returning agent.*
    ), ${logged('agent.updated', `(select json_build_object(${previous}) from target)`)}`;
  return { name: `update-${names}`, text };
}

serve({
  get: (id) => read(GET, [id]),
  list: ({ limit, status, region }) => read(LIST, [limit, status, region]),
  search: ({ limit, q }) => {
    const patterns = patternsOf(q);
    return read(searchOf(patterns.length), [limit, ...patterns]);
  },
  create: (body: Body) => {
    const row = newRow(body);
    return write(
      INSERT,
      columns.map((column) => parameterOf(column, row)),
    );
  },
  update: (id, version, body) => {
    const change = columnsOf(body) as AgentRow;
    const names = Object.keys(change) as (keyof AgentRow)[];
    const values = names.map((name) => parameterOf(name, change));
    return write(updateOf(names, Object.keys(body)), [id, version, ...values]);
  },
});

function parameterOf(column: keyof AgentRow, row: AgentRow): unknown {
  return ['metadata', 'licenses', 'scheduled_changes', 'affiliations'].includes(column)
    ? JSON.stringify(row[column])
    : row[column];
}

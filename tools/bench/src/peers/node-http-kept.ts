import { Client } from 'pg';
import { columns, columnsOf, newRow, patternsOf, withJson } from './agent.ts';
import { serve } from './node-http.ts';
import { databaseUrl } from './start.ts';

/**
 * The least that any service over these tables has to do in JavaScript with the client `pg`: connections with many statements under way
 * on each, and the row keeps its record as JSON, as Roster's trigger makes it, which is sent as text. A change and its event are one
 * statement. No one would write a service like this, with no errors, checks or retries.
 */
const READERS = 2;
// A commit waits for the disk, and a connection with it: more of them share one write.
const WRITERS = 10;

interface Statement {
  name: string;
  text: string;
}

async function connected(count: number) {
  const options = { connectionString: databaseUrl, pipeline: true };
  const clients = Array.from({ length: count }, () => new Client(options));
  await Promise.all(clients.map((client) => client.connect()));
  let next = 0;
  return async (statement: Statement, values: unknown[]) => {
    next = (next + 1) % count;
    const client = clients[next] as Client;
    const { rows } = await client.query<[string]>({ ...statement, values, rowMode: 'array' });
    return rows[0]?.[0] as string;
  };
}

const page = (condition: string, order: string) =>
  `select json_build_object('items', coalesce(json_agg(record), '[]'))::text from (
    select record from agent where ${condition} order by ${order} limit $1) as page`;

/** The event of a change, and the response. */
const logged = (type: string, previous: string) => `logged as (
    insert into event (type, subject_id, version, occurred_at, record, previous)
    select '${type}', id, version, updated_at, record, ${previous} from changed
  ) select record::text from changed`;

const GET: Statement = { name: 'get', text: 'select record::text from agent where id = $1' };
const LIST: Statement = {
  name: 'list',
  text: page('status = $2 and address_region = $3', 'sorted_last_name, sorted_first_name, id'),
};
const INSERT: Statement = {
  name: 'insert',
  text: `with changed as (
      insert into agent (${columns}) values (${columns.map((_, index) => `$${index + 1}`)}) returning *
    ), ${logged('agent.created', `'{}'`)}`,
};

function searchOf(words: number): Statement {
  const conditions = Array.from({ length: words }, (_, index) => `search_text like $${index + 2}`);
  return { name: `search-${words}`, text: page(conditions.join(' and '), 'created_at desc, id desc') };
}

function updateOf(names: string[], fields: string[]): Statement {
  const set = names.map((name, index) => `${name} = $${index + 3}`);
  const previous = fields.map((field) => `'${field}', target.record -> '${field}'`);
  const text = `with target as (
      select id, record from agent where id = $1 and version = $2 for no key update
    ), changed as (
      update agent set ${set}, version = agent.version + 1, updated_at = now() from target
      where agent.id = target.id returning agent.*
    ), ${logged('agent.updated', `(select json_build_object(${previous}) from target)`)}`;
  return { name: `update-${names}`, text };
}

const read = await connected(READERS);
const write = await connected(WRITERS);

serve({
  get: (id) => read(GET, [id]),
  list: ({ limit, status, region, q }) => {
    if (q === undefined) return read(LIST, [limit, status, region]);
    const patterns = patternsOf(q);
    return read(searchOf(patterns.length), [limit, ...patterns]);
  },
  create: (body) => {
    const row = withJson(newRow(body));
    return write(
      INSERT,
      columns.map((column) => row[column]),
    );
  },
  update: (id, version, body) => {
    const change = withJson(columnsOf(body));
    const statement = updateOf(Object.keys(change), Object.keys(body));
    return write(statement, [id, version, ...Object.values(change)]);
  },
});

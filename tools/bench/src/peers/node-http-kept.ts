import { Client } from 'pg';
import { type AgentRow, type Body, columns, columnsOf, newRow, patternsOf } from './agent.ts';
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

type Run = (statement: Statement, values: unknown[]) => Promise<string>;

async function connected(count: number): Promise<Run> {
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

/** The statements, by the expression of the record of a row named `agent`. */
function statementsOf(record: string) {
  const page = (condition: string, order: string) =>
    `select json_build_object('items', coalesce(json_agg(item), '[]'))::text from (
      select ${record} as item from agent where ${condition} order by ${order} limit $1) as page`;

  const logged = (type: string, previous: string) => `
    record as (select ${record} as record, id, version, updated_at from changed as agent),
    logged as (
      insert into event (type, subject_id, version, occurred_at, record, previous)
      select '${type}', id, version, updated_at, record, ${previous} from record)
    select record::text from record`;

  return {
    get: { name: 'get', text: `select (${record})::text from agent where id = $1` },

    list: { name: 'list', text: page('status = $2 and address_region = $3', 'last_name, id') },

    searchOf(words: number): Statement {
      const conditions = Array.from({ length: words }, (_, index) => `search_text like $${index + 2}`);
      return { name: `search-${words}`, text: page(conditions.join(' and '), 'created_at desc, id desc') };
    },

    insert: {
      name: 'insert',
      text: `with changed as (
        insert into agent (${columns}) values (${columns.map((_, index) => `$${index + 1}`)}) returning *
      ), ${logged('agent.created', `'{}'`)}`,
    },

    updateOf(names: string[], fields: string[]): Statement {
      const set = names.map((name, index) => `${name} = $${index + 3}`);
      const previous = fields.map((field) => `'${field}', target.record -> '${field}'`);
      const text = `with target as (
          select id, ${record} as record from agent where id = $1 and version = $2 for no key update
        ), changed as (
          update agent set ${set}, version = agent.version + 1, updated_at = now() from target
          where agent.id = target.id returning agent.*
        ), ${logged('agent.updated', `(select json_build_object(${previous}) from target)`)}`;
      return { name: `update-${names}`, text };
    },
  };
}

function parameterOf(column: keyof AgentRow, row: AgentRow): unknown {
  return ['metadata', 'licenses', 'scheduled_changes', 'affiliations'].includes(column)
    ? JSON.stringify(row[column])
    : row[column];
}

/** Serves the operations. */
async function serveKept(): Promise<void> {
  const statements = statementsOf('agent.record');
  const read = await connected(READERS);
  const write = await connected(WRITERS);
  serve({
    get: (id) => read(statements.get, [id]),
    list: ({ limit, status, region }) => read(statements.list, [limit, status, region]),
    search: ({ limit, q }) => {
      const patterns = patternsOf(q);
      return read(statements.searchOf(patterns.length), [limit, ...patterns]);
    },
    create: (body: Body) => {
      const row = newRow(body);
      const values = columns.map((column) => parameterOf(column, row));
      return write(statements.insert, values);
    },
    update: (id, version, body) => {
      const change = columnsOf(body) as AgentRow;
      const names = Object.keys(change) as (keyof AgentRow)[];
      const values = names.map((name) => parameterOf(name, change));
      return write(statements.updateOf(names, Object.keys(body)), [id, version, ...values]);
    },
  });
}

await serveKept();

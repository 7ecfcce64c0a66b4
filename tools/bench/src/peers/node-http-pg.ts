import { Pool, type PoolClient } from 'pg';
import {
  type AgentEvent,
  type AgentRow,
  changeOf,
  columns,
  creationOf,
  newRow,
  patternsOf,
  recordOf,
  updateOf,
  withJson,
} from './agent.ts';
import { serve } from './node-http.ts';
import { CONNECTIONS, databaseUrl } from './start.ts';

/** The reference: what an expert writes by hand. Named statements, rows to objects, JSON.stringify. */
const pool = new Pool({ connectionString: databaseUrl, max: CONNECTIONS });
const selected = columns.join(', ');

const GET = { name: 'get', text: `select ${selected} from agent where id = $1` };
/** Locked, so that what is compared is what is changed. */
const GET_LOCKED = { name: 'get-locked', text: `${GET.text} and version = $2 for no key update` };
const LIST = {
  name: 'list',
  text: `select ${selected} from agent where status = $1 and address_region = $2
    order by sorted_last_name, sorted_first_name, id limit $3`,
};
const INSERT = {
  name: 'insert',
  text: `insert into agent (${selected}) values (${columns.map((_, index) => `$${index + 1}`)})
    returning ${selected}`,
};
const INSERT_EVENT = {
  name: 'insert-event',
  text: `insert into event (type, subject_id, version, occurred_at, record, previous)
    values ($1, $2, $3, $4, $5, $6)`,
};

/** The statements that depend on a request: each is made once. */
const statements = new Map<string, { name: string; text: string }>();

function statementFor(name: string, textOf: () => string) {
  const statement = statements.get(name) ?? { name, text: textOf() };
  statements.set(name, statement);
  return statement;
}

/** One statement for each number of words. */
function searchOf(words: number) {
  return statementFor(`search-${words}`, () => {
    const conditions = Array.from({ length: words }, (_, index) => `search_text like $${index + 2}`);
    return `select ${selected} from agent where ${conditions.join(' and ')}
      order by created_at desc, id desc limit $1`;
  });
}

/** One statement for each set of columns. */
function statementOf(names: string[]) {
  return statementFor(`update-${names}`, () => {
    const set = names.map((column, index) => `${column} = $${index + 2}`);
    return `update agent set ${set} where id = $1 returning ${selected}`;
  });
}

async function transaction<Result>(run: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await run(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** Writes an event; returns the text of its record, made once for both. */
async function logged(client: PoolClient, event: AgentEvent): Promise<string> {
  const [record, previous] = [JSON.stringify(event.record), JSON.stringify(event.previous)];
  await client.query({ ...INSERT_EVENT, values: Object.values({ ...event, record, previous }) });
  return record;
}

serve({
  async get(id) {
    const { rows } = await pool.query<AgentRow>({ ...GET, values: [id] });
    return rows[0] && JSON.stringify(recordOf(rows[0]));
  },
  async list({ limit, status, region, q }) {
    const patterns = q === undefined ? [] : patternsOf(q);
    const query =
      q === undefined
        ? { ...LIST, values: [status, region, limit] }
        : { ...searchOf(patterns.length), values: [limit, ...patterns] };
    const { rows } = await pool.query<AgentRow>(query);
    return JSON.stringify({ items: rows.map(recordOf) });
  },
  create: (body) =>
    transaction(async (client) => {
      const row = withJson(newRow(body));
      const values = columns.map((column) => row[column]);
      const { rows } = await client.query<AgentRow>({ ...INSERT, values });
      return logged(client, creationOf(rows[0] as AgentRow));
    }),
  update: (id, version, body) =>
    transaction(async (client) => {
      const { rows } = await client.query<AgentRow>({ ...GET_LOCKED, values: [id, version] });
      const [before] = rows;
      if (before === undefined) return undefined;
      const change = withJson(changeOf(body, before));
      const values = [id, ...Object.values(change)];
      const changed = await client.query<AgentRow>({ ...statementOf(Object.keys(change)), values });
      return logged(client, updateOf(body, before, changed.rows[0] as AgentRow));
    }),
});

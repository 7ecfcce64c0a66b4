import { type BunRequest, SQL, serve } from 'bun';
import {
  type AgentRow,
  type Body,
  changeOf,
  columns,
  creationOf,
  newRow,
  patternsOf,
  recordOf,
  updateOf,
  versionOf,
} from './agent.ts';
import { announce, CONNECTIONS, databaseUrl } from './start.ts';

/** Bun.serve and Bun.sql, as their documentation shows them: routes, tagged templates, `sql.begin`, `Response.json`. */

const url = new URL(databaseUrl);
const host = url.searchParams.get('host') ?? url.hostname;
const port = Number(url.searchParams.get('port') ?? url.port) || 5432;
const sql = new SQL({
  adapter: 'postgres',
  username: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
  database: url.pathname.slice(1),
  max: CONNECTIONS,
  ...(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { hostname: host, port }),
});

const selected = sql.unsafe(columns.join(', '));

/** A row with its arrays as PostgreSQL's type of their column: of text, or JSON. */
function writable(row: Partial<AgentRow>): object {
  const entries = Object.entries(row).map(([column, value]) => {
    if (!Array.isArray(value)) return [column, value];
    const isText = column === 'languages' || column === 'designations';
    return [column, isText ? sql.array(value, 'TEXT') : JSON.stringify(value)];
  });
  return Object.fromEntries(entries);
}

const notFound = () => Response.json({ title: 'Not found' }, { status: 404 });

async function get({ params }: BunRequest): Promise<Response> {
  const [row] = await sql<AgentRow>`select ${selected} from agent where id = ${params.id}`;
  return row === undefined ? notFound() : Response.json(recordOf(row));
}

async function list({ url: target }: BunRequest): Promise<Response> {
  const { searchParams } = new URL(target);
  const limit = Number(searchParams.get('limit') ?? 50);
  const q = searchParams.get('q');
  const rows =
    q === null
      ? await sql<AgentRow>`select ${selected} from agent
          where status = ${searchParams.get('status')} and address_region = ${searchParams.get('region')}
          order by sorted_last_name, sorted_first_name, id limit ${limit}`
      : await searched(patternsOf(q), limit);
  return Response.json({ items: rows.map(recordOf) });
}

/** Conditions are composed of fragments. */
function searched(patterns: string[], limit: number): Promise<AgentRow[]> {
  const conditions = patterns.map((pattern) => sql`search_text like ${pattern}`);
  const all = conditions.reduce((one, other) => sql`${one} and ${other}`);
  return sql<AgentRow>`select ${selected} from agent where ${all} order by created_at desc, id desc limit ${limit}`;
}

async function create(request: BunRequest): Promise<Response> {
  const row = newRow((await request.json()) as Body);
  const record = await sql.begin(async (transaction) => {
    const [made] = await transaction<AgentRow>`insert into agent ${sql(writable(row))} returning ${selected}`;
    const event = creationOf(made as AgentRow);
    await transaction`insert into event ${sql(event)}`;
    return event.record;
  });
  return Response.json(record, { status: 201 });
}

async function update(request: BunRequest): Promise<Response> {
  const { id } = request.params;
  const version = versionOf(request.headers.get('if-match') ?? undefined);
  const body = (await request.json()) as Body;
  const record = await sql.begin(async (transaction) => {
    const [before] = await transaction<AgentRow>`select ${selected} from agent
      where id = ${id} and version = ${version} for no key update`;
    if (before === undefined) return undefined;
    const change = writable(changeOf(body, before));
    const [made] =
      await transaction<AgentRow>`update agent set ${sql(change)} where id = ${id} returning ${selected}`;
    const event = updateOf(body, before, made as AgentRow);
    await transaction`insert into event ${sql(event)}`;
    return event.record;
  });
  return record === undefined
    ? Response.json({ title: 'Another version' }, { status: 412 })
    : Response.json(record);
}

const server = serve({
  port: 0,
  hostname: '127.0.0.1',
  routes: { '/agents/:id': { GET: get, PATCH: update }, '/agents': { GET: list, POST: create } },
  fetch: notFound,
  error: (error) => Response.json({ title: String(error) }, { status: 500 }),
});
announce(server.port);

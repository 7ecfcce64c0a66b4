import { type Generated, Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import {
  type AgentEvent,
  type AgentRow,
  type Body,
  changeOf,
  columns,
  creationOf,
  type ListQuery,
  newRow,
  patternsOf,
  recordOf,
  updateOf,
  withJson,
} from './agent.ts';
import { CONNECTIONS, databaseUrl } from './start.ts';

/** The five operations on Kysely over a pool of `pg`, as its documentation shows them: for the peers that use it. */

interface Tables {
  agent: AgentRow & { search_text: Generated<string> };
  event: Omit<AgentEvent, 'record' | 'previous'> & { record: string; previous: string };
}

const pool = new Pool({ connectionString: databaseUrl, max: CONNECTIONS });
const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

function logged(trx: Kysely<Tables>, event: AgentEvent) {
  const [record, previous] = [JSON.stringify(event.record), JSON.stringify(event.previous)];
  return trx
    .insertInto('event')
    .values({ ...event, record, previous })
    .execute();
}

export async function getAgent(id: string) {
  const row = await db.selectFrom('agent').select(columns).where('id', '=', id).executeTakeFirst();
  return row && recordOf(row as AgentRow);
}

export async function listAgents({ limit, status, region, q }: ListQuery) {
  let query = db.selectFrom('agent').select(columns).limit(limit);
  if (status !== undefined) query = query.where('status', '=', status as AgentRow['status']);
  if (region !== undefined) query = query.where('address_region', '=', region);
  if (q === undefined) query = query.orderBy('sorted_last_name').orderBy('sorted_first_name').orderBy('id');
  else {
    for (const pattern of patternsOf(q)) query = query.where('search_text', 'like', pattern);
    query = query.orderBy('created_at', 'desc').orderBy('id', 'desc');
  }
  const rows = await query.execute();
  return { items: rows.map((row) => recordOf(row as AgentRow)) };
}

export function createAgent(body: Body) {
  return db.transaction().execute(async (trx) => {
    const insert = trx.insertInto('agent').values(withJson(newRow(body)));
    const event = creationOf((await insert.returning(columns).executeTakeFirstOrThrow()) as AgentRow);
    await logged(trx, event);
    return event.record;
  });
}

/** Undefined where the record has another version. */
export function updateAgent(id: string, version: number, body: Body) {
  return db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('agent')
      .select(columns)
      .where('id', '=', id)
      .where('version', '=', version)
      .modifyEnd(sql`for no key update`)
      .executeTakeFirst();
    if (before === undefined) return undefined;
    const change = withJson(changeOf(body, before as AgentRow));
    const update = trx.updateTable('agent').set(change).where('id', '=', id).returning(columns);
    const after = (await update.executeTakeFirstOrThrow()) as AgentRow;
    const event = updateOf(body, before as AgentRow, after);
    await logged(trx, event);
    return event.record;
  });
}

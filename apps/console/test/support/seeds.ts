import type { ImportResponse } from '@roster/api';
import type { TestServer } from '@roster/server/testing';
import { sql } from 'kysely';

/** Records of one call. */
const BATCH = 500;

const cities = ['Lisboa', 'Porto', 'Braga', 'Coimbra', 'Faro', 'Évora', 'Aveiro', 'Setúbal'];
const firstNames = [
  'Ana',
  'Beatriz',
  'Carlos',
  'Duarte',
  'Eva',
  'Filipe',
  'Gonçalo',
  'Helena',
  'Inês',
  'João',
];
const lastNames = [
  'Almeida',
  'Barros',
  'Carvalho',
  'Dias',
  'Esteves',
  'Ferreira',
  'Gomes',
  'Lopes',
  'Martins',
];

const pick = (from: readonly string[], index: number) => from[index % from.length] ?? '';
const padded = (index: number) => String(index).padStart(6, '0');

type Fields = Record<string, unknown>;

/** Imports records in batches, and returns their ids in the order they were given. */
async function importAll(
  server: TestServer,
  resource: 'offices' | 'agents',
  records: readonly Fields[],
): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < records.length; start += BATCH) {
    const body = { mode: 'create', records: records.slice(start, start + BATCH) };
    const response = await server.request('POST', `/imports/${resource}`, body);
    if (response.status !== 200) throw new Error(`The seeds are rejected: ${await response.text()}`);
    const { results } = (await response.json()) as ImportResponse;
    ids.push(...results.map((result) => ('id' in result ? String(result.id) : '')));
  }
  return ids;
}

/**
 * Creates so many offices, named "Office 000001" and so on, in turn in eight cities; `fields` are added to each.
 * @returns their ids
 */
export function seedOffices(server: TestServer, count: number, fields: Fields = {}): Promise<string[]> {
  const offices = Array.from({ length: count }, (_, index) => ({
    name: `Office ${padded(index + 1)}`,
    address: { city: pick(cities, index), country: 'PT' },
    ...fields,
  }));
  return importAll(server, 'offices', offices);
}

/**
 * Creates so many agents, with names, an e-mail address and a licence each, in turn in the offices that are given; `fields` are added
 * to each.
 * @returns their ids
 */
export function seedAgents(
  server: TestServer,
  count: number,
  { officeIds = [], ...fields }: Fields & { officeIds?: readonly string[] } = {},
): Promise<string[]> {
  const agents = Array.from({ length: count }, (_, index) => ({
    firstName: pick(firstNames, index),
    lastName: `${pick(lastNames, Math.floor(index / firstNames.length))} ${padded(index + 1)}`,
    email: `agent-${crypto.randomUUID()}@atlantico.example`,
    phone: `+351210${padded(index + 1)}`,
    licenses: [{ number: `AMI-${padded(index + 1)}`, region: '11', expiresOn: '2031-12-31' }],
    ...(officeIds.length > 0 && { officeId: pick(officeIds, index) }),
    ...fields,
  }));
  return importAll(server, 'agents', agents);
}

/** Makes agents older, each by less than so many months: a directory that has grown. */
export async function spreadOverMonths(server: TestServer, months: number): Promise<void> {
  await server.database.db.transaction().execute(async (trx) => {
    // No event tells of it: nothing else may change when a record was created.
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`
      update agent set created_at = agent.created_at - place * interval '1 month'
      from (select id, (row_number() over (order by id) ^ 2)::int % ${months}::int as place from agent) as placed
      where placed.id = agent.id`.execute(trx);
  });
}

/** Makes all changes old: one of the last half minute may be committed after a page has read its record, which it then reads again. */
export async function settleChanges({ database }: TestServer): Promise<void> {
  await database.db
    .updateTable('event')
    .set({ occurred_at: new Date(0) })
    .execute();
}

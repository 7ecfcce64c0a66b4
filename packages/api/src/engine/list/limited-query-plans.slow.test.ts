import process from 'node:process';
import { connect, type Database } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../../test/support/caller.ts';
import { limitedTo } from '../../../test/support/context.ts';
import { fillForPlans } from '../../../test/support/query/plan-data.ts';
import { explained, type PlanNode, scans, sorts } from '../../../test/support/query/plans.ts';

/** 100,000 in `npm exec -- pnpm --filter @roster/api run plans`; with 10,000 PostgreSQL decides now for one plan and now for another. */
const AGENTS = Number(process.env.ROSTER_TEST_AGENTS ?? 20_000);

let database: TestDatabase;
let listening: Kysely<Database>;
/** A caller who is limited to five offices, and one who is limited to half of them. */
let limited: Limited;
let regional: Limited;
const said: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  await fillForPlans(database, AGENTS);
  const onStatement = ({ sql: text }: { sql: string }) => said.push(text);
  listening = connect({ connection: database.connection, onStatement });
  const { rows } = await sql<{ id: string }>`select id from office order by id limit 5`.execute(database.db);
  limited = await callerOf(rows);
  const { rows: half } = await sql<{ id: string }>`
    select id from office order by id limit least(500, (select count(*) / 2 from office))`.execute(
    database.db,
  );
  regional = await callerOf(half);
});

interface Limited {
  caller: Caller;
  officeIds: string[];
}

async function callerOf(offices: { id: string }[]): Promise<Limited> {
  const officeIds = offices.map((office) => office.id);
  const principal = await limitedTo(database.db, officeIds);
  return { caller: callerIn(listening, { request: { authenticate: async () => principal } }), officeIds };
}
afterAll(async () => {
  await listening.destroy();
  await database[Symbol.asyncDispose]();
});

const id = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

/** A value of each type of a parameter; a pattern is one of a rare word. */
const examples: Record<string, string> = {
  'text[]': "'{agent.updated}'",
  uuid: `'${id}'`,
  integer: '5',
  bigint: '5',
  'bigint[]': "'{5}'",
  json: "'{}'",
  jsonb: "'{}'",
  'timestamp with time zone': 'now()',
};

function givenFor(text: string, officeIds: readonly string[]) {
  return (type: string, place: string): string => {
    if (type === 'uuid[]') return `'{${officeIds.join()}}'`;
    if (new RegExp(`like (\\(select )?\\${place}\\b`).test(text)) return "'%REIS 0123%'";
    return examples[type] ?? "'x'";
  };
}

/** The plans of the statements of a call, for the values that they have. */
async function plansOf(call: (caller: Caller) => Promise<unknown>, by = limited): Promise<PlanNode[]> {
  said.length = 0;
  await call(by.caller).catch((error: unknown) => error);
  const plans: PlanNode[] = [];
  for (const text of new Set(said)) {
    if (!/^\s*(select|with|insert|update|delete)\b/.test(text)) continue;
    plans.push(...(await explained(database.db, text, givenFor(text, by.officeIds))));
  }
  return plans;
}

describe('without reading a whole table, a caller that is limited to five offices', () => {
  it.each<[string, (caller: Caller) => Promise<unknown>]>([
    ['gets an agent', ({ agents }) => agents.get({ id })],
    ['gets an office with counts', ({ offices }) => offices.get({ id, expand: 'counts' })],
    ['lists agents', ({ agents }) => agents.list({})],
    ['lists agents by name', ({ agents }) => agents.list({ sort: 'lastName' })],
    ['lists agents by their last change', ({ agents }) => agents.list({ sort: '-updatedAt' })],
    ['lists agents with their offices', ({ agents }) => agents.list({ expand: 'office' })],
    ['lists the agents of an office', ({ agents }) => agents.list({ officeId: limited.officeIds[0] ?? id })],
    ['lists agents of a state', ({ agents }) => agents.list({ status: 'active' })],
    ['lists offices', (caller) => caller.offices.list({ sort: 'name' })],
    ['counts agents', ({ agents }) => agents.list({ includeTotal: true })],
    ['counts agents of a state', ({ agents }) => agents.list({ status: 'active', includeTotal: true })],
    ['searches', ({ agents }) => agents.list({ q: 'reis 0123' })],
    ['searches for the best matches', ({ agents }) => agents.list({ q: 'ana', sort: 'relevance' })],
    ['is offered similar words', ({ agents }) => agents.list({ q: 'figueiredo' })],
    [
      'changes an agent',
      ({ agents }) => agents.update({ id, title: 'Broker', officeId: limited.officeIds[0] }),
    ],
    ['deletes an agent', ({ agents }) => agents.delete({ id })],
    ['counts the directory', ({ stats }) => stats.get({})],
    ['reads a history', ({ agents }) => agents.history({ id })],
    ['reads the log', ({ events }) => events.list({ after: '5' })],
  ])('%s', async (_, call) => {
    expect(scans(await plansOf(call))).toEqual([]);
  });
});

describe('the first page of a caller that is limited to five offices', () => {
  it.each([
    ['createdAt', 'agent_office_id_idx'],
    ['-createdAt', 'agent_office_id_idx'],
    ['lastName', 'agent_office_by_name_idx'],
    ['-lastName', 'agent_office_by_name_idx'],
  ] as const)('by %s reads a page of each office and no more', async (sort, index) => {
    const plans = await plansOf(({ agents }) => agents.list({ sort }));
    expect(plans.map((node) => node['Index Name'])).toContain(index);
    // What is sorted are the first ones of each office.
    expect(sorts(plans).every((node) => node['Plan Rows'] <= 10 * 51)).toBe(true);
  });

  it.each([
    ['firstName', 'agent_by_first_name_idx'],
    ['-updatedAt', 'agent_updated_at_idx'],
  ] as const)('by %s reads no agents of other offices', async (sort, index) => {
    const plans = await plansOf(({ agents }) => agents.list({ sort }));
    expect(plans.map((node) => node['Index Name'])).not.toContain(index);
  });
});

it.each(['createdAt', '-createdAt', 'lastName', '-updatedAt'] as const)(
  'the first page by %s of a caller that is limited to half of the offices reads no agents of the others',
  async (sort) => {
    const plans = await plansOf(({ agents }) => agents.list({ sort }), regional);
    const indexes = plans.map((node) => node['Index Name']);
    expect(indexes).not.toContain('agent_created_at_idx');
    expect(indexes).not.toContain('agent_updated_at_idx');
    expect(indexes).not.toContain('agent_by_last_name_idx');
  },
);

import process from 'node:process';
import { connect, type Database } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../../test/support/caller.ts';
import { fillForPlans } from '../../../test/support/query/plan-data.ts';
import { explained, type PlanNode, scans, sorts } from '../../../test/support/query/plans.ts';

/** 100,000 in `npm exec -- pnpm --filter @roster/api run plans`; PostgreSQL decides for the same plans from a few thousand on. */
const AGENTS = Number(process.env.ROSTER_TEST_AGENTS ?? 10_000);

let database: TestDatabase;
let listening: Kysely<Database>;
const said: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  await fillForPlans(database, AGENTS);
  listening = connect({
    connection: database.connection,
    onStatement: ({ sql: text }) => said.push(text),
  });
});
afterAll(async () => {
  await listening.destroy();
  await database[Symbol.asyncDispose]();
});

const planOf = (text: string, values?: string[]) => explained(database.db, text, values);

/** The plans of all statements that a call makes. */
async function plansOf(call: (caller: Caller) => Promise<unknown>): Promise<PlanNode[]> {
  said.length = 0;
  await call(callerIn(listening));
  const plans: PlanNode[] = [];
  for (const text of new Set(said)) {
    if (/^\s*(select|with|insert|update|delete)\b/.test(text)) plans.push(...(await planOf(text)));
  }
  return plans;
}

const other = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e12';
const id = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
const found = (error: unknown) => error;

describe('without reading a whole table', () => {
  it.each<[string, (caller: Caller) => Promise<unknown>]>([
    ['one record', ({ agents }) => agents.get({ id }).catch(found)],
    ['an e-mail', ({ agents }) => agents.list({ email: 'a7@x.example' })],
    ['an MLS id', ({ agents }) => agents.list({ mlsId: 'M7' })],
    ['a key of a source', ({ agents }) => agents.list({ sourceName: 'MLS', sourceKey: '7' })],
    ['a licence', ({ agents }) => agents.list({ licenseNumber: 'AMI-1' })],
    ['a telephone', ({ agents }) => agents.list({ q: '01 23 45 67 89' })],
    ['a city', ({ agents }) => agents.list({ city: 'city 7' })],
    ['some cities', ({ agents }) => agents.list({ city: ['city 7', 'CITY 8'] })],
    ['a city by name', ({ agents }) => agents.list({ city: 'City 7', sort: 'lastName' })],
    ['some ids', ({ agents }) => agents.list({ ids: [id] })],
    ['those without an e-mail', ({ agents }) => agents.list({ empty: 'email' })],
    ['those without an MLS id or a source', ({ agents }) => agents.list({ empty: ['mlsId', 'source'] })],
    ['those without an office', ({ agents }) => agents.list({ empty: 'officeId' })],
    ['those without an address', ({ agents }) => agents.list({ empty: 'address' })],
    ['the offices without a main office', ({ offices }) => offices.list({ empty: 'mainOfficeId' })],
    ['the branches of an office', ({ offices }) => offices.list({ mainOfficeId: id })],
    ['the agents of an office', ({ agents }) => agents.list({ officeId: id, sort: 'createdAt' })],
    ['the agents of an office by name', ({ agents }) => agents.list({ officeId: id, sort: 'lastName' })],
    ['the agents of some offices', ({ agents }) => agents.list({ officeId: [id, other] })],
    ['a change', ({ agents }) => agents.update({ id, title: 'Broker' }).catch(found)],
    ['a deletion', ({ agents }) => agents.delete({ id }).catch(found)],
    ['the history of a record', ({ events }) => events.list({ subject: id })],
  ])('finds %s', async (_, call) => {
    expect(scans(await plansOf(call))).toEqual([]);
  });

  it('finds what a deactivation did to agents, when it is taken back', async () => {
    const caller = callerIn(database.db);
    const office = await caller.offices.create({ name: 'Casa' });
    await caller.agents.create({ firstName: 'Ana', lastName: 'Reis', officeId: office.id });
    await caller.offices.deactivate({ id: office.id, cascade: true });
    const plans = await plansOf(({ offices }) => offices.reactivate({ id: office.id, cascade: true }));
    expect(scans(plans)).toEqual([]);
    expect(plans.map((node) => node['Index Name'])).toContain('event_cascade_idx');
  });

  it('searches for words folded before, not again for each row, whatever the plan', async () => {
    said.length = 0;
    await callerIn(listening).agents.list({ q: 'Éclair reis é' });
    const folding = said.findIndex((text) => text.includes(' as folded from '));
    expect(folding).toBeGreaterThanOrEqual(0);
    for (const text of said.slice(folding + 1)) expect(text).not.toMatch(/upper|collate|normalize/);
  });

  // A pattern that is not known might match everything, so PostgreSQL plans each search for a word.
  it.each([
    ['a search', { q: 'reis figueiredo' }],
    ['words with accents', { q: 'cláudia reis' }],
    ['the best matches', { q: 'claudia', sort: 'relevance' }],
  ] as const)('finds %s', async (_, query) => {
    said.length = 0;
    await callerIn(listening).agents.list(query);
    const text = said.find((one) => /^\s*select\s+case/.test(one)) ?? '';
    const count = new Set(text.match(/\$\d+/g)).size;
    const values = Array.from({ length: count }, (_, index) => {
      if (text.includes(`any($${index + 1}::text[])`)) return `'{" CLAUDIA "}'`;
      return new RegExp(`like (\\(select )?\\$${index + 1}\\b`).test(text) ? "'%CLA%DIA%'" : "'CLAUDIA'";
    });
    const plans = await planOf(text, values);
    expect(scans(plans)).toEqual([]);
    expect(plans.map((node) => node['Node Type'])).toContain('Bitmap Index Scan');
  });

  it('finds the records whose name is the search by an index on names', async () => {
    said.length = 0;
    await callerIn(listening).agents.list({ q: 'reis', sort: 'relevance' });
    const text = said.find((one) => /^\s*select\s+case/.test(one)) ?? '';
    const values = Array.from(new Set(text.match(/\$\d+/g)), (param) =>
      text.includes(`any(${param}::text[])`)
        ? `'{" REIS "}'`
        : text.includes(`like ${param}`)
          ? "'%REIS%'"
          : "'REIS'",
    );
    const plans = await planOf(text, values);
    expect(plans.map((node) => node['Index Name'])).toContain('agent_shown_name_idx');
  });

  it('finds several words by the index, however many records have each of them', async () => {
    said.length = 0;
    await callerIn(listening).agents.list({ q: 'reis ana' });
    const text = said.find((one) => /^\s*select\s+case/.test(one)) ?? '';
    const patterns = Array.from(text.matchAll(/\$\d+/g), () => "'%REIS%'");
    const plans = await planOf(text, patterns);
    expect(plans.map((node) => node['Node Type'])).toContain('Bitmap Index Scan');
  });

  it('finds words that are similar, whatever the plan', async () => {
    said.length = 0;
    await callerIn(listening).agents.list({ q: 'figueiredo' });
    const text = said.find((one) => one.includes('distinct word')) ?? '';
    const plans = await planOf(text);
    expect(scans(plans)).toEqual([]);
    expect(plans.filter((node) => node['Node Type'] === 'Bitmap Index Scan')).toHaveLength(3);
  });

  it('does not read the index from end to end for words without three letters', async () => {
    said.length = 0;
    await callerIn(listening).agents.list({ q: 'a b %% ã' });
    const plans = await planOf(said.at(-1) ?? '');
    expect(plans.map((node) => node['Node Type'])).not.toContain('Bitmap Index Scan');
  });
});

describe('without sorting, and without reading what it does not show,', () => {
  it.each<[string, (caller: Caller) => Promise<unknown>]>([
    ['the newest', ({ agents }) => agents.list({})],
    ['those by name', ({ agents }) => agents.list({ sort: 'lastName' })],
    ['those by first name', ({ agents }) => agents.list({ sort: '-firstName' })],
    ['those by name with their offices', ({ agents }) => agents.list({ sort: 'lastName', expand: 'office' })],
    [
      'those by name of some state and region',
      ({ agents }) => agents.list({ sort: 'lastName', status: 'active', region: 'A' }),
    ],
    ['those changed last', ({ agents }) => agents.list({ sort: '-updatedAt' })],
    ['the offices by name', ({ offices }) => offices.list({ sort: '-name' })],
    ['the newest with their offices', ({ agents }) => agents.list({ expand: 'office' })],
    [
      'a page after another',
      async ({ agents }) => {
        const { nextCursor } = await agents.list({ limit: 1, sort: 'lastName' });
        said.length = 0;
        return agents.list({ limit: 1, sort: 'lastName', cursor: nextCursor });
      },
    ],
    [
      'a page before another',
      async ({ agents }) => {
        const { prevCursor } = await agents.list({ limit: 1, sort: '-lastName', startAt: 'Reis 5' });
        said.length = 0;
        return agents.list({ limit: 1, sort: '-lastName', startAt: 'Reis 5', cursor: prevCursor });
      },
    ],
    ['those from a name on', ({ agents }) => agents.list({ sort: 'lastName', startAt: 'Reis 7' })],
    ['those from a time on', ({ agents }) => agents.list({ startAt: new Date().toISOString() })],
    [
      'those of a region from a name on',
      ({ agents }) => agents.list({ sort: 'lastName', region: 'A', startAt: 'Reis 7' }),
    ],
    ['the newest with a licence', ({ agents }) => agents.list({ notEmpty: ['email', 'licenses'] })],
  ])('lists %s', async (_, call) => {
    const plans = await plansOf(call);
    expect([...scans(plans), ...sorts(plans)]).toEqual([]);
  });

  // The index has both names after the city, and the list one.
  it.each([{ sort: 'city' }, { sort: '-city' }, { sort: 'city', startAt: 'City 7' }] as const)(
    'sorts agents of one city and last name alone with %o',
    async (query) => {
      const plans = await plansOf(({ agents }) => agents.list(query));
      expect(scans(plans)).toEqual([]);
      expect(new Set(sorts(plans).map((node) => node['Node Type']))).toEqual(new Set(['Incremental Sort']));
      expect(plans.map((node) => node['Index Name'])).toContain('agent_place_city_idx');
    },
  );

  it('reads on in the log', async () => {
    const plans = await plansOf(({ events }) => events.list({ after: '5' }));
    expect(scans(plans)).toEqual([]);
    expect(plans.map((node) => node['Node Type'])).toContain('Index Scan');
  });
});

/** The blocks that a statement touches, which is what it costs without noise. */
async function blocksOf(text: string, values: string[]): Promise<number> {
  return database.db.connection().execute(async (connection) => {
    await sql.raw(`prepare planned as ${text}`).execute(connection);
    const given = values.length > 0 ? `(${values.map((value) => `'${value}'`).join()})` : '';
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `explain (analyze, buffers, format json) execute planned${given}`,
      )
      .execute(connection);
    await sql`deallocate planned`.execute(connection);
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
    return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
  });
}

describe('a page that begins anywhere', () => {
  it.each([
    ['lastName', 'Reis 0'],
    ['lastName', 'Reis 8'],
    ['lastName', 'Reis f'],
    ['-lastName', 'Reis 8'],
    ['firstName', 'Ana 8'],
    ['-firstName', 'Ana 8'],
  ] as const)('by %s at %s touches as much as the first page', async (sort, startAt) => {
    said.length = 0;
    await callerIn(listening).agents.list({ sort });
    const first = await blocksOf(said[0] ?? '', []);
    said.length = 0;
    await callerIn(listening).agents.list({ sort, startAt });
    const nilOrMax = sort.startsWith('-') ? 'f' : '0';
    const edgeId = '00000000-0000-0000-0000-000000000000'.replaceAll('0', nilOrMax);
    // The way down the index twice more, once for the page and once for what is before it, and rows that span two blocks.
    expect(await blocksOf(said[0] ?? '', [startAt, edgeId, startAt, edgeId])).toBeLessThan(first + 30);
  });
});

/** How often PostgreSQL has planned a statement without its values, of six times that it ran. */
async function runsOfOnePlan(text: string, values: string[]): Promise<number> {
  return database.db.connection().execute(async (connection) => {
    await sql.raw(`prepare planned as ${text}`).execute(connection);
    const given = values.length > 0 ? `(${values.map((value) => `'${value}'`).join()})` : '';
    for (let times = 0; times < 6; times += 1) await sql.raw(`execute planned${given}`).execute(connection);
    const { rows } = await sql<{ times: number }>`
      select generic_plans::int as times from pg_prepared_statements where name = 'planned'`.execute(
      connection,
    );
    await sql`deallocate planned`.execute(connection);
    return rows[0]?.times ?? 0;
  });
}

describe('without a new plan for each value', () => {
  const position = [new Date().toISOString(), id];
  it.each<[string, string[], (caller: Caller) => Promise<unknown>]>([
    ['the newest of some state', [], ({ agents }) => agents.list({ status: 'active' })],
    [
      'those by name of some state and region',
      ['A'],
      ({ agents }) => agents.list({ sort: 'lastName', status: 'active', region: 'A' }),
    ],
    ['the agents of an office', [id, id], ({ agents }) => agents.list({ officeId: id, sort: '-createdAt' })],
    ['the offices of a region', ['A'], ({ offices }) => offices.list({ region: 'A', sort: 'name' })],
    ['the agents of a city', ['A'], ({ agents }) => agents.list({ city: 'City 7', sort: 'lastName' })],
    ['the newest without an e-mail', [], ({ agents }) => agents.list({ empty: 'email' })],
    [
      'those from a name on',
      ['Reis 7', id, 'Reis 7', id],
      ({ agents }) => agents.list({ sort: 'lastName', startAt: 'Reis 7' }),
    ],
    [
      'a page after another',
      position,
      async ({ agents }) => {
        const { nextCursor } = await agents.list({ limit: 1 });
        said.length = 0;
        return agents.list({ limit: 1, cursor: nextCursor });
      },
    ],
  ])('lists %s', async (_, values, call) => {
    said.length = 0;
    await call(callerIn(listening));
    expect(await runsOfOnePlan(said.at(-1) ?? '', values)).toBeGreaterThan(0);
  });

  it('lists what may be few or many as is best for the value', async () => {
    said.length = 0;
    await callerIn(listening).agents.list({ region: 'A' });
    expect(said[0]).toMatch(/"place_region" = \$1/);
  });
});

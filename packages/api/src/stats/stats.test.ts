import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { refreshStats } from './service.ts';

const start = new Date('2026-11-15T08:00:00.000Z');
let now = start;
let database: TestDatabase;
let caller: Caller;

async function seed(): Promise<void> {
  const lisboa = { country: 'PT', region: '11' };
  const office = await caller.offices.create({ name: 'Lisboa', address: lisboa });
  await caller.offices.create({ name: 'Sintra', mainOfficeId: office.id, address: lisboa });
  const other = await caller.offices.create({ name: 'Madrid', address: { country: 'ES', region: 'MD' } });
  await caller.offices.deactivate({ id: other.id });
  const expiries = [
    '2026-11-14',
    '2026-11-15',
    '2026-12-15',
    '2026-12-16',
    '2027-01-14',
    '2027-02-13',
    '2027-02-14',
  ];
  for (const [index, expiresOn] of expiries.entries()) {
    now = new Date(start.getTime() - index * 20 * 24 * 60 * 60 * 1_000);
    const agent = await caller.agents.create({
      firstName: 'Ana',
      lastName: `Reis ${index}`,
      officeId: index < 5 ? office.id : null,
      affiliations: index === 6 ? [{ officeId: office.id }] : [],
      address: index % 2 === 0 ? lisboa : null,
      licenses: [{ number: 'A', expiresOn }, { number: 'B' }],
    });
    now = start;
    if (index === 1) await caller.agents.deactivate({ id: agent.id });
  }
}

beforeAll(async () => {
  database = await createTestDatabase();
  caller = callerIn(database.db, { now: () => now });
  await seed();
});
afterAll(() => database[Symbol.asyncDispose]());

const totalOf = async (query: Parameters<Caller['agents']['list']>[0]) =>
  (await caller.agents.list({ ...query, includeTotal: true, limit: 1 })).total;

describe('the counts of the directory', () => {
  it('are those of the lists', async () => {
    const { agents, offices, asOf } = await caller.stats.get({});
    expect(asOf).toBe('2026-11-15T08:00:00.000Z');
    expect([agents.active, agents.inactive, offices.active, offices.inactive]).toEqual([6, 1, 2, 1]);
    expect(agents.active).toBe(await totalOf({ status: 'active' }));
    expect(agents.withoutOffice).toBe(2);
    expect(agents.byOffice).toEqual([
      {
        officeId: expect.any(String),
        name: 'Lisboa',
        active: 4,
        inactive: 1,
        joined30Days: 2,
        licensesExpired: 1,
        licensesNext60Days: 3,
      },
    ]);
    const [{ officeId = '' } = {}] = agents.byOffice;
    expect(await totalOf({ officeId, affiliation: 'primary', status: 'active' })).toBe(4);
    expect(agents.byRegion).toEqual([
      // By the place of work: five of an office there, and one with an address of its own.
      { country: 'PT', region: '11', active: 5, inactive: 1 },
      { country: null, region: null, active: 1, inactive: 0 },
    ]);
    expect(offices.byRegion).toEqual([
      { country: 'PT', region: '11', active: 2, inactive: 0 },
      { country: 'ES', region: 'MD', active: 0, inactive: 1 },
    ]);
    expect(agents.byMonth).toEqual([
      { month: '2026-11', joined: 1, left: 1 },
      { month: '2026-10', joined: 2, left: 0 },
      { month: '2026-09', joined: 1, left: 0 },
      { month: '2026-08', joined: 2, left: 0 },
      { month: '2026-07', joined: 1, left: 0 },
    ]);
    expect(agents.licenses).toEqual({ expired: 1, next30Days: 2, next60Days: 4, next90Days: 5 });
    expect(await totalOf({ licenseExpiresBefore: '2026-11-15' })).toBe(1);
    expect(await totalOf({ licenseExpiresBefore: '2026-12-16' })).toBe(1 + 2);
  });

  it('list as many offices as asked for', async () => {
    expect((await caller.stats.get({ officesMax: 0 })).agents.byOffice).toEqual([]);
  });

  it('are those that a server stored, with their time, if the directory is large', async () => {
    await refreshStats(database.db, new Date('2026-11-15T07:00:00.000Z'));
    expect((await caller.stats.get({})).asOf).toBe('2026-11-15T08:00:00.000Z');
    await sql`
      update directory_stats set counts = jsonb_set(counts::jsonb, '{offices,inactive}', '10001')::json`.execute(
      database.db,
    );
    const { asOf, agents } = await caller.stats.get({});
    expect([asOf, agents.active]).toEqual(['2026-11-15T07:00:00.000Z', 6]);
    await sql`delete from directory_stats`.execute(database.db);
  });
});

describe('an office with expand=counts', () => {
  it('has its agents by status, its affiliated agents and its branches, in a list and alone', async () => {
    const counts = { agents: { active: 4, inactive: 1 }, affiliatedAgents: 1, branches: 1 };
    const none = { agents: { active: 0, inactive: 0 }, affiliatedAgents: 0, branches: 0 };
    const { items } = await caller.offices.list({ expand: 'counts', sort: 'name' });
    expect(items.map((office) => [office.name, office.counts])).toEqual([
      ['Lisboa', counts],
      ['Madrid', none],
      ['Sintra', none],
    ]);
    const id = items[0]?.id ?? '';
    const plain = await caller.offices.get({ id });
    expect(await caller.offices.get({ id, expand: 'counts' })).toEqual({ ...plain, counts });
    expect(plain).not.toHaveProperty('counts');
  });
});

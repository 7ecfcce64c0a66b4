import { createFirstKey, forgetRates } from '@roster/api/hosting';
import { createTestDatabase, startProxy, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bearer, statusWith } from './testing/keys.ts';
import { startTestServer, type TestServer } from './testing.ts';

const QUOTA = 30;

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

const serve = () => startTestServer({ database, connection: {}, rateLimit: QUOTA });

/** A key that has asked for nothing yet. */
async function freshSecret(): Promise<string> {
  const key = await createFirstKey(database.db, { now: new Date(), beforeCommit: async () => undefined });
  return key?.secret ?? '';
}

/** How many of so many requests, in turns to each server and all at once, were answered; the others were too many. */
async function answered(servers: TestServer[], secret: string, count: number): Promise<number> {
  const statuses = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      statusWith(servers[index % servers.length] as TestServer, secret),
    ),
  );
  expect([...new Set(statuses)].filter((status) => status !== 200 && status !== 429)).toEqual([]);
  return statuses.filter((status) => status === 200).length;
}

/** What has grown back since, and a second's worth. */
const beyond = (sinceMs: number) => ((performance.now() - sinceMs) / 60_000) * QUOTA + QUOTA / 60;

describe('the quota of a key', () => {
  it('holds for three servers together, also for all requests at once on new servers', async () => {
    const secret = await freshSecret();
    await using first = await serve();
    await using second = await serve();
    await using third = await serve();
    const since = performance.now();
    const count = await answered([first, second, third], secret, 3 * QUOTA);
    expect(count).toBeGreaterThanOrEqual(QUOTA);
    expect(count).toBeLessThanOrEqual(QUOTA + beyond(since));
    const late = await Promise.all([first, second, third].map((server) => statusWith(server, secret)));
    expect(late.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2);
  });

  it('is what one server left of it, on one that joins; and on one that stays, when the other went', async () => {
    const secret = await freshSecret();
    await using first = await serve();
    const since = performance.now();
    expect(await answered([first], secret, 15)).toBe(15);
    const second = await serve();
    expect(await answered([second], secret, 10)).toBe(10);
    await second[Symbol.asyncDispose]();
    const rest = await answered([first], secret, QUOTA);
    expect(rest).toBeGreaterThanOrEqual(5);
    expect(rest).toBeLessThanOrEqual(5 + beyond(since));
  });

  it('says on every server what is left', async () => {
    const secret = await freshSecret();
    await using first = await serve();
    await using second = await serve();
    const leftAt = async (server: TestServer) => {
      const answer = await server.request('GET', '/offices?limit=1', undefined, bearer(secret));
      return Number(/r=(\d+)/.exec(answer.headers.get('RateLimit') ?? '')?.[1]);
    };
    const since = performance.now();
    expect(await answered([first], secret, 20)).toBe(20);
    const left = await leftAt(second);
    expect(left).toBeGreaterThanOrEqual(9);
    expect(left).toBeLessThanOrEqual(9 + beyond(since));
  });

  it('holds on each server by itself while the database cannot be asked, and nobody is refused or kept', async () => {
    const proxy = await startProxy(database);
    await using first = await serve();
    // Requests go to the database all the same: what is away is away for the limits alone.
    await using second = await startTestServer({
      database: { ...database, connection: proxy.connection },
      connection: { connection: database.connection },
      rateLimit: QUOTA,
    });
    const secret = await freshSecret();
    expect(await answered([first, second], secret, 2)).toBe(2);
    await proxy[Symbol.asyncDispose]();
    expect(await answered([second], secret, 20)).toBe(20);
  });
});

it('keeps nobody whose quota is whole, and no server that is gone', async () => {
  const { db } = database;
  await sql`
    insert into caller_rate values ('whole', now() - interval '2 minutes'), ('spent', now() + interval '1 second')`.execute(
    db,
  );
  await sql`
    insert into server values (gen_random_uuid(), now() - interval '2 minutes', true), (gen_random_uuid(), now(), false)`.execute(
    db,
  );
  await Promise.all([forgetRates(db), forgetRates(db)]);
  expect(await db.selectFrom('caller_rate').select('caller').execute()).toEqual([{ caller: 'spent' }]);
  expect(await db.selectFrom('server').select('is_alone').execute()).toEqual([{ is_alone: false }]);
});

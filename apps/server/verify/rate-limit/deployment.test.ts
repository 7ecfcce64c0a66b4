import { createFirstKey } from '@roster/api/server';
import { createTestDatabase, startProxy, type TestDatabase } from '@roster/db/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../test/support/index.ts';
import { bearer, statusWith } from '../../test/support/keys.ts';

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

/** Sends requests at once, to the servers round-robin. Returns how many were allowed; all others are 429. */
async function answered(servers: TestServer[], secret: string, count: number): Promise<number> {
  const statuses = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      statusWith(servers[index % servers.length] as TestServer, secret),
    ),
  );
  expect([...new Set(statuses)].filter((status) => status !== 200 && status !== 429)).toEqual([]);
  return statuses.filter((status) => status === 200).length;
}

/** What has been replenished since a time of the process clock. */
const replenishedSince = (sinceMs: number) => ((performance.now() - sinceMs) / 60_000) * QUOTA;

/** What the RateLimit header says is left, on a server, after one more request. */
async function leftAt(server: TestServer, secret: string): Promise<number> {
  const answer = await server.request('GET', '/offices?limit=1', undefined, bearer(secret));
  return Number(/r=(\d+)/.exec(answer.headers.get('RateLimit') ?? '')?.[1]);
}

/** Waits until a request to a server is rejected for the rate. */
const rejectedBy = (server: TestServer, secret: string) =>
  expect.poll(() => statusWith(server, secret), { interval: 50 }).toBe(429);

describe('the quota of a key', () => {
  it('holds for three servers together, and what they let through beyond it has to grow back first', async () => {
    const secret = await freshSecret();
    await using first = await serve();
    await using second = await serve();
    await using third = await serve();
    const servers = [first, second, third];
    const since = performance.now();
    const burst = await answered(servers, secret, 3 * QUOTA);
    expect(burst).toBeGreaterThanOrEqual(QUOTA);
    for (const server of servers) await rejectedBy(server, secret);
    // From now on every server knows what all of them let through, each the whole quota at most.
    const late = await answered(servers, secret, 3 * QUOTA);
    expect(burst + late).toBeLessThanOrEqual(3 * QUOTA + replenishedSince(since));
    expect(late).toBeLessThanOrEqual(replenishedSince(since));
  });

  it('is what one server left of it, on one that joins; and on one that stays, when the other went', async () => {
    const secret = await freshSecret();
    await using first = await serve();
    const since = performance.now();
    expect(await answered([first], secret, 15)).toBe(15);
    const second = await serve();
    await expect.poll(() => leftAt(second, secret)).toBeLessThan(15);
    await second[Symbol.asyncDispose]();
    await rejectedBy(first, secret);
    const total = Math.floor(QUOTA + replenishedSince(since)) + 1;
    expect(await answered([first], secret, QUOTA)).toBeLessThanOrEqual(total - QUOTA);
  });

  it('is reported by every server with what the others counted', async () => {
    const secret = await freshSecret();
    await using first = await serve();
    await using second = await serve();
    expect(await answered([first], secret, 20)).toBe(20);
    // Each look at what is left is a request, of which the second server alone would leave the rest of the quota.
    let sent = 0;
    const countedByOther = async () => {
      sent += 1;
      return QUOTA - sent - (await leftAt(second, secret));
    };
    await expect.poll(countedByOther, { interval: 500 }).toBeGreaterThan(10);
  });

  it('is counted by each server alone while the database is unavailable for it, and no request waits or fails', async () => {
    const proxy = await startProxy(database);
    await using first = await serve();
    // Requests reach the database all the same: it is unavailable for the rate limits alone.
    await using second = await startTestServer({
      database,
      workersConnection: proxy.connection,
      rateLimit: QUOTA,
    });
    const secret = await freshSecret();
    expect(await answered([first, second], secret, 2)).toBe(2);
    proxy.stall();
    expect(await answered([second], secret, 20)).toBe(20);
    expect(await answered([first], secret, 20)).toBe(20);
    await proxy.mend();
    // Both have let through what they could alone; together that is more than the quota.
    await rejectedBy(second, secret);
    await rejectedBy(first, secret);
    await proxy[Symbol.asyncDispose]();
  });
});

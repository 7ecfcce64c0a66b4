import { createFirstKey } from '@roster/api/server';
import { createTestDatabase, startProxy, type TestDatabase } from '@roster/db/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bearer, statusWith } from '../support/auth/keys.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

const QUOTA = 30;

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

// The clock of the rate stands still, so that nothing is replenished.
const serve = () => startTestServer({ database, connection: {}, rateLimit: QUOTA, rateLimitNowMs: () => 0 });

/** A key that has asked for nothing yet. */
async function freshSecret(): Promise<string> {
  const key = await createFirstKey(database.db, {
    now: new Date(),
    beforeCommit: async () => undefined,
  });
  return key?.secret ?? '';
}

/** Sends requests to a server, after the first, which looks the key up, at once. Returns how many were allowed; all others are 429. */
async function allowedBy(server: TestServer, secret: string, count: number): Promise<number> {
  const first = await statusWith(server, secret);
  const others = await Promise.all(Array.from({ length: count - 1 }, () => statusWith(server, secret)));
  const statuses = [first, ...others];
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  return statuses.filter((status) => status === 200).length;
}

/** What the RateLimit-Policy header says a server allows, on a response to a key of its own. */
async function shareAt(server: TestServer): Promise<number> {
  const response = await server.request('GET', '/offices?limit=1');
  await response.arrayBuffer();
  return Number(/q=(\d+)/.exec(response.headers.get('RateLimit-Policy') ?? '')?.[1]);
}

/** Two servers count each other within seconds. */
const COUNTED = { interval: 500 };

describe('the quota of a key', () => {
  it('is divided by the servers that run, each of which says its share; one that stops leaves its share to the others', async () => {
    const secret = await freshSecret();
    await using first = await serve();
    await expect.poll(() => shareAt(first)).toBe(30);
    const second = await serve();
    await expect.poll(() => shareAt(second), COUNTED).toBe(15);
    await expect.poll(() => shareAt(first), COUNTED).toBe(15);
    expect(await allowedBy(first, secret, QUOTA)).toBe(15);
    expect(await allowedBy(second, secret, QUOTA)).toBe(15);
    const rejected = await first.request('GET', '/offices', undefined, bearer(secret));
    expect(await rejected.json()).toMatchObject({
      detail: expect.stringContaining('More than 15 requests a minute, the part of this server in 30.'),
    });
    await second[Symbol.asyncDispose]();
    await expect.poll(() => shareAt(first), COUNTED).toBe(30);
  });

  it('stays divided while the database is unavailable for the count, and no request waits or fails', async () => {
    const secret = await freshSecret();
    await using proxy = await startProxy(database);
    await using first = await serve();
    // Requests reach the database all the same: it is unavailable for the workers alone.
    await using second = await startTestServer({
      database,
      rateLimit: QUOTA,
      rateLimitNowMs: () => 0,
      workersConnection: proxy.connection,
    });
    await expect.poll(() => shareAt(first), COUNTED).toBe(15);
    await expect.poll(() => shareAt(second), COUNTED).toBe(15);
    proxy.stall();
    expect(await allowedBy(second, secret, 20)).toBe(15);
    expect(await allowedBy(first, secret, 20)).toBe(15);
    await proxy.mend();
  });
});

import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REJECTION_LINES_MAX } from '../../src/observability/rejection-sampler.ts';
import { bearer, unknownSecret } from '../support/auth/keys.ts';
import { bodyOf } from '../support/fixtures.ts';
import { requestsThatWait } from '../support/locks.ts';
import { startWatchedService, type WatchedService } from '../support/processes/watched-service.ts';

const QUOTA = 5;

let database: TestDatabase;
let service: WatchedService;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startWatchedService(database, { ROSTER_RATE_LIMIT: String(QUOTA) });
});
afterAll(async () => {
  await service.close();
  await database[Symbol.asyncDispose]();
});

async function statusWith(headers: Record<string, string>): Promise<number> {
  const response = await fetch(`${service.url}/offices`, { headers });
  await response.text();
  return response.status;
}

const linesWith = (status: number) =>
  service.lines().filter((line) => line.msg === 'request' && line.status === status);

describe('a flood of unknown keys', () => {
  it('is rejected without a database query when the quota of the address is used up, also concurrently', async () => {
    // Another service, without a limit, makes the keys; a server knows only those it has met itself.
    await using unlimited = await startWatchedService(database);
    const made = async () => {
      const body = { name: 'x', scopes: ['offices:read'] };
      return bearer(
        (await bodyOf<{ secret: string }>(await unlimited.request('POST', '/keys', body))).secret,
      );
    };
    const [met, unmet] = [await made(), await made()];
    expect(await statusWith(met)).toBe(200);

    const flood = await Promise.all(Array.from({ length: 40 }, () => statusWith(bearer(unknownSecret()))));
    expect(flood.filter((status) => status === 401).length).toBeLessThanOrEqual(QUOTA + 1);
    expect(new Set(flood)).toEqual(new Set([401, 429]));
    await expect.poll(() => linesWith(429).length).toBeGreaterThanOrEqual(REJECTION_LINES_MAX);
    expect(new Set(linesWith(429).map(({ statements }) => statements))).toEqual(new Set([0]));

    // Keys that changed are looked up again; one that was met is, whatever else its address sends.
    await made();
    expect(await statusWith(met)).toBe(200);
    expect(await statusWith(unmet)).toBe(429);
  });
});

describe('the log of rejected callers', () => {
  it('has their address, a few lines a second for each status, and the number of the others', async () => {
    await using other = await startWatchedService(database);
    const rejected = 4 * REJECTION_LINES_MAX;
    // At once: those of a slow sequence might each be among the first of a second.
    const responses = Array.from({ length: rejected }, async () =>
      (await fetch(`${other.url}/agents`)).text(),
    );
    await Promise.all(responses);
    const written = () =>
      other
        .lines()
        .filter((line) => line.msg === 'request' && line.status === 401 && line.address === '127.0.0.1');
    const omitted = () => other.lines().filter((line) => line.omitted !== undefined && line.status === 401);
    const sum = () => omitted().reduce((total, line) => total + Number(line.omitted), written().length);
    await expect.poll(sum).toBe(rejected);
    expect(omitted().length).toBeGreaterThan(0);
    expect(written().length).toBeLessThan(rejected);
  });

  it('has requests that the concurrency limit rejects, with the address that a proxy forwards', async () => {
    const settings = {
      ROSTER_REQUESTS_MAX: '1',
      ROSTER_TRUSTED_PROXIES: '127.0.0.1',
      // The read waits for the lock until all others were rejected.
      ROSTER_STATEMENT_TIMEOUT_MS: '300000',
    };
    await using full = await startWatchedService(database, settings);
    const rejected = 3 * REJECTION_LINES_MAX;
    const { served } = await database.db.transaction().execute(async (trx) => {
      await sql`lock table office in access exclusive mode`.execute(trx);
      const served = full.request('GET', '/offices');
      // A read that takes long is sent again on another connection.
      await expect.poll(() => requestsThatWait(database.db)).toBeGreaterThan(0);
      const statuses = Array.from({ length: rejected }, async (_, count) => {
        const headers = { 'X-Forwarded-For': '192.0.2.7', 'X-Request-Id': `rejected-${count}` };
        return (await full.request('GET', '/agents/Ana?q=Ana', undefined, headers)).status;
      });
      expect(new Set(await Promise.all(statuses))).toEqual(new Set([503]));
      return { served };
    });
    expect((await served).status).toBe(200);
    const written = () => full.lines().filter(({ msg, status }) => msg === 'request' && status === 503);
    const omitted = () => full.lines().filter((line) => line.omitted !== undefined && line.status === 503);
    const sum = () => omitted().reduce((total, line) => total + Number(line.omitted), written().length);
    await expect.poll(sum).toBe(rejected);
    expect(written()[0]).toMatchObject({
      reqId: expect.stringMatching(/^rejected-\d+$/),
      method: 'GET',
      path: '/agents/…',
      errorCode: 'overloaded',
      address: '192.0.2.7',
    });
    expect(written().length).toBeLessThan(rejected);
  });

  it('has no address of a client that is served or gets 404', async () => {
    await using other = await startWatchedService(database);
    await (await other.request('GET', '/offices')).text();
    await (await other.request('GET', '/nowhere')).text();
    const lines = () => other.lines().filter(({ msg }) => msg === 'request');
    await expect.poll(() => lines().length).toBe(2);
    for (const line of lines()) expect(line).not.toHaveProperty('address');
  });
});

import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { batch, call, problemOf } from '../support/calls.ts';
import { exchange } from '../support/http/raw.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

describe('a limited service', () => {
  const QUOTA = 6;
  let server: TestServer;
  let elsewhere: TestDatabase;
  let nowMs = 0;
  beforeAll(async () => {
    elsewhere = await createTestDatabase();
    server = await startTestServer({ rateLimit: QUOTA, rateLimitNowMs: () => nowMs });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await elsewhere[Symbol.asyncDispose]();
  });

  /** A server without a limit over the same database, which is not counted among those that divide the quota. */
  const startUnlimited = () =>
    startTestServer({
      database: server.database,
      connection: {},
      workersConnection: elsewhere.connection,
    });

  /** A key whose quota is whole; made past the server's own limit, on one without over the same database. */
  async function freshKey() {
    await using unlimited = await startUnlimited();
    return bearer((await keyWith(unlimited, ['offices:read', 'offices:write'])).secret);
  }
  const read = (headers: Record<string, string>) => server.request('GET', '/offices', undefined, headers);
  const leftIn = (response: Response) => Number(/r=(\d+)/.exec(response.headers.get('RateLimit') ?? '')?.[1]);

  it('says the policy, and what is left of it and when it is whole again', async () => {
    const key = await freshKey();
    const first = await read(key);
    expect(first.headers.get('RateLimit-Policy')).toBe('"default";q=6;w=60');
    expect(first.headers.get('RateLimit')).toBe('"default";r=5;t=10');
    expect((await read(key)).headers.get('RateLimit')).toBe('"default";r=4;t=20');
  });

  it('rejects requests beyond the quota with 429 and Retry-After, as a problem over REST and RPC', async () => {
    const key = await freshKey();
    for (let count = 0; count < QUOTA; count += 1) expect((await read(key)).status).toBe(200);
    const rejected = await read(key);
    expect(rejected.headers.get('Retry-After')).toBe('10');
    expect(leftIn(rejected)).toBe(0);
    await expectProblem(rejected, 'rate_limited');
    const byRpc = await call(server, ['offices.list', {}], key);
    expect([byRpc.status, byRpc.headers.has('Retry-After')]).toEqual([429, true]);
    expect((await problemOf(byRpc)).code).toBe('rate_limited');
  });

  it('asks for whole seconds, after which the request is allowed and not a moment before', async () => {
    const key = await freshKey();
    for (let count = 0; count < QUOTA; count += 1) await read(key);
    nowMs += 2_500;
    const rejected = await read(key);
    expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([429, '8']);
    nowMs += 7_000;
    expect((await read(key)).status).toBe(429);
    nowMs += 1_000;
    expect((await read(key)).status).toBe(200);
  });

  it('counts an import by its records and its size, the whole quota at most, on both interfaces', async () => {
    await using unlimited = await startUnlimited();
    const key = async () => bearer((await keyWith(unlimited, ['offices:write'])).secret);
    const importOf = (count: number, bio = '') => ({
      records: Array.from({ length: count }, (_, n) => ({ name: `Imported ${n}`, ...(bio && { bio }) })),
      dryRun: true,
    });
    const post = async (body: object, headers: Record<string, string>) =>
      server.request('POST', '/imports/offices', body, headers);
    expect(leftIn(await post(importOf(50), await key()))).toBe(5);
    expect(leftIn(await post(importOf(51), await key()))).toBe(4);
    expect(leftIn(await post(importOf(40, 'x'.repeat(4_000)), await key()))).toBe(3);
    const one = await key();
    expect(leftIn(await call(server, ['imports.offices', importOf(200)], one))).toBe(2);
    await expectProblem(await post(importOf(200), one), 'rate_limited');
    expect((await post(importOf(500, 'x'.repeat(1_000)), await key())).status).toBe(200);
  });

  it('counts a body that does not say its length as the largest', async () => {
    const key = await freshKey();
    const body = new Blob([JSON.stringify({ name: 'Streamed' })]).stream();
    const headers = { ...key, 'Content-Type': 'application/json' };
    const response = await fetch(`${server.url}/offices`, { method: 'POST', headers, body, duplex: 'half' });
    expect([response.status, leftIn(response)]).toEqual([201, 2]);
  });

  it('counts requests that fail with another error, and does not count those without a route', async () => {
    const key = await freshKey();
    expect(leftIn(await server.request('GET', '/offices?limit=no', undefined, key))).toBe(5);
    expect(leftIn(await server.request('GET', '/agents', undefined, key))).toBe(4);
    expect((await server.request('GET', '/nowhere', undefined, key)).headers.has('RateLimit')).toBe(false);
    expect(leftIn(await read(key))).toBe(3);
  });

  it.each([
    ['as they are', ','],
    ['percent-encoded', '%2C'],
  ])('counts each call of a batch, its commas %s', async (_, comma) => {
    const key = await freshKey();
    const names = Array.from({ length: 4 }, () => 'offices.list').join(comma);
    const path = `/trpc/${names}?batch=1&input=${encodeURIComponent('{"0":{},"1":{},"2":{},"3":{}}')}`;
    const first = await server.request('GET', path, undefined, key);
    expect([first.status, leftIn(first)]).toEqual([200, 2]);
    expect((await server.request('GET', path, undefined, key)).status).toBe(429);
    expect((await read(key)).status).toBe(200);
  });

  it.each(['%252C', '%25252C', '%25'])(
    'returns 404 for a path that is still encoded after decoding: %s',
    async (comma) => {
      const key = await freshKey();
      const names = Array.from({ length: 4 }, () => 'offices.list').join(comma);
      const input = encodeURIComponent('{"0":{},"1":{},"2":{},"3":{}}');
      const result = await server.request('GET', `/trpc/${names}?batch=1&input=${input}`, undefined, key);
      expect([result.status, (await problemOf(result)).code]).toEqual([404, 'no_such_route']);
    },
  );

  it('counts a batch whose request target is an absolute URL', async () => {
    const { Authorization } = await freshKey();
    const target = `${server.url}/trpc/offices.list,offices.list?batch=1`;
    const result = await exchange(
      server.url,
      `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: ${Authorization}\r\nConnection: close\r\n\r\n`,
    );
    expect(leftIn(result)).toBe(4);
  });

  it('rejects a batch of too many calls', async () => {
    await using unlimited = await startTestServer();
    const calls = Array.from({ length: 21 }, () => ['offices.list', {}] as [string, unknown]);
    expect((await batch(unlimited, calls)).status).toBe(400);
    expect((await batch(unlimited, calls.slice(1))).status).toBe(200);
  });

  it('limits calls without a valid key by address, and does not trust X-Forwarded-For', async () => {
    const met = await freshKey();
    expect((await read(met)).status).toBe(200);
    const statuses: number[] = [];
    for (let count = 0; count < QUOTA + 2; count += 1) {
      const Authorization = count % 2 ? '' : `Bearer guess-${count}`;
      const { status } = await read({ Authorization, 'X-Forwarded-For': `192.0.2.${count}` });
      statuses.push(status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
    expect((await read(met)).status).toBe(200);
    // A key that this server has not met costs a look-up, which the address has no quota left for.
    expect((await read(await freshKey())).status).toBe(429);
  });

  it('leaves health alone', async () => {
    for (const path of ['/healthz', '/readyz']) {
      for (let count = 0; count < QUOTA + 2; count += 1) {
        const response = await server.request('GET', path, undefined, { Authorization: '' });
        expect([response.status, response.headers.has('RateLimit')]).toEqual([200, false]);
        await response.arrayBuffer();
      }
    }
  });
});

it('limits by the address that a trusted proxy forwards', async () => {
  await using server = await startTestServer({ rateLimit: 2, trustedProxies: ['127.0.0.1'] });
  const from = async (address: string) => {
    const headers = { Authorization: '', 'X-Forwarded-For': address };
    return (await server.request('GET', '/offices', undefined, headers)).status;
  };
  expect([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.1')]).toEqual([
    401, 401, 429,
  ]);
  expect(await from('192.0.2.2')).toBe(401);
  // One caller may have all addresses of a /64; a mapped address is that of IPv4, and a port is no part of it.
  const network = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::1', '[2001:db8:1:2::3]:443'];
  expect(await Promise.all(network.map(from))).toEqual([401, 401, 429]);
  expect(await from('2001:db8:1:3::1')).toBe(401);
  expect([await from('::ffff:192.0.2.2'), await from('192.0.2.2:50812')]).toEqual([401, 429]);
});

it('does not limit if the limit is 0', async () => {
  await using server = await startTestServer({ rateLimit: 0 });
  const requests = Array.from({ length: 700 }, () => server.request('GET', '/offices/x'));
  for (const response of await Promise.all(requests)) {
    expect(response.status).toBe(400);
    expect(response.headers.has('RateLimit')).toBe(false);
    expect(response.headers.has('RateLimit-Policy')).toBe(false);
  }
});

import { connect as dial } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/index.ts';
import { requestsThatWait } from '../support/locks.ts';
import { expectProblem } from '../support/problems.ts';

const PAGE = 'https://roster.example';
const MAX = 2;
/** Headers that every response has, also a rejection. */
const asServed = [
  'Access-Control-Expose-Headers',
  'X-Content-Type-Options',
  'Referrer-Policy',
  'Content-Security-Policy',
  'Cross-Origin-Resource-Policy',
];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ requestsMax: MAX, corsOrigins: [PAGE] });
});
afterAll(() => server[Symbol.asyncDispose]());

const waiting = () => requestsThatWait(server.database.db);

/** Does something while requests that read offices wait for a lock, as many as are served at once. */
async function whileFull(act: (leave: AbortController) => Promise<unknown>): Promise<unknown[]> {
  const leaving = new AbortController();
  const { statuses } = await server.database.db.transaction().execute(async (trx) => {
    await sql`lock table office in access exclusive mode`.execute(trx);
    const { url, key } = server;
    const headers = { Authorization: `Bearer ${key}` };
    const served = Array.from({ length: MAX }, () =>
      // A count has a connection for itself, so that each waits.
      fetch(`${url}/offices?includeTotal=true`, { headers, signal: leaving.signal }),
    );
    // A client may disconnect.
    const statuses = served.map((one) =>
      one.then(
        ({ status }) => status,
        () => 'left',
      ),
    );
    await expect.poll(waiting).toBe(MAX);
    await act(leaving);
    return { statuses };
  });
  return Promise.all(statuses);
}

describe('a request beyond those that are served at once', () => {
  it('is rejected at once, from every caller and over REST and RPC, and earlier requests are answered', async () => {
    const served = await server.request('GET', '/offices', undefined, { Origin: PAGE });
    const varyOfServed = served.headers.get('Vary');
    expect(varyOfServed).toMatch(/accept-encoding/);
    const statuses = await whileFull(async () => {
      const rejected = await server.request('POST', '/offices', { name: 'Porto' }, { Origin: PAGE });
      expect(rejected.headers.get('Access-Control-Allow-Origin')).toBe(PAGE);
      expect(rejected.headers.get('Retry-After')).toBe('1');
      expect(rejected.headers.get('Vary')).toBe(varyOfServed);
      for (const name of asServed) {
        expect(served.headers.get(name), name).not.toBeNull();
        expect(rejected.headers.get(name), name).toBe(served.headers.get(name));
      }
      await expectProblem(rejected, 'overloaded');
      const rpc = await server.request('GET', '/trpc/offices.list', undefined, { 'X-Request-Id': 'mine' });
      expect(rpc.status).toBe(503);
      expect(await rpc.json()).toMatchObject({
        error: { data: { httpStatus: 503, problem: { code: 'overloaded', requestId: 'mine' } } },
      });
    });
    expect(statuses).toEqual([200, 200]);
    expect((await server.request('GET', '/offices')).status).toBe(200);
  });

  it('is answered if it is a health check', async () => {
    await whileFull(async () => {
      expect((await server.request('GET', '/healthz')).status).toBe(200);
      expect((await server.request('GET', '/readyz')).status).toBe(200);
    });
  });
});

it('leaves room for other callers, however many requests of one come at once, with bodies or without', async () => {
  const places = 30;
  await using shared = await startTestServer({ requestsMax: places });
  const made = await shared.request('POST', '/keys', { name: 'other', scopes: ['agents:read'] });
  const { secret } = (await made.json()) as { secret: string };
  const other = { Authorization: `Bearer ${secret}` };
  const { sent } = await shared.database.db.transaction().execute(async (trx) => {
    await sql`lock table office in access exclusive mode`.execute(trx);
    const sent = Array.from({ length: places }, (_, index) =>
      index % 2 === 0
        ? shared.request('GET', '/offices')
        : shared.request('POST', '/offices', { name: 'Porto' }),
    );
    const rejected: Response[] = [];
    for (const one of sent) void one.then((response) => rejected.push(response));
    // One caller holds as many places as are free.
    await expect.poll(() => rejected.length).toBeGreaterThanOrEqual(places / 2);
    // On a busy machine those that wait for the lock may end meanwhile.
    for (const response of rejected.slice(0, places / 2)) await expectProblem(response, 'overloaded');
    expect((await shared.request('GET', '/agents')).status).toBe(503);
    expect((await shared.request('GET', '/agents', undefined, other)).status).toBe(200);
    return { sent };
  });
  await Promise.all(sent);
  expect((await shared.request('GET', '/agents')).status).toBe(200);
});

describe('what does not count', () => {
  it('is a stream once it has begun', async () => {
    const headers = { Authorization: `Bearer ${server.key}` };
    const streams: Response[] = [];
    for (let open = 0; open < MAX; open += 1)
      streams.push(await fetch(`${server.url}/events/stream`, { headers }));
    expect((await server.request('GET', '/offices')).status).toBe(200);
    for (const { body } of streams) await body?.cancel();
  });

  it('is a rejected request, and one whose client disconnected while it was sent', async () => {
    for (let index = 0; index <= MAX; index += 1) {
      expect((await server.request('GET', '/offices?limit=x')).status).toBe(400);
      expect((await server.request('GET', '/nowhere')).status).toBe(404);
      expect((await server.request('GET', '/offices/%zz')).status).toBe(400);
      expect((await server.request('OPTIONS', '/offices')).status).toBe(204);
      await leaveHalfWay();
    }
    await expect.poll(async () => (await server.request('GET', '/offices')).status).toBe(200);
  });

  /** Sends half of a create and goes. */
  async function leaveHalfWay(): Promise<void> {
    const { hostname, port } = new URL(server.url);
    const socket = dial({ host: hostname, port: Number(port) });
    const head = ['POST /offices HTTP/1.1', 'Host: a', `Authorization: Bearer ${server.key}`];
    head.push('Content-Type: application/json', 'Content-Length: 100', '', '{"name":');
    await new Promise<void>((resolve) => socket.write(head.join('\r\n'), () => resolve()));
    await setImmediate();
    socket.destroy();
  }
});

describe('a client that leaves', () => {
  it('has its reads cancelled, which makes room for others', async () => {
    const statuses = await whileFull(async (leaving) => {
      leaving.abort();
      await expect.poll(waiting).toBe(0);
      await expect.poll(async () => (await server.request('GET', '/agents')).status).toBe(200);
    });
    expect(statuses).toEqual(['left', 'left']);
  });

  it('does not undo what it wrote', async () => {
    const { url, key } = server;
    const leaving = new AbortController();
    await server.database.db.transaction().execute(async (trx) => {
      await sql`lock table office in access exclusive mode`.execute(trx);
      const created = fetch(`${url}/offices`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'Written by one who left' }),
        signal: leaving.signal,
      });
      await expect.poll(waiting).toBe(1);
      leaving.abort();
      await expect(created).rejects.toThrow();
    });
    const found = sql`select 1 from office where name = 'Written by one who left'`;
    await expect.poll(async () => (await found.execute(server.database.db)).rows.length).toBe(1);
  });
});

import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { scopes } from '@roster/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, keyWith, unknownSecret } from '../support/auth/keys.ts';
import { bodyOf } from '../support/fixtures.ts';
import { beginRequest, chunk, LAST_CHUNK, type PartialRequest } from '../support/http/partial-request.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { requestsThatWait } from '../support/locks.ts';
import { expectProblem } from '../support/problems.ts';

const PLACES = 2;
const BODIES = 4;
const BYTES_MAX = 64 * 1024;

let server: TestServer;
let other: Record<string, string>;
beforeAll(async () => {
  const bodyLimits = { perCallerMax: BODIES, bytesMax: BYTES_MAX };
  server = await startTestServer({ requestsMax: PLACES, bodyLimits });
  other = bearer((await keyWith(server, scopes)).secret);
});
afterAll(() => server[Symbol.asyncDispose]());

type Head = Parameters<typeof beginRequest>[1];

/** Does something while requests have sent a head and no body. */
async function whileUnfinished(
  count: number,
  head: Head,
  act: (requests: PartialRequest[]) => Promise<void>,
): Promise<void> {
  using stack = new DisposableStack();
  const requests: PartialRequest[] = [];
  for (let begun = 0; begun < count; begun += 1)
    requests.push(stack.use(await beginRequest(server.url, head)));
  await act(requests);
}

const readsThatWait = () => requestsThatWait(server.database.db);

const create = (headers = {}) => server.request('POST', '/offices', { name: 'Porto' }, headers);

describe('a request whose body has not arrived', () => {
  it.each([
    '/trpc/offices.create',
    '/trpc/offices.create,agents.create?batch=1',
    '/offices',
    '/imports/agents',
  ])('gets 401 from its head if it carries no valid key (%s)', async (path) => {
    for (const key of [undefined, unknownSecret()]) {
      await whileUnfinished(PLACES + 1, { path, ...(key !== undefined && { key }) }, async (requests) => {
        for (const request of requests) expect(await request.status()).toBe(401);
        expect((await create()).status).toBe(201);
      });
    }
  });

  it.each([
    ['/nowhere', 'POST', 404],
    ['/offices', 'PUT', 405],
    ['/openapi.json', 'POST', 405],
  ])('is answered from its head at %s by %s: %d', async (path, method, status) => {
    await whileUnfinished(PLACES + 1, { path, method }, async (requests) => {
      for (const request of requests) expect(await request.status()).toBe(status);
      expect((await create()).status).toBe(201);
    });
  });

  it.each(['/offices', '/trpc/offices.create'])('is 415 from its head at %s', async (path) => {
    const head = { path, key: server.key, headers: { 'Content-Type': 'text/plain' } };
    await whileUnfinished(PLACES + 1, head, async (requests) => {
      for (const request of requests) expect(await request.status()).toBe(415);
    });
  });

  it.each([
    ['/offices', '{"name":"Porto"}', 201],
    ['/trpc/offices.create', '{"name":"Porto"}', 200],
  ])(
    'holds no place in the concurrency limit, and is served when it arrives (%s)',
    async (path, body, status) => {
      await whileUnfinished(PLACES + 1, { path, key: server.key }, async (requests) => {
        await setTimeout(50);
        expect((await create()).status).toBe(201);
        expect((await server.request('GET', '/offices')).status).toBe(200);
        for (const request of requests) {
          for (const byte of body) request.send(chunk(byte));
          request.send(LAST_CHUNK);
          expect(await request.status()).toBe(status);
        }
      });
    },
  );

  it('is rejected with 503 when it arrives and all places are taken', async () => {
    const { url, key, database } = server;
    await whileUnfinished(1, { path: '/offices', key }, async ([request]) => {
      const reads = await database.db.transaction().execute(async (trx) => {
        await sql`lock table office in access exclusive mode`.execute(trx);
        // A count has a connection for itself, so that each waits.
        const count = () => fetch(`${url}/offices?includeTotal=true`, { headers: other });
        const reading = Array.from({ length: PLACES }, count);
        await expect.poll(readsThatWait).toBe(PLACES);
        request?.send(chunk('{"name":"Porto"}') + LAST_CHUNK);
        expect(await request?.status()).toBe(503);
        return reading;
      });
      expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200]);
    });
  });
});

describe('one caller', () => {
  it('has so many bodies under way at once, and is 429 beyond; another caller is not', async () => {
    await whileUnfinished(BODIES, { path: '/offices', key: server.key }, async (requests) => {
      await expect.poll(async () => (await create()).status).toBe(429);
      const rejected = await create();
      expect(rejected.headers.get('Retry-After')).toBe('1');
      await expectProblem(rejected, 'rate_limited');
      expect((await create(other)).status).toBe(201);
      requests[0]?.send(chunk('{"name":"Porto"}') + LAST_CHUNK);
      expect(await requests[0]?.status()).toBe(201);
      expect((await create()).status).toBe(201);
    });
    await expect.poll(async () => (await create()).status).toBe(201);
  });

  it('holds half of the bytes there are at most, and is 503 beyond; another caller is not', async () => {
    const half = 'x'.repeat(BYTES_MAX / 2 - 100);
    await whileUnfinished(1, { path: '/imports/offices', key: server.key }, async ([request]) => {
      request?.send(chunk(`{"records":[{"name":"${half}`));
      const large = () => server.request('POST', '/offices', { name: 'Porto', metadata: { a: half } });
      await expect.poll(async () => (await large()).status).toBe(503);
      await expectProblem(await large(), 'overloaded');
      expect((await create(other)).status).toBe(201);
      request?.send(chunk(half));
      expect(await request?.status()).toBe(503);
    });
    expect((await create()).status).toBe(201);
  });

  it('pays for the decoder of a compressed body, before any of it has come', async () => {
    const body = gzipSync('{"name":"Porto"}');
    const sent = await server.request('POST', '/offices', new Uint8Array(body), {
      'Content-Encoding': 'gzip',
    });
    await expectProblem(sent, 'overloaded');
    await using roomy = await startTestServer();
    const headers = { 'Content-Encoding': 'gzip' };
    const created = await roomy.request('POST', '/offices', new Uint8Array(body), headers);
    expect((await bodyOf(created)).name).toBe('Porto');
  });
});

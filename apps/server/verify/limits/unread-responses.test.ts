import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { scopes } from '@roster/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bearer, keyWith } from '../../test/support/auth/keys.ts';
import { startTestServer, type TestServer } from '../../test/support/index.ts';
import { expectProblem } from '../../test/support/problems.ts';

const BYTES_MAX = 10_000_000;
const PIPELINED_MAX = 32;
const OFFICES = 200;
/** So that a page takes 0.93 MB. */
const BIO = 'x'.repeat(4_000);
/** Shorter than connections are kept alive without a request. */
const PATIENCE = { timeout: 40_000 };
const PAGE = '/offices?limit=200';
const SCRIPT = '/docs/js/scalar.js';

type Key = Record<string, string>;

async function fill({ request }: TestServer): Promise<void> {
  const records = Array.from({ length: OFFICES }, (_, index) => ({
    name: `Office ${index}`,
    bio: BIO,
    source: { name: 'test', key: String(index) },
  }));
  expect((await request('POST', '/imports/offices', { records })).status).toBe(200);
}

/** A connection that reads nothing, with requests sent one behind the other. */
async function ask(server: TestServer, paths: string[], key: Key = bearer(server.key)): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) }).pause();
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const headers = `Host: a\r\nAuthorization: ${key.Authorization}\r\n\r\n`;
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\n${headers}`).join(''));
  return socket;
}

const times = (count: number, path: string) => Array.from({ length: count }, () => path);

describe('a client that reads nothing', () => {
  /** Longer than a busy machine keeps a client from reading. */
  const SLOW_MS = 3_000;
  const STEP = 1024 * 1024;
  let server: TestServer;
  const ended = new Set<number | undefined>();
  beforeAll(async () => {
    server = await startTestServer({
      unreadLimits: { slowMs: SLOW_MS },
      observe: (app) =>
        app.server.on('connection', (socket: Socket) => {
          const { remotePort } = socket;
          socket.once('close', () => ended.add(remotePort));
        }),
    });
    await fill(server);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  // Each is more than the kernel takes of what is sent on one connection.
  it.each([
    ['pages of a list', times(40, PAGE)],
    ['a page over RPC', times(40, `/trpc/offices.list?input=${encodeURIComponent('{"limit":200}')}`)],
    ['the script of the documentation', times(8, SCRIPT)],
  ])('has its connection ended after the limit, whatever it asked for: %s', async (_, paths) => {
    const socket = await ask(server, paths);
    await expect.poll(() => ended.has(socket.localPort), PATIENCE).toBe(true);
    socket.destroy();
  });

  it('has its connection ended if it leaves it half open after the server has ended it', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    await once(socket, 'connect');
    socket.write('nonsense\r\n\r\n');
    await once(socket, 'end');
    await expect.poll(() => ended.has(socket.localPort), PATIENCE).toBe(true);
    socket.destroy();
  });

  it('is not one that reads slowly: it gets everything, in more than the time a client may read nothing', async () => {
    // TCP takes seconds to send again to a client whose window was full, on a busy machine more than the others of these tests have.
    const slowMs = 10_000;
    await using patient = await startTestServer({ unreadLimits: { slowMs } });
    await fill(patient);
    const socket = await ask(patient, times(30, PAGE), bearer(patient.key));
    const { byteLength } = await (await patient.request('GET', PAGE)).arrayBuffer();
    let received = 0;
    let pauses = 0;
    for await (const chunk of socket) {
      received += (chunk as Buffer).length;
      if (received >= 30 * byteLength) break;
      for (; pauses < received / STEP; pauses += 1) await setTimeout(slowMs / 20);
    }
    expect(received).toBeGreaterThanOrEqual(30 * byteLength);
    expect(pauses).toBeGreaterThan(20);
    socket.destroy();
  });
});

describe('what a caller has not read', () => {
  let server: TestServer;
  let other: Key;
  let answered = 0;
  beforeAll(async () => {
    server = await startTestServer({
      unreadLimits: { bytesMax: BYTES_MAX, pipelinedMax: PIPELINED_MAX },
      observe: (app) =>
        app.addHook('onSend', (_, __, payload, done) => {
          answered += 1;
          done(null, payload);
        }),
    });
    await fill(server);
    other = bearer((await keyWith(server, scopes)).secret);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const status = async (path: string, key: Key) => {
    const response = await server.request('GET', path, undefined, key);
    await response.arrayBuffer();
    return response.status;
  };

  /** Does something while a connection has asked for what waits for a lock, and behind it for other things. */
  async function whileQueued(paths: string[], act: (socket: Socket) => Promise<void>): Promise<Socket> {
    return server.database.db.transaction().execute(async (trx) => {
      await sql`lock table agent in access exclusive mode`.execute(trx);
      const socket = await ask(server, ['/agents', ...paths]);
      await act(socket);
      return socket;
    });
  }

  it('is half of the bytes there are at most; then its reads are 503, and those of another caller are not', async () => {
    // A response without an end, before which the others cannot be sent.
    const before = answered;
    const socket = await ask(server, ['/events/stream', ...times(5, PAGE)]);
    await expect.poll(() => answered, PATIENCE).toBe(before + 6);
    const rejected = await server.request('GET', PAGE);
    expect([rejected.headers.get('ETag'), rejected.headers.get('Link')]).toEqual([null, null]);
    await expectProblem(rejected, 'overloaded');
    expect(await status(PAGE, other)).toBe(200);
    // What changes something has happened, and is answered.
    expect((await server.request('POST', '/offices', { name: 'Porto' })).status).toBe(201);
    socket.destroy();
    await expect.poll(() => status(PAGE, bearer(server.key)), PATIENCE).toBe(200);
  });

  it('closes the connection on which it sends more requests', async () => {
    await whileQueued(times(12, PAGE), async (socket) => {
      await once(socket.resume(), 'close');
    });
    await expect.poll(() => status(PAGE, bearer(server.key)), PATIENCE).toBe(200);
  });

  it('counts a buffer that all responses share once', async () => {
    let received = 0;
    const socket = await whileQueued(times(8, SCRIPT), async () => {
      await setTimeout(200);
      expect(await status(PAGE, bearer(server.key))).toBe(200);
    });
    socket.resume().on('data', (bytes) => {
      received += bytes.length;
    });
    await expect.poll(() => received, PATIENCE).toBeGreaterThan(3 * BYTES_MAX);
    socket.destroy();
  });

  it('is of so many requests on one connection at most, which is ended beyond', async () => {
    await whileQueued(times(PIPELINED_MAX + 1, '/healthz'), async (socket) => {
      await once(socket.resume(), 'close');
    });
    const socket = await whileQueued(times(PIPELINED_MAX, '/healthz'), async () => setTimeout(100));
    let text = '';
    socket.resume().on('data', (bytes) => {
      text += bytes.toString();
    });
    await expect.poll(() => text.split('{"status":"ok"}').length - 1, PATIENCE).toBe(PIPELINED_MAX);
    socket.destroy();
  });

  it('ends a streamed batch whose parts are more than it may leave unread', async () => {
    const names = times(20, 'offices.list').join(',');
    const inputs = Object.fromEntries(times(20, '').map((_, index) => [index, { limit: 200 }]));
    const input = encodeURIComponent(JSON.stringify(inputs));
    const batch = await server.request('GET', `/trpc/${names}?batch=1&input=${input}`, undefined, {
      'trpc-accept': 'application/jsonl',
    });
    await expect(batch.text()).rejects.toThrow();
    await expect.poll(() => status(PAGE, bearer(server.key)), PATIENCE).toBe(200);
  });
});

it('does not count responses to clients that have disconnected', async () => {
  const bytesMax = 64 * 1024;
  await using small = await startTestServer({ unreadLimits: { bytesMax }, bodyLimits: { perCallerMax: 1 } });
  const { hostname, port } = new URL(small.url);
  const head = `POST /offices HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${small.key}\r\n`;
  for (let left = 0; left < 10; left += 1) {
    const socket = connect({ host: hostname, port: Number(port) });
    const body = 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
    await new Promise<void>((resolve) => void socket.write(head + body, () => resolve()));
    await setTimeout(20);
    socket.destroy();
    // Taken only once the server has seen that the one before was left.
    const create = async () => (await small.request('POST', '/offices', { name: 'Porto' })).status;
    await expect.poll(create, PATIENCE).toBe(201);
  }
  expect((await small.request('GET', '/offices?limit=1')).status).toBe(200);
});

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTestServer, type TestServer } from '../support/index.ts';

const OFFICES = 200;
/** So that a page takes 0.93 MB. */
const BIO = 'x'.repeat(4_000);
/** Shorter than connections are kept alive without a request. */
const PATIENCE = { timeout: 40_000 };
const PAGE = '/offices?limit=200';
const SCRIPT = '/docs/js/scalar.js';

async function fill({ request }: TestServer): Promise<void> {
  const records = Array.from({ length: OFFICES }, (_, index) => ({
    name: `Office ${index}`,
    bio: BIO,
    source: { name: 'test', key: String(index) },
  }));
  expect((await request('POST', '/imports/offices', { records })).status).toBe(200);
}

/** A connection that reads nothing, with requests sent one behind the other. */
async function ask({ url, key }: TestServer, paths: string[]): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) }).pause();
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const headers = `Host: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\n${headers}`).join(''));
  return socket;
}

const times = (count: number, path: string) => Array.from({ length: count }, () => path);

describe('a client that reads nothing', () => {
  /** Longer than a busy machine keeps a client from reading. */
  const STALLED_MS = 3_000;
  const STEP = 1024 * 1024;
  let server: TestServer;
  const ended = new Set<number | undefined>();
  beforeAll(async () => {
    server = await startTestServer({
      timeouts: { stalledMs: STALLED_MS },
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
    const stalledMs = 10_000;
    await using patient = await startTestServer({ timeouts: { stalledMs } });
    await fill(patient);
    const socket = await ask(patient, times(30, PAGE));
    const { byteLength } = await (await patient.request('GET', PAGE)).arrayBuffer();
    let received = 0;
    let pauses = 0;
    for await (const chunk of socket) {
      received += (chunk as Buffer).length;
      if (received >= 30 * byteLength) break;
      for (; pauses < received / STEP; pauses += 1) await setTimeout(stalledMs / 20);
    }
    expect(received).toBeGreaterThanOrEqual(30 * byteLength);
    expect(pauses).toBeGreaterThan(20);
    socket.destroy();
  });
});

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../src/observability/logger.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

const MAX = 10;

/** A connection that has sent a request, when its response begins; undefined if the server has closed it instead. */
async function ask({ url, key }: TestServer, path: string): Promise<Socket | undefined> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  const first = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  return Buffer.isBuffer(first[0]) ? socket : undefined;
}

async function askMany(server: TestServer, count: number, path: string): Promise<(Socket | undefined)[]> {
  const sockets: (Socket | undefined)[] = [];
  for (let asked = 0; asked < count; asked += 1) sockets.push(await ask(server, path));
  return sockets;
}

it('closes a connection beyond the limit at once, says so in one line of the log, and serves again when one ends', async () => {
  const lines: { msg: string; connectionsMax?: number }[] = [];
  const log = createLogger('warn', { write: (line) => void lines.push(JSON.parse(line)) });
  await using server = await startTestServer({ connectionsMax: MAX, trustedProxies: ['127.0.0.1'], log });
  const streams = await askMany(server, MAX, '/events/stream');
  expect(streams).not.toContain(undefined);
  expect(await askMany(server, 5, '/healthz')).toEqual(Array.from({ length: 5 }));
  const said = lines.filter(({ connectionsMax }) => connectionsMax === MAX);
  expect(said).toHaveLength(1);
  streams[0]?.destroy();
  await expect.poll(async () => (await ask(server, '/healthz')) !== undefined).toBe(true);
  for (const stream of streams) stream?.destroy();
});

it('closes connections without a request to make room at the limit', async () => {
  await using server = await startTestServer({ connectionsMax: MAX, trustedProxies: ['127.0.0.1'] });
  const idle = await askMany(server, MAX, '/healthz');
  expect(idle).not.toContain(undefined);
  const ended = Promise.all(idle.map((socket) => socket && once(socket, 'close')));
  await ask(server, '/healthz');
  await ended;
  expect(await ask(server, '/healthz')).toBeDefined();
});

it('gives one address half of the connections, unless it is behind proxies', async () => {
  await using server = await startTestServer({ connectionsMax: MAX });
  const streams = await askMany(server, MAX / 2, '/events/stream');
  expect(streams).not.toContain(undefined);
  expect(await ask(server, '/healthz')).toBeUndefined();
  for (const stream of streams) stream?.destroy();
  await expect.poll(async () => (await ask(server, '/healthz')) !== undefined).toBe(true);
});

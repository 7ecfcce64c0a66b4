import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange } from '../../test/support/http/raw.ts';
import { startTestServer, type TestServer } from '../../test/support/index.ts';

const MEGABYTE = 1_024 * 1_024;
const BODY_BYTES = 256 * MEGABYTE;
const piece = Buffer.alloc(MEGABYTE, ' ');

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

function head(path: string, headers: Record<string, string | number>): string {
  const lines = Object.entries({ Host: 'x', 'Content-Type': 'application/json', ...headers });
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** Sends a body as fast as the server reads it until the connection ends; returns how many bytes were read. */
async function sendUntilClosed(socket: Socket): Promise<number> {
  let sent = 0;
  await new Promise<void>((resolve) => {
    const send = () => {
      while (sent < BODY_BYTES && !socket.destroyed) {
        sent += piece.length;
        if (!socket.write(piece)) return;
      }
      socket.destroy();
    };
    socket.on('drain', send).on('error', () => undefined);
    socket.on('close', () => resolve());
    send();
  });
  return sent;
}

describe('a body that is sent on after its request was rejected', () => {
  it.each([
    ['without a key', '/offices', { 'Content-Length': BODY_BYTES }, 401],
    ['over RPC without a key', '/trpc/offices.create', { 'Content-Length': BODY_BYTES }, 401],
    ['to a path there is not', '/nowhere', { 'Content-Length': BODY_BYTES }, 404],
    ['with more than a body may have', '/imports/agents', { 'Content-Length': BODY_BYTES, key: true }, 413],
  ])('is not read to its end: %s', async (_, path, { key, ...headers }: Record<string, unknown>, status) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const authorization = key === true ? { Authorization: `Bearer ${server.key}` } : {};
    socket.write(head(path, { ...(headers as Record<string, number>), ...authorization }));
    const sent = await sendUntilClosed(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    // What the buffers between the two hold is taken without being read.
    expect(sent).toBeLessThan(BODY_BYTES / 2);
  });

  it('does not keep a client from the response that reads it only after it has sent more', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let failure: unknown;
    socket.on('error', (error) => {
      failure = error;
    });
    socket.pause();
    socket.write(head('/offices', { 'Content-Length': BODY_BYTES }));
    for (let sent = 0; sent < 3; sent += 1) {
      socket.write(Buffer.alloc(200_000, ' '));
      await setTimeout(100);
    }
    const [answer] = failure === undefined ? await once(socket.resume(), 'data') : [];
    expect([String(answer).slice(0, 12), failure]).toEqual(['HTTP/1.1 401', undefined]);
    socket.destroy();
  });

  it('ends the connection, so that no client sends another request on it', async () => {
    const body = ' '.repeat(300_000);
    const Authorization = 'Bearer nonsense';
    const requests = Array.from({ length: 40 }, (_, index) =>
      server.request(index % 2 === 0 ? 'POST' : 'GET', '/offices', index % 2 === 0 ? body : undefined, {
        Authorization,
      }),
    );
    for (const { status, headers, url } of await Promise.all(requests)) {
      expect([url, status]).toEqual([`${server.url}/offices`, 401]);
      if (headers.has('Connection')) expect(headers.get('Connection')).toMatch(/^(close|keep-alive)$/);
    }
    const long = await server.request('POST', '/offices', body, { Authorization });
    expect([long.status, long.headers.get('Connection')]).toEqual([401, 'close']);
  });

  it('is read to its end if it is short, and the connection stays usable', async () => {
    const body = ' '.repeat(100_000);
    const next = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const request = head('/offices', { 'Content-Length': body.length });
    const answers = await exchange(server.url, request, body, next).then((response) => response.text());
    expect(answers).toContain('HTTP/1.1 200 OK');
  });
});

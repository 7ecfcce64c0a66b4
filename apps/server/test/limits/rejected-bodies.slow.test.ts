import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/index.ts';

/** Longer than a busy machine takes to answer beside eight that send all the time. */
const REQUEST_MS = 6_000;
const ENDLESS = 1_000_000_000_000;
const piece = Buffer.alloc(64 * 1024, ' ');

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ timeouts: { headersMs: 2_000, requestMs: REQUEST_MS } });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Sends a body without an end as fast as the server reads it, until the connection is closed; returns the response. */
async function sendEndlessly(path: string, headers: object): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket: Socket = connect({ host: hostname, port: Number(port) });
  const lines = Object.entries({ Host: 'a', 'Content-Type': 'application/json', ...headers });
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n`);
  let response = '';
  await new Promise<void>((resolve) => {
    const send = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('data', (bytes) => {
      response += bytes.toString();
    });
    socket.on('drain', send).on('error', () => undefined);
    socket.on('close', () => resolve());
    send();
  });
  return response;
}

describe('a body that goes on after its request was rejected', () => {
  it.each([
    ['without a key', '/offices', false, 401],
    ['over RPC without a key', '/trpc/offices.create', false, 401],
    ['to an unknown path', '/nowhere', false, 404],
    ['with more than a body may have', '/imports/agents', true, 413],
  ])('does not delay others, and is read only for as long as a request may take: %s', async (...given) => {
    const [, path, hasKey, status] = given;
    const headers = {
      'Content-Length': ENDLESS,
      ...(hasKey && { Authorization: `Bearer ${server.key}` }),
    };
    const attackers = Array.from({ length: 8 }, () => sendEndlessly(path, headers));
    let areOver = false;
    const ended = Promise.all(attackers).finally(() => {
      areOver = true;
    });
    while (!areOver) expect((await server.request('GET', '/offices')).status).toBe(200);
    for (const response of await ended) expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

it('the response to a body that is too large is read by a client that sends all of it first', async () => {
  const body = ' '.repeat(4 * 1024 * 1024);
  for (let count = 0; count < 20; count += 1)
    expect((await server.request('POST', '/offices', body)).status).toBe(413);
});

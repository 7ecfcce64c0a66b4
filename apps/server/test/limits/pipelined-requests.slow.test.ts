import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { malformedRequestHandler } from '../../src/http/hooks/malformed-requests.ts';
import { limitPipelined, stopParsingPipelined } from '../../src/http/hooks/pipelined-requests.ts';
import { PIPELINED_MAX, type ServedConnections } from '../../src/http/hooks/served-connections.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({});
});
afterAll(() => server[Symbol.asyncDispose]());

const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: roster\r\n${more}\r\n`;

/** All that the server sends on a new connection until it closes. */
async function responseTo(bytes: string, url = server.url): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(bytes);
  return text(socket);
}

const statusesIn = (responses: string) =>
  [...responses.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

it('serves as many pipelined requests as a connection may have, in their order', async () => {
  const paths = Array.from({ length: PIPELINED_MAX }, (_, n) => (n % 2 === 0 ? '/healthz' : '/nowhere'));
  const bytes = paths.map((path, n) => request(path, n === PIPELINED_MAX - 1 ? 'Connection: close\r\n' : ''));
  const statuses = statusesIn(await responseTo(bytes.join('')));
  expect(statuses).toEqual(paths.map((path) => (path === '/healthz' ? 200 : 404)));
});

it('rejects the request beyond that with 503 and Retry-After, after those before it, and closes the connection', async () => {
  const responses = await responseTo(request('/healthz').repeat(2_000));
  expect(statusesIn(responses)).toEqual([...Array(PIPELINED_MAX).fill(200), 503]);
  const last = responses.slice(responses.lastIndexOf('HTTP/1.1'));
  expect(last).toMatch(/^Connection: close\r$/im);
  expect(last).toMatch(/^Retry-After: 1\r$/im);
  expect(last).toMatch(/^Content-Type: application\/problem\+json/im);
  expect(JSON.parse(last.slice(last.indexOf('{')))).toMatchObject({ code: 'overloaded', status: 503 });
});

it('counts only requests without a response: a connection can serve any number one after the other', async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) }).setEncoding('utf8');
  let received = 0;
  for (let sent = 0; sent < 3 * PIPELINED_MAX; sent += PIPELINED_MAX / 2) {
    socket.write(request('/healthz').repeat(PIPELINED_MAX / 2));
    while (received < sent + PIPELINED_MAX / 2) {
      const [piece] = await new Promise<[string]>((resolve) =>
        socket.once('data', (data: string) => resolve([data])),
      );
      received += statusesIn(piece).length;
    }
  }
  socket.destroy();
  expect(received).toBe(3 * PIPELINED_MAX);
});

it('parses nothing behind the request that gets 503', async () => {
  const connections: ServedConnections = new WeakMap();
  let parsed = 0;
  const handle = limitPipelined((_, response) => void setTimeout(() => response.end(), 10), {
    connections,
    headers: {},
  });
  const counting = createServer((request, response) => {
    parsed += 1;
    handle(request, response);
  });
  counting.on('clientError', malformedRequestHandler({ connections, headers: {} }));
  stopParsingPipelined(counting, connections);
  counting.listen(0, '127.0.0.1');
  await once(counting, 'listening');
  const { port } = counting.address() as AddressInfo;
  const responses = await responseTo(request('/').repeat(5_000), `http://127.0.0.1:${port}`);
  expect(statusesIn(responses)).toEqual([...Array(PIPELINED_MAX).fill(200), 503]);
  expect(parsed).toBe(PIPELINED_MAX + 1);
  counting.close();
});

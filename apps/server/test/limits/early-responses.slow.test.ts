import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyWith } from '../support/auth/keys.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

const REQUEST_MS = 800;

let server: TestServer;
let reader: string;
beforeAll(async () => {
  server = await startTestServer({ timeouts: { headersMs: 300, requestMs: REQUEST_MS } });
  reader = (await keyWith(server, ['offices:read'])).secret;
});
afterAll(() => server[Symbol.asyncDispose]());

interface Received {
  text: string;
  statuses: number[];
}

/** In place of a piece: the next one is sent once a response has begun. */
const RESPONSE = Symbol('response');

/** Sends pieces with some time between them, keeps its side open, and reads until the server sends no more. */
async function receive(url: string, ...pieces: (string | typeof RESPONSE)[]): Promise<Received> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let text = '';
  socket.on('data', (bytes) => (text += bytes.toString())).on('error', () => undefined);
  const ended = once(socket, 'end');
  for (const piece of pieces) {
    if (piece === RESPONSE) await expect.poll(() => text).not.toBe('');
    else socket.write(piece);
    await setTimeout(20);
  }
  await ended;
  socket.destroy();
  return { text, statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)) };
}

const headOf = (line: string, headers: Record<string, string | undefined>) => {
  const all = { Host: 'a', 'Content-Type': 'application/json', 'Content-Length': '100', ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${value}`,
  );
  return `${[`${line} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`;
};

const KEY = 'Bearer KEY';
const early: [status: number, what: string, line: string, headers: Record<string, string | undefined>][] = [
  [400, 'a repeated header', 'POST /offices', { Authorization: KEY, host: 'b' }],
  [400, 'a GET with a body', 'GET /offices', { Authorization: KEY }],
  [400, 'a path that cannot be decoded', 'POST /offices/%ff', { Authorization: KEY }],
  [401, 'no key', 'POST /offices', {}],
  [401, 'no key, by RPC', 'POST /trpc/offices.create', {}],
  [403, 'a foreign Host, by MCP', 'POST /mcp', {}],
  [403, 'no right', 'POST /offices', { Authorization: 'Bearer READER' }],
  [404, 'an unknown path', 'POST /nowhere', { Authorization: KEY }],
  [405, 'a wrong method', 'PATCH /offices', { Authorization: KEY }],
  [413, 'too large a body', 'POST /offices', { Authorization: KEY, 'Content-Length': '1000000000' }],
  [414, 'too long a URL', `POST /offices?q=${'x'.repeat(10_001)}`, { Authorization: KEY }],
  [415, 'a wrong type', 'POST /offices', { Authorization: KEY, 'Content-Type': 'text/plain' }],
  [415, 'a wrong coding', 'POST /offices', { Authorization: KEY, 'Content-Encoding': 'lzma' }],
  [
    422,
    'a wrong parameter of a file',
    'POST /imports/offices/file?mode=none',
    { Authorization: KEY, 'Content-Type': 'text/csv' },
  ],
];

describe('a request that is rejected before its body has arrived gets one response, which closes the connection', () => {
  it.each(early)('%i: %s', async (status, _, line, headers) => {
    const head = headOf(line, headers).replace('KEY', server.key).replace('READER', reader);
    const attempts = [[head], [head, '{'], [`${head}{`]].map((pieces) => receive(server.url, ...pieces));
    for (const { text, statuses } of await Promise.all(attempts)) {
      expect(statuses, text).toEqual([status]);
      expect(text).toMatch(/^Connection: close\r$/im);
    }
  });

  it('503: the server is overloaded', async () => {
    await using busy = await startTestServer({
      requestsMax: 0,
      timeouts: { headersMs: 300, requestMs: REQUEST_MS },
    });
    const { statuses } = await receive(
      busy.url,
      headOf('POST /offices', { Authorization: `Bearer ${busy.key}` }),
      '{',
    );
    expect(statuses).toEqual([503]);
  });

  it('408: the body arrives too slowly', async () => {
    const head = headOf('POST /offices', { Authorization: `Bearer ${server.key}` });
    const { text, statuses } = await receive(server.url, head, '{');
    expect(statuses).toEqual([408]);
    expect(text).toMatch(/^Connection: close\r$/im);
  });

  it('400: the body cannot be parsed as chunks', async () => {
    const headers = {
      Authorization: `Bearer ${server.key}`,
      'Content-Length': undefined,
      'Transfer-Encoding': 'chunked',
    };
    for (const key of [server.key, 'none']) {
      const head = headOf('POST /offices', { ...headers, Authorization: `Bearer ${key}` });
      const { statuses } = await receive(server.url, head, 'no chunk\r\n');
      expect(statuses).toEqual([key === 'none' ? 401 : 400]);
    }
  });
});

it('serves no request that follows such a body', async () => {
  const body = JSON.stringify({ name: 'Behind' });
  const next = headOf('POST /offices', {
    Authorization: `Bearer ${server.key}`,
    'Content-Length': String(body.length),
  });
  const { statuses } = await receive(
    server.url,
    headOf('POST /nowhere', {}),
    RESPONSE,
    `${'x'.repeat(100)}${next}${body}`,
  );
  expect(statuses).toEqual([404]);
  expect(await (await server.request('GET', '/offices?q=Behind')).json()).toMatchObject({ items: [] });
});

it('keeps the connection if the body arrived with its headers', async () => {
  const { statuses } = await receive(
    server.url,
    `${headOf('POST /nowhere', {})}${'x'.repeat(100)}`,
    headOf('GET /healthz', { 'Content-Length': undefined, Connection: 'close' }),
  );
  expect(statuses).toEqual([404, 200]);
});

it('what cannot be parsed behind a request gets 400 after the response to that request', async () => {
  const get = headOf('GET /offices', { Authorization: `Bearer ${server.key}`, 'Content-Length': undefined });
  const { statuses } = await receive(server.url, `${get}${get}nonsense\r\n\r\n`);
  expect(statuses).toEqual([200, 200, 400]);
});

it.each(['Host: b', 'Authorization: Bearer other', 'Content-Type: text/plain'])(
  'two lines of a header that can have one value are 400: %s',
  async (line) => {
    const head = headOf('GET /offices', {
      Authorization: `Bearer ${server.key}`,
      'Content-Length': undefined,
      Connection: 'close',
    });
    const { text, statuses } = await receive(server.url, head.replace('\r\n\r\n', `\r\n${line}\r\n\r\n`));
    expect(statuses).toEqual([400]);
    expect(text).toContain(`The header ${line.split(':')[0]?.toLowerCase()} was sent twice.`);
  },
);

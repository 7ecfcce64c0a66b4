import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange } from '../support/http/raw.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { requestsThatWait, whileLocked } from '../support/locks.ts';

const PUBLIC_URL = 'https://roster.example';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ publicUrl: PUBLIC_URL, requestsMax: 1 });
});
afterAll(() => server[Symbol.asyncDispose]());

const ofHttps = (headers: Headers) => [
  headers.get('Strict-Transport-Security'),
  headers.get('Cross-Origin-Opener-Policy'),
];
const both = ['max-age=31536000', 'same-origin'];

describe('with an https public URL every response says to come back over https and to keep other windows away', () => {
  it.each([
    ['GET', '/', 303],
    ['GET', '/offices', 200],
    ['OPTIONS', '/offices', 204],
    ['DELETE', '/offices', 405],
    ['GET', '/offices?limit=x', 400],
    ['GET', '/offices/x', 400],
    ['GET', '/nowhere', 404],
    ['GET', '/%zz', 400],
    ['GET', '/trpc/offices.get', 400],
    ['GET', '/reso/$metadata', 200],
    ['GET', '/sign-in/methods', 200],
    ['GET', '/sign-in/link?token=x', 400],
    ['GET', '/openapi.json', 200],
    ['GET', '/docs/', 200],
    ['GET', '/readyz', 200],
    ['GET', '/events/stream', 200],
  ])('%s %s', async (method, path, status) => {
    const { url, key } = server;
    const leaving = new AbortController();
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}` },
      redirect: 'manual',
      signal: leaving.signal,
    });
    leaving.abort();
    expect(response.status).toBe(status);
    expect(ofHttps(response.headers)).toEqual(both);
  });

  it.each([
    ['a message that is no HTTP', 'nonsense\r\n\r\n', 400],
    ['another version of HTTP', 'GET / HTTP/1.3\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['too many headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('to %s', async (_, message, status) => {
    const { status: sent, headers } = await exchange(server.url, message);
    expect(sent).toBe(status);
    expect(ofHttps(headers)).toEqual(both);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  });

  it('to headers that take too long', async () => {
    const timeouts = { headersMs: 300, requestMs: 600 };
    await using hasty = await startTestServer({ publicUrl: PUBLIC_URL, timeouts });
    const { status, headers } = await exchange(hasty.url, 'GET / HTTP/1.1\r\nHost: a\r\n');
    expect(status).toBe(408);
    expect(ofHttps(headers)).toEqual(both);
  });

  it('to a request beyond the concurrency limit', async () => {
    const rejected = await whileLocked(server, async () => {
      void server.request('GET', '/offices').catch(() => undefined);
      await expect.poll(() => requestsThatWait(server.database.db)).toBe(1);
      return server.request('GET', '/agents');
    });
    expect(rejected.status).toBe(503);
    expect(ofHttps(rejected.headers)).toEqual(both);
  });
});

it.each([
  ['a public URL of http', 'http://127.0.0.1:3000', [null, null]],
  ['none', undefined, [null, null]],
  [
    'one of this computer, whose other programs browsers would apply it to',
    'https://localhost:8443',
    [null, 'same-origin'],
  ],
])('with %s the first of them is not sent', async (_, publicUrl, expected) => {
  await using other = await startTestServer({ publicUrl });
  expect(ofHttps((await other.request('GET', '/offices')).headers)).toEqual(expected);
});

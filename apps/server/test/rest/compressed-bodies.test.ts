import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/observability/logger.ts';
import { imported, upload } from '../support/file-imports.ts';
import { bodyOf } from '../support/fixtures.ts';
import { beginRequest, chunk, LAST_CHUNK } from '../support/http/partial-request.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

const logged: string[] = [];
let server: TestServer;
beforeAll(async () => {
  const log = createLogger('error', { write: (line) => void logged.push(line) });
  server = await startTestServer({ log });
});
afterAll(() => server[Symbol.asyncDispose]());

const compress = { zstd: zstdCompressSync, gzip: gzipSync, deflate: deflateSync };
type Coding = keyof typeof compress;
const codings = Object.keys(compress) as Coding[];

const post = (body: Uint8Array, coding: Coding) =>
  server.request('POST', '/offices', body, { 'Content-Encoding': coding });
const coded = (coding: Coding) => ({
  path: '/imports/offices/file?mode=write',
  headers: { 'Content-Encoding': coding },
});

describe.each(['zstd', 'gzip'] as const)('a %s body', (coding) => {
  it('is all of its frames, or members', async () => {
    const body = Buffer.concat(['{"name":', '"Two"', '}'].map((part) => compress[coding](part)));
    const response = await post(body, coding);
    expect(response.status).toBe(201);
    expect(await bodyOf(response)).toMatchObject({ name: 'Two' });
  });

  it('of a file is that too, wherever they end in the pieces that arrive', async () => {
    const rows = Array.from({ length: 1_500 }, (_, row) => {
      const noise = createHash('sha256').update(String(row)).digest('hex');
      return `Office ${row},${noise.repeat(1 + (row % 7))}\n`;
    });
    const parts = ['name,bio\n', ...rows].map((part) => compress[coding](part));
    const { total, created } = await imported(server, Buffer.concat(parts), coded(coding));
    expect({ total, created }).toEqual({ total: 1_500, created: 1_500 });
  });
});

describe.each(codings)('a %s body is rejected, as a file too,', (coding) => {
  const json = compress[coding]('{"name":"Kept"}');
  const file = compress[coding]('name\nKept\n');
  const more = { deflate: file, zstd: undefined, gzip: undefined }[coding];
  it.each([
    ['that is cut off', (body: Buffer) => body.subarray(0, -3)],
    ['that is not of its coding', () => Buffer.from('name\nPlain\n')],
    ['with text after it', (body: Buffer) => Buffer.concat([body, Buffer.from('more')])],
    ['with one byte after it', (body: Buffer) => Buffer.concat([body, Buffer.from('m')])],
    ['with a zero byte and more after it', (body: Buffer) => Buffer.concat([body, Buffer.from('\0more')])],
    ['with another stream after it', (body: Buffer) => Buffer.concat([body, more ?? Buffer.from('x')])],
  ])('%s', async (_, change) => {
    await expectProblem(await post(change(json), coding), 'bad_request');
    await expectProblem(await upload(server, change(file), coded(coding)), 'bad_request');
    expect(logged).toEqual([]);
  });
});

describe.each([
  ['/offices', 'application/json'],
  ['/imports/offices/file', 'text/csv'],
  ['/trpc/offices.create', 'application/json'],
])('a body to %s that is found not to be of its coding before it ends', (path, type) => {
  const wrong = 'this is no gzip';
  /** A request whose body begins with what is no gzip. */
  const begun = (header: string) => {
    const of = [`Authorization: Bearer ${server.key}`, `Content-Type: ${type}`, 'Content-Encoding: gzip'];
    return [`POST ${path} HTTP/1.1`, 'Host: a', ...of, header, '', ''].join('\r\n');
  };

  it('is rejected and read to its end, and its connection serves no other request', async () => {
    const port = Number(new URL(server.url).port);
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const ended = once(socket, 'end');
    let received = '';
    socket.on('data', (data) => {
      received += data.toString();
    });
    socket.write(begun('Content-Length: 200000') + wrong);
    await expect.poll(() => received).toMatch(/^HTTP\/1\.1 400 /);
    socket.write(`${'x'.repeat(200_000 - wrong.length)}GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n`);
    await ended;
    socket.destroy();
    expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

describe.each(['/offices', '/trpc/offices.create'])('a body to %s that is too large', (path) => {
  const plain = ' '.repeat(300_000);
  const gzip = gzipSync(' '.repeat(64 * 1024 * 1024));
  const ofLength = (length: number) => ({ 'Content-Length': String(length) });
  it.each([
    ['plain, by its Content-Length', ofLength(plain.length), '', plain],
    ['plain, by the bytes that have arrived', {}, chunk(plain), `${chunk('more')}${LAST_CHUNK}`],
    ['gzip, by its Content-Length', { 'Content-Encoding': 'gzip', ...ofLength(plain.length) }, '', plain],
    [
      'gzip, by the bytes that it decompresses to',
      { 'Content-Encoding': 'gzip', ...ofLength(gzip.length) },
      gzip.subarray(0, gzip.length / 2),
      gzip.subarray(gzip.length / 2),
    ],
  ])('gets 413 before it ends, and its connection serves no other request: %s', async (...row) => {
    const [, headers, begin, rest] = row;
    using request = await beginRequest(server.url, { path, key: server.key, headers });
    request.send(begin);
    expect(await request.status()).toBe(413);
    let next = '';
    request.socket.on('data', (data) => {
      next += data.toString();
    });
    request.send(rest);
    request.send('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => request.isClosed()).toBe(true);
    expect(next).not.toContain('HTTP/1.1');
  });
});

it('a br body is 415, with a key too', async () => {
  const body = brotliCompressSync('{"name":"Packed"}');
  const response = await server.request('POST', '/offices', body, { 'Content-Encoding': 'br' });
  expect(response.headers.get('Accept-Encoding')).toBe('zstd, gzip, deflate, identity');
  await expectProblem(response, 'unsupported_media_type');
});

describe.each(['gzip', 'br'])('a %s body without a key', (coding) => {
  const body = coding === 'gzip' ? gzipSync('{"nope":1}') : brotliCompressSync('{"nope":1}');
  const send = (path: string, type: string) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': type, 'Content-Encoding': coding },
      body: new Uint8Array(body),
    });

  it.each([
    '/sign-in/key',
    '/sign-in/links',
    '/sign-in/token',
    '/sign-in/device',
    '/sign-in/device/token',
    '/sign-in/passkey/begin',
    '/sign-in/passkey',
    '/sign-in/new-passkey',
    '/sign-in/invitation/open',
    '/sign-in/invitation/begin',
    '/sign-in/invitation',
    '/sign-out',
    '/sign-out/back-channel',
  ])('is 415, and never decoded: %s', async (path) => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      const response = await send(path, type);
      expect([response.status, response.headers.get('Accept-Encoding')]).toEqual([415, 'identity']);
    }
  });

  it.each(['/offices', '/imports/offices/file', '/trpc/offices.create', '/mcp', '/reso/Office'])(
    'is 401, and never decoded: %s',
    async (path) => {
      expect((await send(path, 'application/json')).status).toBe(401);
    },
  );
});

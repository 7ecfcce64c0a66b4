import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/observability/logger.ts';
import { problemOf } from '../support/calls.ts';
import { imported, upload } from '../support/file-imports.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { beginRequest, chunk, LAST_CHUNK } from '../support/http/partial-request.ts';
import { exchange } from '../support/http/raw.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

const logged: string[] = [];
let server: TestServer;
beforeAll(async () => {
  const log = createLogger('error', { write: (line) => void logged.push(line) });
  server = await startTestServer({ log });
});
afterAll(() => server[Symbol.asyncDispose]());

const post = (body: unknown, type?: string) =>
  server.request('POST', '/offices', body, type === undefined ? {} : { 'Content-Type': type });

describe('a body is read', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON',
  ])('as %s', async (type) => {
    const response = await post({ name: 'Αθήνα' }, type);
    expect(response.status).toBe(201);
    expect((await bodyOf(response)).name).toBe('Αθήνα');
  });

  it('up to 256 KiB and not a byte more', async () => {
    const padded = (length: number) => `{"name":"x"${' '.repeat(length - 12)}}`;
    expect((await post(padded(256 * 1024))).status).toBe(201);
    await expectProblem(await post(padded(256 * 1024 + 1)), 'payload_too_large');
  });

  it('after a byte order mark, which RFC 8259 lets a reader ignore', async () => {
    for (const path of ['/offices', '/trpc/offices.create'])
      expect((await server.request('POST', path, '\ufeff{"name":"x"}')).ok).toBe(true);
  });

  it('with escapes for characters beyond the basic plane', async () => {
    const response = await post('{"name":"\\ud83c\\udfe0"}');
    expect((await bodyOf(response)).name).toBe('🏠');
  });
});

describe('a body is rejected', () => {
  it.each([
    ['is cut off', '{"name":'],
    ['is no JSON', 'name=x'],
    ['has a comma too many', '{"name":"x",}'],
    ['has a second value', '{"name":"x"}{}'],
    ['is only blank', '   '],
    ['has NaN', '{"name":NaN}'],
    ['has a bare control character in a text', '{"name":"a\nb"}'],
  ])('when it %s: 400', async (_, body) => {
    await expectProblem(await post(body), 'invalid_json');
  });

  it.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a cut-off sequence', [0xe2, 0x82]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
    ['Latin-1', [0xe9]],
  ])('when it is not UTF-8, as a URL that is not: 400, by RPC as by REST: %s', async (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]);
    await expectProblem(await server.request('POST', '/offices', new Uint8Array(body)), 'invalid_json');
    for (const path of ['/trpc/offices.create', '/trpc/offices.create?batch=1', '/trpc/imports.offices']) {
      const byRpc = await server.request('POST', path, new Uint8Array(body));
      expect([path, byRpc.status, (await problemOf(byRpc)).code]).toEqual([path, 400, 'invalid_json']);
    }
    const escaped = bytes.map((byte) => `%${byte.toString(16)}`).join('');
    for (const path of ['/offices?q=', '/trpc/offices.list?input=%7B%22q%22%3A%22']) {
      const response = await server.request('GET', `${path}${escaped}`);
      expect([path, response.status]).toEqual([path, 400]);
    }
  });

  it.each(['[]', '"x"', '5', 'true', 'null', '[{"name":"x"}]'])('when it is %s: 422', async (body) => {
    await expectProblem(await post(body), 'validation_failed');
  });

  it('when it holds NUL: 422', async () => {
    const fault = { pointer: '#/name', code: 'invalid_character' };
    await expectFault(await post('{"name":"a\\u0000b"}'), 'validation_failed', fault);
  });

  it.each(['\\ud800', '\\udc00', 'a\\udbff', '\\udc00\\ud800'])(
    'when it holds the lone surrogate %s: 422',
    async (escaped) => {
      const faults = ['name', 'bio', 'address/city', 'source/key', 'metadata/key', 'licenses/0/number'];
      const text = `"${escaped}"`;
      const body = `{"name":${text},"bio":${text},"address":{"city":${text}},"source":{"name":"s","key":${text}},
      "metadata":{"key":${text}},"licenses":[{"number":${text}}]}`;
      const { errors } = await expectProblem(await post(body), 'validation_failed');
      expect(errors?.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual(
        faults.map((fault) => `#/${fault} invalid_character`).sort(),
      );
    },
  );

  it('when a name in its metadata is no Unicode, as a place that can be read', async () => {
    const response = await post('{"name":"x","metadata":{"\\ud800":"y"}}');
    const { errors = [] } = await expectProblem(response, 'validation_failed');
    expect(errors.map(({ code }) => code)).toEqual(['invalid_character']);
  });

  it('when an unknown field has a name that is no Unicode: 422', async () => {
    const { errors = [] } = await expectProblem(
      await post('{"name":"x","\\ud800":"y"}'),
      'validation_failed',
    );
    expect(errors.map(({ code }) => code)).toEqual(['unknown_field']);
  });

  it('with 422 if any value is nested ten thousand deep', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const deepObject = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    for (const value of [deep, deepObject]) {
      await expectProblem(await post(`{"name":${value}}`), 'validation_failed');
      await expectProblem(await post(`{"name":"x","unknown":${value}}`), 'validation_failed');
      await expectProblem(await post(`{"name":"x","metadata":{"a":${value}}}`), 'validation_failed');
    }
    await expectProblem(await post(deep), 'validation_failed');
  });

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml', 'x'])(
    'as %s: 415',
    async (type) => {
      await expectProblem(await post('{"name":"x"}', type), 'unsupported_media_type');
    },
  );

  it('without a Content-Type: 415', async () => {
    const body = new TextEncoder().encode('{"name":"x"}');
    const response = await server.request('POST', '/offices', body, { 'Content-Type': '' });
    await expectProblem(response, 'unsupported_media_type');
  });
});

describe('no body', () => {
  it.each([undefined, 'application/json'])('is a missing field to POST (Content-Type %s)', async (type) => {
    const fault = { pointer: '#/name', code: 'required' };
    await expectFault(await post(type && '', type), 'validation_failed', fault);
  });

  it('is no patch: 400', async () => {
    const { id } = await directoryOf(server).office();
    for (const type of [{}, { 'Content-Type': 'application/merge-patch+json' }])
      await expectProblem(await server.request('PATCH', `/offices/${id}`, undefined, type), 'invalid_json');
    expect((await directoryOf(server).get('offices', id)).version).toBe(1);
    expect((await server.request('PATCH', `/offices/${id}`, {})).status).toBe(200);
  });
});

describe('a body', () => {
  it.each(['gzip', 'GZIP', 'x-gzip', 'X-Gzip', ' gzip '])(
    'is decoded whatever way its coding is written: %j',
    async (coding) => {
      const body = new Uint8Array(gzipSync('{"name":"Packed"}'));
      for (const path of ['/offices', '/trpc/offices.create']) {
        const response = await server.request('POST', path, body, { 'Content-Encoding': coding });
        expect([path, response.ok]).toEqual([path, true]);
      }
    },
  );

  it('of a type that is not taken is 415 with the types that are', async () => {
    const { id } = await directoryOf(server).office();
    const text = { 'Content-Type': 'text/plain' };
    const post = await server.request('POST', '/offices', 'x', text);
    expect([post.headers.get('Accept-Post'), post.headers.get('Accept-Encoding')]).toEqual([
      'application/json',
      null,
    ]);
    await expectProblem(post, 'unsupported_media_type');
    const patch = await server.request('PATCH', `/offices/${id}`, 'x', text);
    expect(patch.headers.get('Accept-Patch')).toBe('application/merge-patch+json, application/json');
    await expectProblem(patch, 'unsupported_media_type');
    const put = await server.request('PUT', `/offices/${id}/deactivate`, 'x', text);
    expect(put.headers.get('Accept')).toBe('application/json');
    await expectProblem(put, 'unsupported_media_type');
    const byRpc = await server.request('POST', '/trpc/offices.create', 'x', text);
    expect([byRpc.status, byRpc.headers.get('Accept-Post')]).toEqual([415, 'application/json']);
  });

  it('is a merge patch only of a PATCH, as the document says', async () => {
    const { id } = await directoryOf(server).office();
    const type = { 'Content-Type': 'application/merge-patch+json' };
    expect((await server.request('PATCH', `/offices/${id}`, { bio: 'x' }, type)).status).toBe(200);
    await expectProblem(
      await server.request('POST', '/offices', { name: 'x' }, type),
      'unsupported_media_type',
    );
    await expectProblem(
      await server.request('PUT', `/offices/${id}/deactivate`, {}, type),
      'unsupported_media_type',
    );
  });

  it('that is wrong leaves the connection open', async () => {
    const bad = ['POST /offices HTTP/1.1', 'Host: a', `Authorization: Bearer ${server.key}`];
    bad.push('Content-Type: application/json', 'Content-Length: 2', '', '{,');
    const result = await exchange(
      server.url,
      bad.join('\r\n') + ['GET /healthz HTTP/1.1', 'Host: a', 'Connection: close', '', ''].join('\r\n'),
    );
    expect([result.status, result.headers.get('Connection')]).toEqual([400, null]);
    expect(await result.text()).toContain('HTTP/1.1 200 OK');
  });
});

it('a body is continued that waits for 100 Continue', async () => {
  const headers = {
    Authorization: `Bearer ${server.key}`,
    'Content-Type': 'application/json',
    'Content-Length': 12,
    Expect: '100-continue',
  };
  const asking = httpRequest(`${server.url}/offices`, { method: 'POST', headers, agent: false });
  asking.flushHeaders();
  await once(asking, 'continue');
  asking.end('{"name":"x"}');
  const [result] = (await once(asking, 'response')) as [IncomingMessage];
  result.resume();
  expect(result.statusCode).toBe(201);
});

const compress = { zstd: zstdCompressSync, gzip: gzipSync, deflate: deflateSync };
type Coding = keyof typeof compress;
const codings = Object.keys(compress) as Coding[];

const postAs = (body: Uint8Array, coding: Coding) =>
  server.request('POST', '/offices', body, { 'Content-Encoding': coding });
const coded = (coding: Coding) => ({
  path: '/imports/offices/file?mode=write',
  headers: { 'Content-Encoding': coding },
});

describe.each(['zstd', 'gzip'] as const)('a %s body', (coding) => {
  it('is all of its frames, or members', async () => {
    const body = Buffer.concat(['{"name":', '"Two"', '}'].map((part) => compress[coding](part)));
    const response = await postAs(body, coding);
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
    await expectProblem(await postAs(change(json), coding), 'bad_request');
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

it.each(['br', 'lzma'])(
  'a %s body is 415 with the supported codings, and without media types',
  async (coding) => {
    const body = brotliCompressSync('{"name":"Packed"}');
    const response = await server.request('POST', '/offices', body, { 'Content-Encoding': coding });
    expect(response.headers.get('Accept-Encoding')).toBe('zstd, gzip, deflate, identity');
    expect(response.headers.has('Accept-Post')).toBe(false);
    await expectProblem(response, 'unsupported_media_type');
  },
);

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
    '/sign-in/email/begin',
    '/sign-in/email',
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

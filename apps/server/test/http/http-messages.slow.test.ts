import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, problemOf } from '../support/calls.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { exchange } from '../support/http/raw.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

let server: TestServer;
let office: string;
beforeAll(async () => {
  server = await startTestServer();
  office = (await directoryOf(server).office()).id;
});
afterAll(() => server[Symbol.asyncDispose]());

/** A request by hand, after which the server ends the connection. */
const raw = (lines: string[], body = '') =>
  exchange(
    server.url,
    [...lines, `Authorization: Bearer ${server.key}`, 'Connection: close', '', body].join('\r\n'),
  );

describe('methods and targets', () => {
  it.each(['FROBNICATE', 'get', 'X-Y'])('an unknown method is 400: %s', async (method) => {
    await expectProblem(await raw([`${method} /offices HTTP/1.1`, 'Host: a']), 'bad_request');
  });

  it('OPTIONS * returns the methods of the whole service', async () => {
    const result = await raw(['OPTIONS * HTTP/1.1', 'Host: a']);
    expect([result.status, result.headers.get('Allow')]).toEqual([
      204,
      'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
    ]);
  });

  it('OPTIONS returns the media types that PATCH and POST accept', async () => {
    const ofOne = await server.request('OPTIONS', `/offices/${office}`);
    expect(ofOne.headers.get('Accept-Patch')).toBe('application/merge-patch+json, application/json');
    expect(ofOne.headers.has('Accept-Post')).toBe(false);
    for (const path of ['/offices', '/trpc/offices.create'])
      expect((await server.request('OPTIONS', path)).headers.get('Accept-Post')).toBe('application/json');
  });

  it.each([10_001, 16_000])('a URL of %i characters is 414', async (length) => {
    const path = `/offices?q=${'x'.repeat(length)}`;
    await expectProblem(await raw([`GET ${path} HTTP/1.1`, 'Host: a']), 'uri_too_long');
  });

  it('a URL beyond the bytes of all headers is 431', async () => {
    const path = `/offices?q=${'x'.repeat(60_000)}`;
    await expectProblem(await raw([`GET ${path} HTTP/1.1`, 'Host: a']), 'headers_too_large');
  });

  it('headers of 17,000 characters are 431, whatever the URL', async () => {
    for (const path of ['/healthz', `/offices?q=${'x'.repeat(5_000)}`]) {
      const result = await raw([`GET ${path} HTTP/1.1`, 'Host: a', `X-Much: ${'x'.repeat(17_000)}`]);
      await expectProblem(result, 'headers_too_large');
    }
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

  it('with an unknown coding is 415 with the supported codings, and without media types', async () => {
    const response = await server.request('POST', '/offices', '{}', { 'Content-Encoding': 'lzma' });
    expect(response.headers.get('Accept-Encoding')).toBe('zstd, gzip, deflate, identity');
    expect(response.headers.has('Accept-Post')).toBe(false);
    await expectProblem(response, 'unsupported_media_type');
  });

  it('of a type that is not taken is 415 with the types that are', async () => {
    const text = { 'Content-Type': 'text/plain' };
    const post = await server.request('POST', '/offices', 'x', text);
    expect([post.headers.get('Accept-Post'), post.headers.get('Accept-Encoding')]).toEqual([
      'application/json',
      null,
    ]);
    await expectProblem(post, 'unsupported_media_type');
    const patch = await server.request('PATCH', `/offices/${office}`, 'x', text);
    expect(patch.headers.get('Accept-Patch')).toBe('application/merge-patch+json, application/json');
    await expectProblem(patch, 'unsupported_media_type');
    const put = await server.request('PUT', `/offices/${office}/deactivate`, 'x', text);
    expect(put.headers.get('Accept')).toBe('application/json');
    await expectProblem(put, 'unsupported_media_type');
    const byRpc = await server.request('POST', '/trpc/offices.create', 'x', text);
    expect([byRpc.status, byRpc.headers.get('Accept-Post')]).toEqual([415, 'application/json']);
  });

  it('is a merge patch only of a PATCH, as the document says', async () => {
    const type = { 'Content-Type': 'application/merge-patch+json' };
    expect((await server.request('PATCH', `/offices/${office}`, { bio: 'x' }, type)).status).toBe(200);
    await expectProblem(
      await server.request('POST', '/offices', { name: 'x' }, type),
      'unsupported_media_type',
    );
    await expectProblem(
      await server.request('PUT', `/offices/${office}/deactivate`, {}, type),
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

it('limit takes whole numbers up to its maximum, and rejects others, of any length, with its name', async () => {
  expect((await server.request('GET', '/offices?limit=200')).status).toBe(200);
  for (const limit of ['201', '9999999999999999', '1'.repeat(300)]) {
    const detail = 'limit must be at most 200.';
    const inUrl = await expectProblem(
      await server.request('GET', `/offices?limit=${limit}`),
      'invalid_parameter',
    );
    expect(inUrl.detail).toBe(detail);
    const problem = await problemOf(await call(server, ['offices.list', { limit: Number(limit) }]));
    expect(problem).toMatchObject({ code: 'invalid_parameter', detail });
  }
  for (const limit of ['-9999999999999999', '1.5', '1e3'])
    await expectProblem(await server.request('GET', `/offices?limit=${limit}`), 'invalid_parameter');
});

it('the challenge differs between an invalid key and none (RFC 6750, section 3.1)', async () => {
  const challenge = async (Authorization: string) => {
    const response = await server.request('GET', '/offices', undefined, { Authorization });
    await expectProblem(response, 'unauthenticated');
    return response.headers.get('WWW-Authenticate');
  };
  expect(await challenge('')).toBe('Bearer realm="Roster"');
  expect(await challenge('Basic YTpi')).toBe('Bearer realm="Roster"');
  for (const sent of ['Bearer nonsense', 'bearer a b'])
    expect(await challenge(sent)).toBe('Bearer realm="Roster", error="invalid_token"');
});

it('a Last-Event-ID that cannot be read is named as the header it is', async () => {
  const response = await server.request('GET', '/events/stream', undefined, { 'Last-Event-ID': 'x' });
  expect((await bodyOf<{ detail: string }>(response.clone())).detail).toContain('Last-Event-ID');
  await expectFault(response, 'invalid_parameter', { parameter: 'Last-Event-ID', code: 'invalid_format' });
});

it('JSON has the same Content-Type whatever its length and origin', async () => {
  const long = (await directoryOf(server).office({ bio: 'ã'.repeat(4_000) })).id;
  const json = 'application/json; charset=utf-8';
  for (const path of [`/offices/${office}`, `/offices/${long}`, '/healthz', '/openapi.json'])
    expect((await server.request('GET', path)).headers.get('Content-Type'), path).toBe(json);
  for (const id of [office, long])
    expect((await call(server, ['offices.get', { id }])).headers.get('Content-Type')).toBe(json);
});

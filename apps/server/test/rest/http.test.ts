import { operations, type Problem } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, problemOf } from '../support/calls.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { exchange } from '../support/http/raw.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { pathFor } from '../support/inputs.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

let server: TestServer;
let office: string;
beforeAll(async () => {
  server = await startTestServer();
  office = (await directoryOf(server).office()).id;
});
afterAll(() => server[Symbol.asyncDispose]());

const UNKNOWN_ID = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

/** A request by hand, after which the server is to end the connection. */
const raw = (line: string, ...headers: string[]) =>
  exchange(
    server.url,
    [line, 'Host: a', `Authorization: Bearer ${server.key}`, 'Connection: close', ...headers, '', ''].join(
      '\r\n',
    ),
  );

it('an absolute target is its path, and OPTIONS * is of the whole service', async () => {
  expect((await raw('GET http://a:80/offices?limit=1 HTTP/1.1')).status).toBe(200);
  const ofAll = await raw('OPTIONS * HTTP/1.1');
  expect([ofAll.status, ofAll.headers.get('Allow')]).toEqual([
    204,
    'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
  ]);
});

it.each([
  ['one', 'two'],
  ['one', 'one'],
  ['"one"', ''],
])('two Idempotency-Keys are rejected: %s and %s', async (first, second) => {
  const body = JSON.stringify({ name: 'Not created' });
  const response = await exchange(
    server.url,
    [
      'POST /offices HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${server.key}`,
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `Idempotency-Key: ${first}`,
      `Idempotency-Key: ${second}`,
      '',
      body,
    ].join('\r\n'),
  );
  await expectFault(response, 'invalid_parameter', {
    parameter: 'Idempotency-Key',
    code: 'repeated',
  });
});

it('a path is the same with any of its unreserved characters percent-encoded', async () => {
  const { id } = await directoryOf(server).office();
  const encoded = (text: string) =>
    [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
  for (const path of ['/%6fffices', `/${encoded('offices')}`, `/offices/${encoded(id)}`])
    expect((await server.request('GET', path)).status, path).toBe(200);
  // What is reserved stays what it is.
  await expectProblem(await server.request('GET', '/offices%2F'), 'no_such_route');
});

it.each([
  ['/offices/', '/offices'],
  ['//agents', '/agents'],
  ['/office', '/offices'],
  ['/Offices', '/offices'],
  [`/agent/${UNKNOWN_ID}`, `/agents/${UNKNOWN_ID}`],
])('the error of %s names %s', async (path, meant) => {
  const problem = await expectProblem(await server.request('GET', path), 'no_such_route');
  expect(problem.detail).toMatch(new RegExp(`Did you mean ${meant}\\?$`));
});

it('the error of a path that resembles none names none', async () => {
  const problem = await expectProblem(await server.request('GET', '/houses'), 'no_such_route');
  expect(problem.detail).toBe('There is nothing at /houses.');
});

it('the error of a key in X-Api-Key names the header that is read', async () => {
  const response = await fetch(`${server.url}/offices`, { headers: { 'X-Api-Key': server.key } });
  const { detail } = await expectProblem(response, 'unauthenticated');
  expect(detail).toBe('X-Api-Key is not read. Send the key as "Authorization: Bearer <key>".');
});

describe('an unknown path', () => {
  it.each([
    '/office',
    '/offices/',
    '/offices//',
    '/OFFICES',
    '/trpc',
    '/offices/../agents/x/y',
    `/offices/${UNKNOWN_ID}/`,
    '/offices/a/b/c',
    '/v1/offices',
    '//offices',
    '/Offices',
  ])('%s is 404', async (path) => {
    await expectProblem(await raw(`GET ${path} HTTP/1.1`), 'no_such_route');
  });

  it('is 404 whatever its body and method', async () => {
    await expectProblem(
      await server.request('POST', '/nothing', 'x', { 'Content-Type': 'text/plain' }),
      'no_such_route',
    );
    await expectProblem(await server.request('OPTIONS', '/nothing'), 'no_such_route');
  });
});

describe('the request id', () => {
  it('is the one that the client sent if it is safe', async () => {
    const response = await server.request('GET', '/offices', undefined, { 'X-Request-Id': 'req-7f3a:1/2' });
    expect(response.headers.get('X-Request-Id')).toBe('req-7f3a:1/2');
    const rejected = await server.request('GET', '/none', undefined, { 'X-Request-Id': 'x'.repeat(128) });
    expect((await expectProblem(rejected, 'no_such_route')).requestId).toBe('x'.repeat(128));
  });

  it.each(['a b', 'a"b', '<b>', 'x'.repeat(129), 'é'])('is a new one in place of %j', async (sent) => {
    const response = await server.request('GET', '/offices', undefined, { 'X-Request-Id': sent });
    expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a malformed request line', () => {
  it.each([
    ['a URL that cannot be parsed', 'GET http://[ HTTP/1.1'],
    ['a path with a lone percent sign', 'GET /offices/% HTTP/1.1'],
    ['a path with half an encoding', 'GET /offices/%e4%b HTTP/1.1'],
    ['a path that is not UTF-8', 'GET /offices/%ff HTTP/1.1'],
    ['a query with a lone percent sign', 'GET /offices?q=100% HTTP/1.1'],
    ['a query that is not UTF-8', 'GET /offices?q=%c3%28 HTTP/1.1'],
    ['a name in the query that is not UTF-8', 'GET /offices?%ff=1 HTTP/1.1'],
    ['a version of HTTP that is none', 'GET /offices HTTP/9.9'],
    ['no HTTP at all', 'hello'],
  ])('%s is 400, and the service goes on', async (_, line) => {
    await expectProblem(await raw(line), 'bad_request');
    expect((await server.request('GET', '/healthz')).status).toBe(200);
  });

  it('two different lengths of one body are 400', async () => {
    await expectProblem(
      await raw('POST /offices HTTP/1.1', 'Content-Length: 2', 'Content-Length: 3'),
      'bad_request',
    );
  });

  it('an encoded slash or an encoded id in a path is part of the id', async () => {
    const { id } = await directoryOf(server).office();
    const encoded = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
    expect((await bodyOf(await server.request('GET', `/offices/${encoded}`))).id).toBe(id);
    await expectFault(await server.request('GET', '/offices/a%2Fb'), 'invalid_parameter', {
      parameter: 'id',
      code: 'invalid_format',
    });
  });

  it('an id in capitals names the same record', async () => {
    const { id } = await directoryOf(server).agent();
    expect((await bodyOf(await server.request('GET', `/agents/${id.toUpperCase()}`))).id).toBe(id);
  });
});

describe('a name with a meaning in JavaScript', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__', 'prototype'])(
    'is an unknown parameter as ?%s=1',
    async (name) => {
      const fault = { parameter: name, code: 'unknown_parameter' };
      await expectFault(await server.request('GET', `/offices?${name}=1`), 'invalid_parameter', fault);
      await expectFault(
        await server.request('GET', `/agents/${UNKNOWN_ID}?${name}=1`),
        'invalid_parameter',
        fault,
      );
      await expectFault(
        await server.request('PATCH', `/agents/${UNKNOWN_ID}?${name}=1`, {}),
        'invalid_parameter',
        fault,
      );
    },
  );
});

describe('parameters', () => {
  it('beside a body are rejected, never ignored', async () => {
    const fault = { parameter: 'name', code: 'unknown_parameter' };
    await expectFault(
      await server.request('POST', '/offices?name=x', { name: 'y' }),
      'invalid_parameter',
      fault,
    );
  });

  it.each([
    ['/offices?cty=Lisboa', 'cty', 'city'],
    ['/agents?limit=0&officeid=x', 'officeid', 'officeId'],
    ['/events?typs=office.created', 'typs', 'types'],
    ['/events/stream?typs=office.created', 'typs', 'types'],
    [`/offices/${UNKNOWN_ID}/history?limt=1`, 'limt', 'limit'],
  ])(
    'that are misspelt are answered with the nearest one that the operation has: %s',
    async (path, typed, meant) => {
      const { detail, errors } = await bodyOf<Problem>(await server.request('GET', path));
      expect(detail).toMatch(new RegExp(` Did you mean ${meant}\\?$`));
      expect(errors?.find(({ parameter }) => parameter === typed)).toEqual({
        parameter: typed,
        code: 'unknown_parameter',
        detail: `is not a parameter of this operation (did you mean ${meant}?)`,
      });
    },
  );

  it('that are like none of the operation are answered without a suggestion', async () => {
    for (const name of ['page', 'x', 'direction', 'l'.repeat(1000)]) {
      const { detail } = await bodyOf<Problem>(await server.request('GET', `/offices?${name}=1`));
      expect(detail).not.toContain('Did you mean');
    }
  });

  it('of a path must be UUIDs', async () => {
    const fault = { parameter: 'id', code: 'invalid_format' };
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['PATCH', ''],
      ['PUT', '/deactivate'],
    ] as const) {
      const body = method === 'PATCH' ? {} : undefined;
      await expectFault(await server.request(method, `/agents/17${path}`, body), 'invalid_parameter', fault);
    }
  });
});

describe('methods and targets', () => {
  it('OPTIONS and 405 name the methods of the path', async () => {
    const byPath = Map.groupBy(operations, (operation) => pathFor(operation, UNKNOWN_ID));
    for (const [path, those] of byPath) {
      const methods = those.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      const allowed = [...methods, 'OPTIONS'].sort().join(', ');
      const asked = await server.request('OPTIONS', path, undefined, { Authorization: '' });
      expect([path, asked.status, asked.headers.get('Allow')]).toEqual([path, 204, allowed]);
      const rejected = await server.request('PROPFIND', path);
      expect([path, rejected.headers.get('Allow')]).toEqual([path, allowed]);
      const { detail } = await expectProblem(rejected, 'method_not_allowed');
      expect(detail).toBe(`PROPFIND is not a method of ${path}, which has ${allowed}.`);
    }
    const rpc = await server.request('OPTIONS', '/trpc/offices.list');
    expect(rpc.headers.get('Allow')).toBe('GET, HEAD, OPTIONS, POST');
    expect((await server.request('DELETE', '/trpc/offices.list')).status).toBe(405);
  });

  it('a URL holds 10,000 characters and no more', async () => {
    const path = (length: number) => `/offices?q=${'x'.repeat(length - '/offices?q='.length)}`;
    expect((await server.request('GET', path(10_000))).status).toBe(400);
    await expectProblem(await server.request('GET', path(10_001)), 'uri_too_long');
  });

  it.each(['FROBNICATE', 'get', 'X-Y'])('an unknown method is 400: %s', async (method) => {
    await expectProblem(await raw(`${method} /offices HTTP/1.1`), 'bad_request');
  });

  it('OPTIONS returns the media types that PATCH and POST accept', async () => {
    const ofOne = await server.request('OPTIONS', `/offices/${office}`);
    expect(ofOne.headers.get('Accept-Patch')).toBe('application/merge-patch+json, application/json');
    expect(ofOne.headers.has('Accept-Post')).toBe(false);
    for (const path of ['/offices', '/trpc/offices.create'])
      expect((await server.request('OPTIONS', path)).headers.get('Accept-Post')).toBe('application/json');
  });

  it('a URL beyond the bytes of all headers is 431', async () => {
    const path = `/offices?q=${'x'.repeat(60_000)}`;
    await expectProblem(await raw(`GET ${path} HTTP/1.1`), 'headers_too_large');
  });

  it('headers hold 16 kB: 17,000 characters are 431, whatever the URL', async () => {
    expect((await raw('GET /healthz HTTP/1.1', `X-Much: ${'x'.repeat(15_000)}`)).status).toBe(200);
    for (const path of ['/healthz', `/offices?q=${'x'.repeat(5_000)}`]) {
      const result = await raw(`GET ${path} HTTP/1.1`, `X-Much: ${'x'.repeat(17_000)}`);
      await expectProblem(result, 'headers_too_large');
    }
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

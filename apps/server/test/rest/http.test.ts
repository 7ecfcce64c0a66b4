import type { Problem } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { exchange } from '../support/http/raw.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
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

const ofOne = ['GET', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'];
const paths: Record<string, string[]> = {
  '/offices': ['GET', 'HEAD', 'POST', 'OPTIONS'],
  '/agents': ['GET', 'HEAD', 'POST', 'OPTIONS'],
  [`/offices/${UNKNOWN_ID}`]: ofOne,
  [`/agents/${UNKNOWN_ID}`]: ofOne,
  [`/offices/${UNKNOWN_ID}/deactivate`]: ['PUT', 'OPTIONS'],
  [`/offices/${UNKNOWN_ID}/reactivate`]: ['PUT', 'OPTIONS'],
  [`/offices/${UNKNOWN_ID}/restore`]: ['PUT', 'OPTIONS'],
  [`/agents/${UNKNOWN_ID}/deactivate`]: ['PUT', 'OPTIONS'],
  [`/agents/${UNKNOWN_ID}/reactivate`]: ['PUT', 'OPTIONS'],
  [`/agents/${UNKNOWN_ID}/restore`]: ['PUT', 'OPTIONS'],
};

it('an absolute target is its path, and OPTIONS * is of the whole service', async () => {
  expect((await raw('GET http://a:80/offices?limit=1 HTTP/1.1')).status).toBe(200);
  expect((await raw('OPTIONS * HTTP/1.1')).status).toBe(204);
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

describe.each(Object.entries(paths))('%s', (path, allowed) => {
  const isAllowList = (response: Response) =>
    expect(response.headers.get('Allow')?.split(', ').sort()).toEqual([...allowed].sort());

  it('returns its methods for OPTIONS', async () => {
    const response = await server.request('OPTIONS', path);
    expect(response.status).toBe(204);
    isAllowList(response);
  });

  it('rejects every other method with the same list', async () => {
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allowed.includes(method));
    expect(others.length).toBeGreaterThan(1);
    for (const method of others) {
      const response = await server.request(method, path);
      isAllowList(response);
      const { detail } = await expectProblem(response, 'method_not_allowed');
      expect(detail).toBe(
        `${method} is not a method of ${path}, which has ${response.headers.get('Allow')}.`,
      );
    }
  });
});

describe('an unknown path', () => {
  it.each([
    '/office',
    '/offices/',
    `/offices/${UNKNOWN_ID}/`,
    '/offices/a/b/c',
    '/v1/offices',
    '//offices',
    '/Offices',
  ])('%s is 404', async (path) => {
    await expectProblem(await server.request('GET', path), 'no_such_route');
  });

  it('is 404 whatever its body and method', async () => {
    await expectProblem(
      await server.request('POST', '/nothing', 'x', { 'Content-Type': 'text/plain' }),
      'no_such_route',
    );
    await expectProblem(await server.request('OPTIONS', '/nothing'), 'no_such_route');
  });
});

describe('HEAD', () => {
  it('returns the headers of GET without the body', async () => {
    const { id } = await directoryOf(server).office();
    for (const path of [`/offices/${id}`, '/offices?limit=1', `/offices/${UNKNOWN_ID}`, '/offices?limit=0']) {
      const [head, get] = await Promise.all([server.request('HEAD', path), server.request('GET', path)]);
      expect(head.status).toBe(get.status);
      expect(await head.text()).toBe('');
      for (const name of ['ETag', 'Link', 'Content-Type'])
        expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  it('is 304 if GET is', async () => {
    const { id } = await directoryOf(server).office();
    const response = await server.request('HEAD', `/offices/${id}`, undefined, { 'If-None-Match': '"1"' });
    expect(response.status).toBe(304);
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

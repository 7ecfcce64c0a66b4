import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, problemOf } from '../support/calls.ts';
import { directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** An office of version 2, large enough to be compressed. */
async function office(): Promise<string> {
  const { id } = await directoryOf(server).office({ bio: 'long '.repeat(500) });
  await directoryOf(server).patch('offices', id, { phone: '+351210000001' });
  return id;
}

const versionOf = async (id: string) => (await directoryOf(server).get('offices', id)).version;

describe('If-None-Match on a change', () => {
  const changes = [
    ['PATCH', '', { fax: '+351210000002' }],
    ['PATCH', '', {}],
    ['PUT', '/deactivate', {}],
    ['DELETE', '', undefined],
  ] as const;

  it.each(['"2"', 'W/"2"', '"1", "2"', '"2-gzip"', '*', ', ,"2", ', '"1",,\t,"2"'])(
    'is 412 without a change if it names the version: %s',
    async (tags) => {
      const id = await office();
      for (const [method, transition, body] of changes) {
        const response = await server.request(method, `/offices/${id}${transition}`, body, {
          'If-None-Match': tags,
        });
        expect(response.headers.get('ETag')).toBe('"2"');
        expect((await expectProblem(response, 'version_conflict')).currentVersion).toBe(2);
      }
      const byRpc = await call(server, ['offices.update', { id, fax: '+351210000002' }], {
        'If-None-Match': tags,
      });
      expect((await problemOf(byRpc)).code).toBe('version_conflict');
      expect(await versionOf(id)).toBe(2);
    },
  );

  it('allows the change if it names other versions', async () => {
    const id = await office();
    for (const [method, transition, body] of changes) {
      const response = await server.request(method, `/offices/${id}${transition}`, body, {
        'If-None-Match': '"1", "77"',
      });
      expect([method, response.ok]).toEqual([method, true]);
    }
  });

  it('holds beside If-Match', async () => {
    const id = await office();
    const patch = (headers: Record<string, string>) =>
      server.request('PATCH', `/offices/${id}`, { fax: '+351210000003' }, headers);
    await expectProblem(await patch({ 'If-Match': '"2"', 'If-None-Match': '"2"' }), 'version_conflict');
    await expectProblem(await patch({ 'If-Match': '*', 'If-None-Match': '"2"' }), 'version_conflict');
    await expectProblem(await patch({ 'If-Match': '"1"', 'If-None-Match': '"7"' }), 'version_conflict');
    expect((await patch({ 'If-Match': '"2"', 'If-None-Match': '"1"' })).status).toBe(200);
  });

  it('is 400 if it is malformed, and 404 for a record that does not exist', async () => {
    const id = await office();
    const patch = (one: string, tags: string) =>
      server.request('PATCH', `/offices/${one}`, { fax: '+351210000003' }, { 'If-None-Match': tags });
    await expectFault(await patch(id, 'x'), 'invalid_parameter', {
      parameter: 'If-None-Match',
      code: 'invalid_format',
    });
    await expectProblem(await patch('01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11', '*'), 'not_found');
  });

  it('does not replace the version that a change must name if that is required', async () => {
    await using strict = await startTestServer({ isVersionRequired: true });
    const { id } = await directoryOf(strict).office();
    const response = await strict.request(
      'PATCH',
      `/offices/${id}`,
      { fax: '+351210000001' },
      { 'If-None-Match': '"7"' },
    );
    await expectProblem(response, 'version_required');
  });
});

describe('If-Match on a read', () => {
  const read = (id: string, method: string, headers: Record<string, string>) =>
    server.request(method, `/offices/${id}`, undefined, headers);

  it.each(['"1"', 'W/"2"', '"1", "3"', '"22"'])(
    'is 412 if it does not name the version: %s',
    async (tags) => {
      const id = await office();
      await expectProblem(await read(id, 'GET', { 'If-Match': tags }), 'version_conflict');
      const head = await read(id, 'HEAD', { 'If-Match': tags });
      expect([head.status, head.headers.get('ETag')]).toEqual([412, '"2"']);
    },
  );

  it.each(['"2"', '"1", "2"', '"2-br"', '*', ',"2"', '"1",, "2",'])(
    'returns the record if it names the version: %s',
    async (tags) => {
      const id = await office();
      for (const method of ['GET', 'HEAD'])
        expect((await read(id, method, { 'If-Match': tags })).status).toBe(200);
    },
  );

  it('is evaluated before If-None-Match, and is 400 if it is malformed', async () => {
    const id = await office();
    const both = { 'If-Match': '"1"', 'If-None-Match': '"2"' };
    await expectProblem(await read(id, 'GET', both), 'version_conflict');
    for (const tags of ['x', ',', '"2" "3"', '"2",*', `${', '.repeat(2_000)}x`])
      await expectProblem(await read(id, 'GET', { 'If-Match': tags }), 'invalid_parameter');
  });
});

/** A response as it was received, still compressed. */
async function sentAs(method: string, path: string, headers: Record<string, string>) {
  const own = { Authorization: `Bearer ${server.key}`, ...headers };
  const asking = httpRequest(`${server.url}${path}`, { method, headers: own, agent: false }).end();
  const [result] = (await once(asking, 'response')) as [IncomingMessage];
  const body = Buffer.concat(await result.toArray());
  return { status: result.statusCode, headers: result.headers, body };
}

describe.each(['identity', 'gzip', 'br', 'deflate'])('a record as %s', (coding) => {
  const accepting = { 'Accept-Encoding': coding };

  it('has a strong tag of its own, which is good in every condition', async () => {
    const id = await office();
    const path = `/offices/${id}`;
    const { headers } = await sentAs('GET', path, accepting);
    const tag = coding === 'identity' ? '"2"' : `"2-${coding}"`;
    expect([headers.etag, headers['content-encoding']]).toEqual([
      tag,
      coding === 'identity' ? undefined : coding,
    ]);
    for (const other of ['identity', 'gzip', 'br']) {
      const again = await sentAs('GET', path, { 'Accept-Encoding': other, 'If-None-Match': tag });
      // The tag of the 200 with the same Accept-Encoding.
      const { headers: full } = await sentAs('GET', path, { 'Accept-Encoding': other });
      expect([again.status, again.headers.etag, again.body.length]).toEqual([304, full.etag, 0]);
    }
    const stale = await server.request(
      'PATCH',
      path,
      { fax: '+351210000001' },
      { 'If-Match': tag.replace('2', '1') },
    );
    await expectProblem(stale, 'version_conflict');
    expect((await server.request('PATCH', path, { fax: '+351210000001' }, { 'If-Match': tag })).status).toBe(
      200,
    );
  });

  it('has the same Vary on 200, 304, HEAD and errors', async () => {
    const path = `/offices/${await office()}`;
    const responses = [
      await sentAs('GET', path, accepting),
      await sentAs('HEAD', path, accepting),
      await sentAs('GET', path, { ...accepting, 'If-None-Match': '*' }),
      await sentAs('GET', '/offices?limit=1', accepting),
      await sentAs('GET', '/offices/x', accepting),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 304, 200, 400]);
    for (const { headers } of responses) expect(headers.vary).toBe('accept-encoding, Authorization, Cookie');
  });

  it('has the headers of GET for HEAD, its length too', async () => {
    const large = await directoryOf(server).office({ bio: 'x y '.repeat(900), website: 'https://a.example' });
    // Without a body there is nothing to send in chunks.
    const passing = ['date', 'x-request-id', 'transfer-encoding'];
    for (const path of [
      `/offices/${await office()}`,
      `/offices/${large.id}`,
      '/offices?limit=2',
      '/offices?limit=200',
    ]) {
      const told = async (method: string) => {
        const { headers } = await sentAs(method, path, accepting);
        return Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.includes(name)));
      };
      expect(await told('HEAD'), path).toEqual(await told('GET'));
    }
  });
});

it('other responses vary by the coding too', async () => {
  for (const path of ['/healthz', '/openapi.json', '/docs/errors', '/nowhere', '/trpc/offices.list?input={}'])
    expect((await sentAs('GET', path, {})).headers.vary, path).toMatch(/accept-encoding/);
});

import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Agent, Office } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, dataOf, problemOf } from '../support/calls.ts';
import { bodyOf, collections, directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

let server: TestServer;
/** A server on the same database that requires the version of every change. */
let strict: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  strict = await startTestServer({ isVersionRequired: true, database: server.database, connection: {} });
});
afterAll(async () => {
  await strict[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const UNKNOWN_ID = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

const ifMatch = (tags: string) => ({ 'If-Match': tags });
const ifNoneMatch = (tags: string) => ({ 'If-None-Match': tags });

/** A new office that has been changed, so that its version is 2. */
async function officeOfVersion2(fields: Record<string, unknown> = {}): Promise<Office> {
  const { id } = await directoryOf(server).office(fields);
  return directoryOf(server).patch('offices', id, { phone: '+351210000001' });
}

const patch = (id: string, headers: Record<string, string>, body: object = { fax: '+351210000002' }) =>
  server.request('PATCH', `/offices/${id}`, body, headers);

/** Expects the error of a change to another version than the record has: with the current version and its ETag. */
async function expectConflict(response: Response, currentVersion: number): Promise<void> {
  expect(response.headers.get('ETag')).toBe(`"${currentVersion}"`);
  expect((await expectProblem(response, 'version_conflict')).currentVersion).toBe(currentVersion);
}

const changes = [
  ['PATCH', '', { fax: '+351210000002' }],
  ['PATCH', '', {}],
  ['PUT', '/deactivate', {}],
  ['DELETE', '', undefined],
] as const;

it('the ETag of a record is strong, its version, and on every response with the record', async () => {
  const created = await server.request('POST', '/offices', { name: 'Tagged' });
  expect(created.headers.get('ETag')).toBe('"1"');
  const { id } = await bodyOf<Office>(created);
  const steps = [
    ['GET', '', '"1"'],
    ['PATCH', '', '"2"'],
    ['PUT', '/deactivate', '"3"'],
    ['PUT', '/deactivate', '"3"'],
    ['PUT', '/reactivate', '"4"'],
    ['HEAD', '', '"4"'],
  ] as const;
  for (const [method, transition, tag] of steps) {
    const body = method === 'PATCH' ? { bio: 'x' } : undefined;
    const response = await server.request(method, `/offices/${id}${transition}`, body);
    expect(response.headers.get('ETag'), `${method} ${transition}`).toBe(tag);
    if (method !== 'HEAD') expect((await bodyOf<Office>(response)).version).toBe(Number(tag.slice(1, -1)));
  }
});

describe('If-Match on a change', () => {
  it.each(['"2"', '"1", "2"', '"2","9"', '  "x" ,\t"2"  ', '*', ' * '])(
    'allows it if it names the version: %s',
    async (tags) => {
      const { id } = await officeOfVersion2();
      const response = await patch(id, ifMatch(tags));
      expect([response.status, response.headers.get('ETag')]).toEqual([200, '"3"']);
    },
  );

  it.each([
    ['another version', '"1"'],
    ['other versions', '"1", "3", "22"'],
    ['a weak tag, which never matches', 'W/"2"'],
    ['weak tags beside others', 'W/"2", "1"'],
    ['tags that are not ours', '"abc", "", "2a"'],
    ['a tag that only reads as the same number', '"02"'],
    ['a number beyond all versions', '"99999999999999999999", "9999999999"'],
    ['a tag that holds ours', '"\'2\'", "2,2"'],
  ])('is 412 without a change if it names %s', async (_, tags) => {
    const office = await officeOfVersion2();
    for (const [method, transition, body] of changes)
      await expectConflict(
        await server.request(method, `/offices/${office.id}${transition}`, body, ifMatch(tags)),
        2,
      );
    expect(await directoryOf(server).get('offices', office.id)).toEqual(office);
  });

  it.each(['2', '"2', '2"', '"2" "2"', ',', 'w/"2"', 'W/2', '*, "2"', '"2"\u00a0x', ''])(
    'is malformed as %j',
    async (tags) => {
      const { id } = await officeOfVersion2();
      const fault = { parameter: 'If-Match', code: 'invalid_format' };
      await expectFault(await patch(id, ifMatch(tags)), 'invalid_parameter', fault);
      const byRpc = await call(server, ['offices.update', { id, bio: 'x' }], ifMatch(tags));
      expect((await problemOf(byRpc)).code).toBe('invalid_parameter');
    },
  );

  it('is not evaluated by a transition to the current state', async () => {
    const { id } = await officeOfVersion2();
    const inPlace = await server.request('PUT', `/offices/${id}/reactivate`, undefined, ifMatch('"1"'));
    expect([inPlace.status, inPlace.headers.get('ETag')]).toEqual([200, '"2"']);
    await directoryOf(server).put('offices', id, 'deactivate');
    const again = await server.request('PUT', `/offices/${id}/deactivate`, undefined, ifMatch('"1"'));
    expect([again.status, again.headers.get('ETag')]).toEqual([200, '"3"']);
  });

  it('guards the reactivation, the deletion and the restoration of an inactive record', async () => {
    const { id } = await officeOfVersion2();
    await directoryOf(server).put('offices', id, 'deactivate');
    const send = (method: string, transition: string, tag: string) =>
      server.request(method, `/offices/${id}${transition}`, undefined, ifMatch(tag));
    await expectConflict(await send('PUT', '/reactivate', '"2"'), 3);
    await expectConflict(await send('DELETE', '', '"2"'), 3);
    expect((await send('DELETE', '', '"3"')).status).toBe(204);
    for (const tags of ['*', '"3"']) await expectProblem(await patch(id, ifMatch(tags)), 'not_found');
    await expectConflict(await send('PUT', '/restore', '"2"'), 3);
    const restored = await send('PUT', '/restore', '"3"');
    expect([restored.status, restored.headers.get('ETag')]).toEqual([200, '"4"']);
  });

  it('guards the deactivation of an office with its agents as one', async () => {
    const { id } = await officeOfVersion2();
    const agent = await directoryOf(server).agent({ officeId: id });
    const path = `/offices/${id}/deactivate`;
    await expectConflict(await server.request('PUT', path, { cascade: true }, ifMatch('"1"')), 2);
    const { status, version } = await directoryOf(server).get('agents', agent.id);
    expect([status, version]).toEqual(['active', 1]);
  });

  it('accepts the change of one of 50 clients with the same ETag, and rejects the other 49 with a conflict', async () => {
    const { id } = await officeOfVersion2();
    const racers = Array.from({ length: 50 }, (_, index) =>
      (index % 2 ? strict : server).request(
        'PATCH',
        `/offices/${id}`,
        { bio: `racer ${index}` },
        ifMatch('"2"'),
      ),
    );
    const responses = await Promise.all(racers);
    const winners = responses.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    for (const response of responses) if (response.status !== 200) await expectConflict(response, 3);
    const [winner] = winners;
    expect(await directoryOf(server).get('offices', id)).toEqual(winner && (await winner.json()));
  });
});

describe('If-None-Match on a change', () => {
  it.each(['"2"', 'W/"2"', '"1", "2"', '"2-gzip"', '*', ', ,"2", ', '"1",,\t,"2"'])(
    'is 412 without a change if it names the version: %s',
    async (tags) => {
      const { id } = await officeOfVersion2();
      for (const [method, transition, body] of changes)
        await expectConflict(
          await server.request(method, `/offices/${id}${transition}`, body, ifNoneMatch(tags)),
          2,
        );
      const input = { id, fax: '+351210000002' };
      const byRpc = await call(server, ['offices.update', input], ifNoneMatch(tags));
      expect((await problemOf(byRpc)).code).toBe('version_conflict');
      expect((await directoryOf(server).get('offices', id)).version).toBe(2);
    },
  );

  it('allows the change if it names other versions', async () => {
    const { id } = await officeOfVersion2();
    for (const [method, transition, body] of changes) {
      const tags = ifNoneMatch('"1", "77"');
      const response = await server.request(method, `/offices/${id}${transition}`, body, tags);
      expect([method, response.ok]).toEqual([method, true]);
    }
  });

  it('holds beside If-Match', async () => {
    const { id } = await officeOfVersion2();
    const both = (match: string, noneMatch: string) =>
      patch(id, { ...ifMatch(match), ...ifNoneMatch(noneMatch) });
    await expectProblem(await both('"2"', '"2"'), 'version_conflict');
    await expectProblem(await both('*', '"2"'), 'version_conflict');
    await expectProblem(await both('"1"', '"7"'), 'version_conflict');
    expect((await both('"2"', '"1"')).status).toBe(200);
  });

  it('is 400 if it is malformed, and 404 for a record that does not exist', async () => {
    const { id } = await officeOfVersion2();
    const fault = { parameter: 'If-None-Match', code: 'invalid_format' };
    await expectFault(await patch(id, ifNoneMatch('x')), 'invalid_parameter', fault);
    await expectProblem(await patch(UNKNOWN_ID, ifNoneMatch('*')), 'not_found');
  });
});

describe.each(collections)('If-None-Match on a read of one of %s', (collection) => {
  const ofVersion2 = async () => {
    const { id } = await directoryOf(server).create(collection);
    return directoryOf(server).patch(collection, id, { mlsId: 'x' });
  };
  const read = (id: string, tags: string, method = 'GET') =>
    server.request(method, `/${collection}/${id}`, undefined, ifNoneMatch(tags));

  it.each(['"2"', 'W/"2"', '"1", "2"', 'W/"1",W/"2"', '"x" , W/"2","3"', '*', ' * '])(
    'is 304 without a body if it names the version: %s',
    async (tags) => {
      const { id } = await ofVersion2();
      for (const method of ['GET', 'HEAD']) {
        const response = await read(id, tags, method);
        expect([response.status, await response.text()]).toEqual([304, '']);
        expect(response.headers.get('ETag')).toBe('"2"');
        expect(response.headers.get('Cache-Control')).toBe('private, no-cache');
      }
    },
  );

  it.each(['"1"', '"22"', '"02"', '"a2"', '2', '"2', 'W/2', '"a*"', 'nonsense', ''])(
    'returns the record if it does not: %s',
    async (tags) => {
      const { id } = await ofVersion2();
      const response = await read(id, tags);
      expect([response.status, (await bodyOf(response)).version]).toEqual([200, 2]);
    },
  );

  it('is 404, not 304, for a record that was deleted or never existed', async () => {
    const { id } = await ofVersion2();
    await directoryOf(server).remove(collection, id);
    for (const one of [id, UNKNOWN_ID]) await expectProblem(await read(one, '*'), 'not_found');
  });
});

describe('If-Match on a read', () => {
  const read = (id: string, method: string, headers: Record<string, string>) =>
    server.request(method, `/offices/${id}`, undefined, headers);

  it.each(['"1"', 'W/"2"', '"1", "3"', '"22"'])(
    'is 412 if it does not name the version: %s',
    async (tags) => {
      const { id } = await officeOfVersion2();
      await expectProblem(await read(id, 'GET', ifMatch(tags)), 'version_conflict');
      const head = await read(id, 'HEAD', ifMatch(tags));
      expect([head.status, head.headers.get('ETag')]).toEqual([412, '"2"']);
    },
  );

  it.each(['"2"', '"1", "2"', '"2-br"', '*', ',"2"', '"1",, "2",'])(
    'returns the record if it names the version: %s',
    async (tags) => {
      const { id } = await officeOfVersion2();
      for (const method of ['GET', 'HEAD']) expect((await read(id, method, ifMatch(tags))).status).toBe(200);
    },
  );

  it('is evaluated before If-None-Match, and is 400 if it is malformed', async () => {
    const { id } = await officeOfVersion2();
    const both = { ...ifMatch('"1"'), ...ifNoneMatch('"2"') };
    await expectProblem(await read(id, 'GET', both), 'version_conflict');
    for (const tags of ['x', ',', '"2" "3"', '"2",*', `${', '.repeat(2_000)}x`])
      await expectProblem(await read(id, 'GET', ifMatch(tags)), 'invalid_parameter');
  });
});

describe('ifVersion over RPC', () => {
  it.each([
    ['update', { bio: 'by RPC' }],
    ['deactivate', {}],
    ['delete', {}],
  ] as const)('guards %s as If-Match does over REST', async (operation, input) => {
    const { id } = await officeOfVersion2();
    const rejected = await call(server, [`offices.${operation}`, { id, ...input, ifVersion: 1 }]);
    expect([rejected.status, rejected.headers.get('ETag')]).toEqual([412, '"2"']);
    expect(await problemOf(rejected)).toMatchObject({ code: 'version_conflict', currentVersion: 2 });
    expect((await call(server, [`offices.${operation}`, { id, ...input, ifVersion: 2 }])).status).toBe(200);
  });

  it('guards agents alike', async () => {
    const { id } = await directoryOf(server).agent();
    const rejected = await call(server, ['agents.update', { id, bio: 'x', ifVersion: 7 }]);
    expect(await problemOf(rejected)).toMatchObject({ code: 'version_conflict', currentVersion: 1 });
    const changed = await call(server, ['agents.update', { id, bio: 'x', ifVersion: 1 }]);
    expect((await dataOf<Agent>(changed)).version).toBe(2);
  });

  it.each([0, -1, 1.5, '2', null])('must be a version: %j', async (ifVersion) => {
    const { id } = await officeOfVersion2();
    const problem = await problemOf(await call(server, ['offices.update', { id, ifVersion }]));
    expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '#/ifVersion' }] });
  });

  it('returns a conflict, not an internal error, for a version beyond all versions', async () => {
    const { id } = await officeOfVersion2();
    const input = { id, bio: 'x', ifVersion: Number.MAX_SAFE_INTEGER };
    expect((await problemOf(await call(server, ['offices.update', input]))).code).toBe('version_conflict');
  });

  it.each([[ifMatch('"99"')], [ifMatch('W/"1"')], [ifNoneMatch('"1"')], [ifNoneMatch('*')]])(
    'does not replace a header, which must hold too: %o',
    async (headers) => {
      const { id } = await directoryOf(server).office();
      const input = { id, ifVersion: 1, bio: 'Written' };
      const problem = await problemOf(await call(server, ['offices.update', input], headers));
      expect(problem).toMatchObject({ code: 'version_conflict', currentVersion: 1 });
      expect(await directoryOf(server).get('offices', id)).toMatchObject({ version: 1, bio: null });
    },
  );

  it.each([[ifMatch('"1", "2"')], [ifMatch('*')], [ifNoneMatch('"2"')]])(
    'allows the change beside a header that holds: %o',
    async (headers) => {
      const { id } = await directoryOf(server).office();
      const response = await call(server, ['offices.update', { id, ifVersion: 1, bio: 'Written' }], headers);
      expect(await dataOf(response)).toMatchObject({ version: 2, bio: 'Written' });
    },
  );

  it('is rejected by REST in the body and in the query, because If-Match carries it', async () => {
    const { id } = await officeOfVersion2();
    const inBody = await patch(id, {}, { ifVersion: 2, bio: 'x' });
    await expectFault(inBody, 'validation_failed', { pointer: '#/ifVersion', code: 'unknown_field' });
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? {} : undefined;
      const inQuery = await server.request(method, `/offices/${id}?ifVersion=2`, body);
      await expectFault(inQuery, 'invalid_parameter', { parameter: 'ifVersion', code: 'unknown_parameter' });
    }
    expect((await directoryOf(server).get('offices', id)).version).toBe(2);
  });
});

describe('a service that requires versions', () => {
  it.each([
    ['PATCH', '', { bio: 'x' }],
    ['PUT', '/deactivate', undefined],
    ['PUT', '/reactivate', undefined],
    ['DELETE', '', undefined],
  ] as const)(
    'rejects %s %s without a version, and accepts it with If-Match',
    async (method, transition, body) => {
      const { id } = await officeOfVersion2();
      if (transition === '/reactivate') await directoryOf(server).put('offices', id, 'deactivate');
      const path = `/offices/${id}${transition}`;
      for (const headers of [{}, ifNoneMatch('"7"')])
        await expectProblem(await strict.request(method, path, body, headers), 'version_required');
      expect((await strict.request(method, path, body, ifMatch('*'))).ok).toBe(true);
    },
  );

  it('rejects RPC without ifVersion, and accepts it with one', async () => {
    const { id } = await officeOfVersion2();
    const without = await call(strict, ['offices.update', { id, bio: 'x' }]);
    expect(await problemOf(without)).toMatchObject({ code: 'version_required', status: 428 });
    expect((await call(strict, ['offices.update', { id, bio: 'x', ifVersion: 2 }])).status).toBe(200);
  });

  it('does not require a version for creates, reads or restores', async () => {
    const created = await strict.request('POST', '/offices', { name: 'New' });
    expect(created.status).toBe(201);
    const { id } = await bodyOf<Office>(created);
    expect((await strict.request('GET', `/offices/${id}`)).status).toBe(200);
    await directoryOf(server).remove('offices', id);
    expect((await strict.request('PUT', `/offices/${id}/restore`)).status).toBe(200);
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
  /** Is compressed. */
  const large = { bio: 'x y '.repeat(900), website: 'https://a.example' };
  const accepting = { 'Accept-Encoding': coding };

  it('has a strong tag of its own, which is good in every condition', async () => {
    const { id } = await officeOfVersion2(large);
    const path = `/offices/${id}`;
    const { headers } = await sentAs('GET', path, accepting);
    const isPlain = coding === 'identity';
    const tag = isPlain ? '"2"' : `"2-${coding}"`;
    expect([headers.etag, headers['content-encoding']]).toEqual([tag, isPlain ? undefined : coding]);
    for (const other of ['identity', 'gzip', 'br']) {
      const again = await sentAs('GET', path, { 'Accept-Encoding': other, 'If-None-Match': tag });
      // The tag of the 200 with the same Accept-Encoding.
      const { headers: full } = await sentAs('GET', path, { 'Accept-Encoding': other });
      expect([again.status, again.headers.etag, again.body.length]).toEqual([304, full.etag, 0]);
    }
    await expectProblem(await patch(id, ifMatch(tag.replace('2', '1'))), 'version_conflict');
    expect((await patch(id, ifMatch(tag))).status).toBe(200);
  });

  it('has the same Vary on 200, 304, HEAD and errors', async () => {
    const path = `/offices/${(await officeOfVersion2(large)).id}`;
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
    const { id } = await officeOfVersion2(large);
    // Without a body there is nothing to send in chunks.
    const passing = ['date', 'x-request-id', 'transfer-encoding'];
    for (const path of [`/offices/${id}`, '/offices?limit=2', '/offices?limit=200']) {
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

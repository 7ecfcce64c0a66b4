import type { Agent, Office } from '@roster/api';
import { describe, expect, it } from 'vitest';
import { call, dataOf, problemOf } from '../support/calls.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { expectFault, expectProblem } from '../support/problems.ts';
import { expectConflict, ifMatch, useVersions } from './version-scene.ts';

const { server, strict, officeOfVersion2 } = useVersions();

const patch = (id: string, headers: Record<string, string>, body: object = { bio: 'again' }) =>
  server().request('PATCH', `/offices/${id}`, body, headers);

describe('the ETag of a record', () => {
  it('is strong, its version, and on every response with the record', async () => {
    const created = await server().request('POST', '/offices', { name: 'Tagged' });
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
      const response = await server().request(method, `/offices/${id}${transition}`, body);
      expect(response.headers.get('ETag'), `${method} ${transition}`).toBe(tag);
      if (method !== 'HEAD') expect((await bodyOf<Office>(response)).version).toBe(Number(tag.slice(1, -1)));
    }
  });

  it('does not change with a patch that changes nothing', async () => {
    const { id, bio } = await officeOfVersion2();
    const response = await patch(id, {}, { bio });
    expect(response.headers.get('ETag')).toBe('"2"');
  });
});

describe('If-Match', () => {
  it.each(['"2"', '"1", "2"', '"2","9"', '  "x" ,\t"2"  ', '*', ' * '])(
    'lets a change of version 2 through: %s',
    async (tags) => {
      const { id } = await officeOfVersion2();
      const response = await patch(id, ifMatch(tags));
      expect(response.status).toBe(200);
      expect(response.headers.get('ETag')).toBe('"3"');
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
  ])('rejects a change with %s', async (_, tags) => {
    const { id } = await officeOfVersion2();
    for (const [method, transition] of [
      ['PATCH', ''],
      ['PUT', '/deactivate'],
      ['DELETE', ''],
    ] as const) {
      const body = method === 'PATCH' ? { bio: 'never' } : undefined;
      await expectConflict(
        await server().request(method, `/offices/${id}${transition}`, body, ifMatch(tags)),
        2,
      );
    }
    expect(await directoryOf(server()).get('offices', id)).toMatchObject({
      version: 2,
      bio: 'changed',
      status: 'active',
    });
  });

  it('rejects even a patch that would change nothing if the version differs', async () => {
    const { id, bio } = await officeOfVersion2();
    await expectConflict(await patch(id, ifMatch('"1"'), { bio }), 2);
    await expectConflict(await patch(id, ifMatch('"1"'), {}), 2);
  });

  it.each(['2', '"2', '2"', '"2" "2"', ',', 'w/"2"', 'W/2', '*, "2"', '"2"\u00a0x', ''])(
    'is malformed as %j',
    async (tags) => {
      const { id } = await officeOfVersion2();
      await expectFault(await patch(id, ifMatch(tags)), 'invalid_parameter', {
        parameter: 'If-Match',
        code: 'invalid_format',
      });
      const problem = await problemOf(
        await call(server(), ['offices.update', { id, bio: 'x' }], ifMatch(tags)),
      );
      expect(problem.code).toBe('invalid_parameter');
    },
  );

  it('returns 200 for a transition to the current state, whatever the version', async () => {
    const { id } = await officeOfVersion2();
    const inPlace = await server().request('PUT', `/offices/${id}/reactivate`, undefined, ifMatch('"1"'));
    expect([inPlace.status, inPlace.headers.get('ETag')]).toEqual([200, '"2"']);
    await directoryOf(server()).put('offices', id, 'deactivate');
    const again = await server().request('PUT', `/offices/${id}/deactivate`, undefined, ifMatch('"1"'));
    expect([again.status, again.headers.get('ETag')]).toEqual([200, '"3"']);
  });

  it('guards the reactivation and the deletion of an inactive record', async () => {
    const { id } = await officeOfVersion2();
    await directoryOf(server()).put('offices', id, 'deactivate');
    await expectConflict(
      await server().request('PUT', `/offices/${id}/reactivate`, undefined, ifMatch('"2"')),
      3,
    );
    await expectConflict(await server().request('DELETE', `/offices/${id}`, undefined, ifMatch('"2"')), 3);
    expect((await server().request('DELETE', `/offices/${id}`, undefined, ifMatch('"3"'))).status).toBe(204);
  });

  it('guards the restoration by the last version', async () => {
    const { id } = await officeOfVersion2();
    await directoryOf(server()).remove('offices', id);
    await expectConflict(
      await server().request('PUT', `/offices/${id}/restore`, undefined, ifMatch('"1"')),
      2,
    );
    const restored = await server().request('PUT', `/offices/${id}/restore`, undefined, ifMatch('"2"'));
    expect([restored.status, restored.headers.get('ETag')]).toEqual([200, '"3"']);
  });

  it('does not hide that there is no such record', async () => {
    const { id } = await officeOfVersion2();
    await directoryOf(server()).remove('offices', id);
    for (const tags of ['*', '"2"']) await expectProblem(await patch(id, ifMatch(tags)), 'not_found');
  });

  it('guards the deactivation of an office with its agents as one', async () => {
    const { id } = await officeOfVersion2();
    const agent = await directoryOf(server()).agent({ officeId: id });
    const path = `/offices/${id}/deactivate`;
    await expectConflict(await server().request('PUT', path, { cascade: true }, ifMatch('"1"')), 2);
    expect(await directoryOf(server()).get('agents', agent.id)).toMatchObject({
      status: 'active',
      version: 1,
    });
  });
});

describe('ifVersion over RPC', () => {
  const changes = [
    ['update', { bio: 'by RPC' }],
    ['deactivate', {}],
    ['delete', {}],
  ] as const;

  it.each(changes)('guards %s as If-Match does over REST', async (operation, input) => {
    const { id } = await officeOfVersion2();
    const rejected = await call(server(), [`offices.${operation}`, { id, ...input, ifVersion: 1 }]);
    expect(rejected.status).toBe(412);
    expect(rejected.headers.get('ETag')).toBe('"2"');
    expect(await problemOf(rejected)).toMatchObject({ code: 'version_conflict', currentVersion: 2 });
    expect((await call(server(), [`offices.${operation}`, { id, ...input, ifVersion: 2 }])).status).toBe(200);
  });

  it('guards agents alike', async () => {
    const { id } = await directoryOf(server()).agent();
    const rejected = await call(server(), ['agents.update', { id, bio: 'x', ifVersion: 7 }]);
    expect(await problemOf(rejected)).toMatchObject({ code: 'version_conflict', currentVersion: 1 });
    const changed = await call(server(), ['agents.update', { id, bio: 'x', ifVersion: 1 }]);
    expect((await dataOf<Agent>(changed)).version).toBe(2);
  });

  it.each([0, -1, 1.5, '2', null])('must be a version: %j', async (ifVersion) => {
    const { id } = await officeOfVersion2();
    const problem = await problemOf(await call(server(), ['offices.update', { id, ifVersion }]));
    expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '#/ifVersion' }] });
  });

  it('returns a conflict, not an internal error, for a version beyond all versions', async () => {
    const { id } = await officeOfVersion2();
    const input = { id, bio: 'x', ifVersion: Number.MAX_SAFE_INTEGER };
    expect((await problemOf(await call(server(), ['offices.update', input]))).code).toBe('version_conflict');
  });

  it('is rejected by REST in the body and in the query, because If-Match carries it', async () => {
    const { id } = await officeOfVersion2();
    const inBody = await patch(id, {}, { ifVersion: 2, bio: 'x' });
    await expectFault(inBody, 'validation_failed', { pointer: '#/ifVersion', code: 'unknown_field' });
    for (const method of ['PATCH', 'DELETE']) {
      const inQuery = await server().request(
        method,
        `/offices/${id}?ifVersion=2`,
        method === 'PATCH' ? {} : undefined,
      );
      await expectFault(inQuery, 'invalid_parameter', { parameter: 'ifVersion', code: 'unknown_parameter' });
    }
    expect((await directoryOf(server()).get('offices', id)).version).toBe(2);
  });
});

describe('a service that requires versions', () => {
  const changes = [
    ['PATCH', '', { bio: 'x' }],
    ['PUT', '/deactivate', undefined],
    ['PUT', '/reactivate', undefined],
    ['DELETE', '', undefined],
  ] as const;

  it.each(changes)(
    'rejects %s %s without a version, and accepts it with If-Match',
    async (method, transition, body) => {
      const { id } = await officeOfVersion2();
      if (transition === '/reactivate') await directoryOf(server()).put('offices', id, 'deactivate');
      const path = `/offices/${id}${transition}`;
      await expectProblem(await strict().request(method, path, body), 'version_required');
      expect((await strict().request(method, path, body, ifMatch('*'))).ok).toBe(true);
    },
  );

  it('rejects RPC without ifVersion, and accepts it with one', async () => {
    const { id } = await officeOfVersion2();
    const without = await call(strict(), ['offices.update', { id, bio: 'x' }]);
    expect(await problemOf(without)).toMatchObject({ code: 'version_required', status: 428 });
    expect((await call(strict(), ['offices.update', { id, bio: 'x', ifVersion: 2 }])).status).toBe(200);
  });

  it('does not require a version for creates, reads or restores', async () => {
    const created = await strict().request('POST', '/offices', { name: 'New' });
    expect(created.status).toBe(201);
    const { id } = await bodyOf<Office>(created);
    expect((await strict().request('GET', `/offices/${id}`)).status).toBe(200);
    await directoryOf(server()).remove('offices', id);
    expect((await strict().request('PUT', `/offices/${id}/restore`)).status).toBe(200);
  });
});

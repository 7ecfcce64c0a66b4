import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, collections, directoryOf, smallest } from '../support/fixtures.ts';
import { createReferences, fullRecord, scripts } from '../support/full-records.ts';
import { exchange } from '../support/http/raw.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const UNKNOWN_ID = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

describe.each(collections)('the seven operations of %s', (collection) => {
  it('POST returns 201 with Location and ETag', async () => {
    const response = await server.request('POST', `/${collection}`, smallest(collection));
    const { id } = await bodyOf(response);
    expect(response.status).toBe(201);
    expect(response.headers.get('Location')).toBe(`/${collection}/${id}`);
    expect(response.headers.get('ETag')).toBe('"1"');
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
    expect((await server.request('GET', `/${collection}/${id}`)).status).toBe(200);
  });

  it('GET of one, PATCH and both transitions return 200, the record and its ETag', async () => {
    const { id } = await directoryOf(server).create(collection);
    const calls: [method: string, path: string, version: number][] = [
      ['GET', '', 1],
      ['PATCH', '', 2],
      ['PUT', '/deactivate', 3],
      ['PUT', '/reactivate', 4],
    ];
    for (const [method, path, version] of calls) {
      const body = method === 'PATCH' ? { mlsId: 'x' } : undefined;
      const response = await server.request(method, `/${collection}/${id}${path}`, body);
      expect(response.status).toBe(200);
      expect(response.headers.get('ETag')).toBe(`"${version}"`);
      expect(response.headers.has('Location')).toBe(false);
      expect(await bodyOf(response)).toMatchObject({ id, version });
    }
  });

  it('GET of all returns 200 and a page', async () => {
    const { id } = await directoryOf(server).create(collection);
    const response = await server.request('GET', `/${collection}?limit=1`);
    expect(response.status).toBe(200);
    expect(response.headers.get('Link')).toContain('rel="next"');
    expect((await bodyOf<{ items: unknown[] }>(response)).items).toEqual([expect.objectContaining({ id })]);
  });

  it('DELETE returns 204 without a body', async () => {
    const { id } = await directoryOf(server).create(collection);
    const response = await server.request('DELETE', `/${collection}/${id}`);
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
  });

  it('DELETE rejects a body that says something, and deletes nothing', async () => {
    const { id } = await directoryOf(server).create(collection);
    for (const body of ['{"reason":"Closed","ifVersion":99}', '{"__proto__":[]}', '[]', 'null', '5'])
      await expectProblem(await server.request('DELETE', `/${collection}/${id}`, body), 'bad_request');
    expect((await server.request('DELETE', `/${collection}/${id}`, {})).status).toBe(204);
  });

  it('GET rejects a body', async () => {
    const get = (body: string) =>
      exchange(
        server.url,
        `GET /${collection} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${server.key}\r\n`,
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    expect((await expectProblem(await get('{"limit":1}'), 'bad_request')).detail).toBe('A GET has no body.');
    expect((await get('')).status).toBe(200);
  });

  it('return 404 for an id that does not exist', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['PUT', '/deactivate'],
      ['PUT', '/reactivate'],
      ['PUT', '/restore'],
    ]) {
      const problem = await expectProblem(
        await server.request(`${method}`, `/${collection}/${UNKNOWN_ID}${path}`),
        'not_found',
      );
      expect(problem.detail).toContain(UNKNOWN_ID);
    }
  });
});

const noBodies: [what: string, body: unknown, headers: Record<string, string>][] = [
  ['without body and Content-Type', undefined, {}],
  ['with an empty body of JSON', '', {}],
  ['with an empty body of JSON and a charset', '', { 'Content-Type': 'application/json; charset=utf-8' }],
  ['with an empty object', {}, {}],
];

describe.each(collections)('deactivate and reactivate one of %s', (collection) => {
  it.each(noBodies)('%s', async (_, body, headers) => {
    const { id, createdAt } = await directoryOf(server).create(collection);
    const call = (transition: string) =>
      server.request('PUT', `/${collection}/${id}/${transition}`, body, headers);
    const inactive = await bodyOf(await call('deactivate'));
    expect(inactive).toMatchObject({ status: 'inactive', statusReason: null, version: 2, createdAt });
    expect(inactive.deactivatedAt).toBe(inactive.statusChangedAt);
    expect(inactive.updatedAt).toBe(inactive.statusChangedAt);
    const active = await bodyOf(await call('reactivate'));
    expect(active).toMatchObject({ status: 'active', statusReason: null, deactivatedAt: null, version: 3 });
    expect(String(active.statusChangedAt) >= String(inactive.statusChangedAt)).toBe(true);
  });

  it('are idempotent: repeated, they return the unchanged record', async () => {
    const { id } = await directoryOf(server).create(collection);
    const untouched = await directoryOf(server).put(collection, id, 'reactivate');
    expect(untouched.version).toBe(1);
    const first = await directoryOf(server).put(collection, id, 'deactivate', { reason: 'Moved to Porto' });
    expect(first).toMatchObject({ statusReason: 'Moved to Porto', version: 2 });
    for (const body of [undefined, {}, { reason: 'Another' }, { reason: null }]) {
      const again = await server.request('PUT', `/${collection}/${id}/deactivate`, body);
      expect(again.headers.get('ETag')).toBe('"2"');
      expect(await bodyOf(again)).toEqual(first);
    }
  });

  it('store the reason, trimmed, until reactivation removes it', async () => {
    const { id } = await directoryOf(server).create(collection);
    const reason = `${'é🏠'.repeat(250)}`;
    const inactive = await directoryOf(server).put(collection, id, 'deactivate', { reason: ` ${reason} ` });
    expect(inactive.statusReason).toBe(reason);
    expect((await directoryOf(server).put(collection, id, 'reactivate')).statusReason).toBeNull();
    const empty = await directoryOf(server).put(collection, id, 'deactivate', { reason: '  ' });
    expect(empty.statusReason).toBeNull();
  });

  it('reject unknown fields', async () => {
    const { id } = await directoryOf(server).create(collection);
    const put = (transition: string, body: unknown) =>
      server.request('PUT', `/${collection}/${id}/${transition}`, body);
    await expectFault(await put('deactivate', { reason: 'x'.repeat(501) }), 'validation_failed', {
      pointer: '#/reason',
      code: 'too_long',
    });
    await expectFault(await put('deactivate', { why: 'x' }), 'validation_failed', {
      pointer: '#/why',
      code: 'unknown_field',
    });
    await expectFault(await put('deactivate', { id }), 'validation_failed', {
      pointer: '#/id',
      code: 'read_only',
    });
    await expectFault(await put('reactivate', { why: 'x' }), 'validation_failed', {
      pointer: '#/why',
      code: 'unknown_field',
    });
    await expectFault(await put('deactivate', []), 'validation_failed', {
      pointer: '#',
      code: 'invalid_type',
    });
    expect((await directoryOf(server).get(collection, id)).version).toBe(1);
  });

  it('leave an inactive record readable, listable and editable, and then deletable', async () => {
    const { id } = await directoryOf(server).create(collection);
    await directoryOf(server).put(collection, id, 'deactivate', { reason: 'r' });
    const patched = await directoryOf(server).patch(collection, id, { mlsId: 'x' });
    expect(patched).toMatchObject({ status: 'inactive', statusReason: 'r', version: 3, mlsId: 'x' });
    expect((await directoryOf(server).list(collection, `ids=${id}`)).items).toEqual([patched]);
    expect((await server.request('DELETE', `/${collection}/${id}`)).status).toBe(204);
  });
});

describe.each(collections)('a deleted one of %s', (collection) => {
  it('is not found by any operation or list', async () => {
    const { id } = await directoryOf(server).create(collection);
    await directoryOf(server).remove(collection, id);
    const calls: [string, string, unknown?][] = [
      ['GET', ''],
      ['DELETE', ''],
      ['PATCH', '', { mlsId: 'x' }],
      ['PATCH', '', {}],
      ['PUT', '/deactivate'],
      ['PUT', '/reactivate'],
    ];
    for (const [method, path, body] of calls) {
      await expectProblem(await server.request(method, `/${collection}/${id}${path}`, body), 'not_found');
    }
    expect(await directoryOf(server).list(collection, `ids=${id}&includeTotal=true`)).toEqual({
      items: [],
      total: 0,
    });
  });

  it('leaves its source to others', async () => {
    const source = { name: 'MLS', key: `${collection}-reuse` };
    const { id } = await directoryOf(server).create(collection, { source });
    const body = { ...smallest(collection), source };
    await expectFault(await server.request('POST', `/${collection}`, body), 'source_taken', {
      pointer: '#/source',
      code: 'taken',
    });
    await directoryOf(server).remove(collection, id);
    expect((await server.request('POST', `/${collection}`, body)).status).toBe(201);
  });
});

describe('a source', () => {
  it('is unique in each collection, not over both, and in both of its parts together', async () => {
    const source = { name: 'MLS', key: 'both' };
    const created = await Promise.all([
      directoryOf(server).office({ source }),
      directoryOf(server).agent({ source }),
      directoryOf(server).office({ source: { name: 'MLS', key: 'Both' } }),
      directoryOf(server).office({ source: { name: 'Mls', key: 'both' } }),
    ]);
    expect(created.length).toBe(4);
  });

  it.each(collections)('cannot be taken from another one of %s by a patch', async (collection) => {
    const source = { name: 'MLS', key: `${collection}-patch` };
    const first = await directoryOf(server).create(collection, { source });
    const second = await directoryOf(server).create(collection, { source: { ...source, name: 'other' } });
    const response = await server.request('PATCH', `/${collection}/${second.id}`, {
      source: { name: 'MLS' },
    });
    await expectProblem(response, 'source_taken');
    expect((await directoryOf(server).patch(collection, first.id, { source })).version).toBe(1);
  });
});

describe.each(collections)('a full one of %s', (collection) => {
  it('comes back from deletion as it was, as one more version under the same id', async () => {
    const full = fullRecord(collection, `${scripts.CJK}${scripts.emoji}`, await createReferences(server));
    const before = await directoryOf(server).create(collection, full);
    await directoryOf(server).put(collection, before.id, 'deactivate', { reason: 'r' });
    await directoryOf(server).remove(collection, before.id);
    const after = await directoryOf(server).put(collection, before.id, 'restore');
    const { statusReason, version, updatedAt, statusChangedAt, deactivatedAt, status, ...same } = after;
    expect({ statusReason, version, status }).toEqual({ statusReason: 'r', version: 3, status: 'inactive' });
    expect(before).toMatchObject(same);
    expect(deactivatedAt).toBe(statusChangedAt);
    expect(updatedAt > before.updatedAt).toBe(true);
    expect(await directoryOf(server).get(collection, before.id)).toEqual(after);
  });

  it('loses every field by a revert to the version before, and gets each back by another one', async () => {
    const full = fullRecord(collection, scripts.Latin ?? '', await createReferences(server));
    const first = await directoryOf(server).create(collection, smallest(collection));
    const second = await directoryOf(server).patch(collection, first.id, full);
    const revert = (toVersion: number) =>
      directoryOf(server).put(collection, first.id, 'revert', { toVersion });
    const written = (record: object) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => name in full));
    expect(written(await revert(first.version))).toEqual(written(first));
    expect(written(await revert(second.version))).toEqual(written(second));
    expect(Object.keys(written(second)).length).toBe(Object.keys(full).length);
  });
});

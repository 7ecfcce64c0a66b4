import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, problemOf } from '../../support/calls.ts';
import { type Body, bodyOf, type CollectionName, directoryOf } from '../../support/fixtures.ts';
import { startTestServer, type TestServer } from '../../support/index.ts';
import { expectProblem } from '../../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

type Json = Record<string, unknown> & { id: string };

const read = async (path: string) => bodyOf<Json>(await server.request('GET', path));
const patch = (path: string, body: object, headers?: Record<string, string>) =>
  server.request('PATCH', path, body, headers);

const inAYear = new Date(Date.now() + 365 * 86_400_000).toISOString();

/** A record with values in most fields, and a scheduled change. */
async function fullRecord(collection: CollectionName): Promise<Json> {
  const directory = directoryOf(server);
  const own: Body = {
    address: { city: 'Porto', country: 'PT' },
    metadata: { a: '1' },
    source: { name: 'MLS', key: `${collection} ${crypto.randomUUID()}` },
    ...(collection !== 'teams' && { licenses: [{ number: '1', expiresOn: '2030-01-01' }] }),
  };
  if (collection === 'agents') own.officeId = (await directory.office()).id;
  if (collection === 'teams') own.members = [{ agentId: (await directory.agent()).id, role: 'lead' }];
  const { id } = await directory.create(collection, own);
  await directory.put(collection, id, 'deactivate', {
    reason: 'Closed',
    effectiveAt: inAYear,
  });
  return read(`/${collection}/${id}`);
}

describe.each(['offices', 'agents', 'teams'] as const)('a patch of %s with what was read', (collection) => {
  it('changes nothing, by REST and RPC', async () => {
    const record = await fullRecord(collection);
    expect(record.scheduledChanges).toHaveLength(1);
    const path = `/${collection}/${record.id}`;
    for (const response of [await patch(path, record), await call(server, [`${collection}.update`, record])])
      expect(response.status, await response.clone().text()).toBe(200);
    expect(await read(path)).toEqual(record);
  });

  it('changes the fields that are other than they were, and nothing else', async () => {
    const record = await fullRecord(collection);
    const changed = await patch(`/${collection}/${record.id}`, { ...record, mlsId: 'LX0042' });
    expect(await bodyOf(changed)).toEqual({
      ...record,
      mlsId: 'LX0042',
      version: Number(record.version) + 1,
      updatedAt: expect.any(String),
    });
  });

  it('names each read-only field that has another value, by REST, RPC and in a change of many', async () => {
    const record = await fullRecord(collection);
    const { id } = record;
    const other = await directoryOf(server).create(collection);
    await directoryOf(server).put(collection, other.id, 'deactivate', { reason: 'Gone' });
    const unlike: Record<string, unknown> = { ...(await read(`/${collection}/${other.id}`)), version: 9 };
    const names = [
      'status',
      'statusReason',
      'statusChangedAt',
      'deactivatedAt',
      'createdAt',
      'updatedAt',
    ] as const;
    const changed = Object.fromEntries(
      [...names, 'version', 'scheduledChanges'].map((name) => [name, unlike[name]]),
    );
    const body = { ...record, ...changed };
    const pointersOf = ({
      errors = [],
    }: {
      errors?: { pointer?: string | undefined; code: string }[] | undefined;
    }) => errors.map(({ pointer, code }) => `${pointer} ${code}`).toSorted();
    const expected = (prefix: string) =>
      Object.keys(changed)
        .map((name) => `${prefix}/${name} read_only`)
        .toSorted();
    const path = `/${collection}/${id}`;
    const inRest = await expectProblem(await patch(path, body), 'validation_failed');
    expect(pointersOf(inRest)).toEqual(expected('#'));
    const inRpc = await problemOf(await call(server, [`${collection}.update`, body]));
    expect(pointersOf(inRpc)).toEqual(expected('#'));
    const bulk = { filter: { ids: [id] }, change: { type: 'update', patch: body }, dryRun: true };
    const many = await server.request('POST', `/${collection}/bulk`, bulk);
    expect(pointersOf(await expectProblem(many, 'validation_failed'))).toEqual(expected('#/change/patch'));
  });

  it('is rejected by its version if the record has changed since', async () => {
    const record = await fullRecord(collection);
    const path = `/${collection}/${record.id}`;
    const headers = { 'If-Match': `"${record.version}"` };
    await patch(path, { mlsId: 'LX0001' });
    await expectProblem(await patch(path, record, headers), 'version_conflict');
    const byRpc = await call(server, [`${collection}.update`, { ...record, ifVersion: record.version }]);
    expect(await problemOf(byRpc)).toMatchObject({ code: 'version_conflict' });
  });

  it('is taken in a change of the records that the filter names', async () => {
    const { id, ...record } = await fullRecord(collection);
    const change = { type: 'update', patch: { id, ...record, mlsId: 'LX0043' } };
    const preview = await server.request('POST', `/${collection}/bulk`, {
      filter: { ids: [id] },
      change,
      dryRun: true,
    });
    expect(await bodyOf(preview)).toMatchObject({
      changed: 1,
      samples: [{ id, changes: [{ field: 'mlsId' }] }],
    });
  });

  it('does not tell more than a patch of what is not there', async () => {
    const record = await fullRecord(collection);
    const path = `/${collection}/01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11`;
    const { id: _, ...body } = record;
    const { errors = [] } = await expectProblem(await patch(path, body), 'validation_failed');
    expect(errors.map(({ code }) => code)).toEqual(errors.map(() => 'read_only'));
  });
});

describe('a patch with what was read', () => {
  it.each([
    ['/views', { name: 'Ours', resource: 'agents', query: { status: ['active'] } }],
    ['/keys', { name: 'Website', scopes: ['offices:read'], expiresAt: '2126-01-01T00:00:00Z' }],
    ['/webhooks', { url: 'http://127.0.0.1:9/', types: ['office.purged'] }],
    ['/people', { name: 'Ana Reis', email: 'ana@atlantico.example', grants: [{ role: 'viewer' }] }],
  ])('changes nothing: %s', async (path, made) => {
    const { id } = await bodyOf<Json>(await server.request('POST', path, made));
    // The position of a webhook moves on unless it is disabled.
    if (path === '/webhooks') await patch(`${path}/${id}`, { status: 'disabled' });
    const record = await read(`${path}/${id}`);
    const response = await patch(`${path}/${id}`, record);
    expect(response.status, await response.clone().text()).toBe(200);
    const { updatedAt: _, ...rest } = record;
    expect(await read(`${path}/${id}`)).toMatchObject(rest);
    const createdAt = '2020-01-01T00:00:00.000Z';
    const { errors } = await expectProblem(await patch(`${path}/${id}`, { createdAt }), 'validation_failed');
    expect(errors).toMatchObject([{ pointer: '#/createdAt', code: 'read_only' }]);
  });
});

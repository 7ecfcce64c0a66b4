import type { View } from '@roster/api';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { personWith, sessionOf } from '../support/auth/people.ts';
import { call } from '../support/calls.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { useViews } from '../support/views.ts';

type Headers = Record<string, string>;

const { server, viewer, save, statusOf, idsFor } = useViews();

describe('a private view', () => {
  it('of a key is seen with a session of the key', async () => {
    const key = await keyWith(server(), ['agents:read']);
    const { id } = await save(bearer(key.secret));
    const session = await sessionOf(server(), { keyId: key.id });
    expect(await idsFor(session.headers)).toEqual([id]);
    const made = await save(session.headers);
    expect((await idsFor(bearer(key.secret))).sort()).toEqual([id, made.id].sort());
  });
});

describe('a shared view', () => {
  it('is read by everyone who may read its list, also within a limit, and is 404 for others', async () => {
    const { id } = await save((await viewer()).headers, { isShared: true });
    const office = await directoryOf(server()).office();
    const limited = await personWith(server(), [{ role: 'viewer', officeIds: [office.id] }]);
    const [agentsOnly, officesOnly] = [
      await keyWith(server(), ['agents:read']),
      await keyWith(server(), ['offices:read']),
    ];
    for (const reader of [limited.headers, bearer(agentsOnly.secret)]) {
      expect(await statusOf('GET', id, reader)).toBe(200);
      expect(await idsFor(reader, '&isShared=true&resource=agents')).toContain(id);
    }
    expect(await statusOf('GET', id, bearer(officesOnly.secret))).toBe(404);
    expect(await idsFor(bearer(officesOnly.secret))).not.toContain(id);
    const asked = await server().request(
      'GET',
      '/views?resource=agents',
      undefined,
      bearer(officesOnly.secret),
    );
    expect(asked.status).toBe(403);
  });

  it('is changed and deleted by its owner, and with people:manage for everything', async () => {
    const owner = await viewer();
    const { id } = await save(owner.headers, { isShared: true });
    const office = await directoryOf(server()).office();
    const limited = await personWith(server(), [
      { role: 'viewer' },
      { role: 'admin', officeIds: [office.id] },
    ]);
    const manager = await personWith(server(), [{ role: 'manager' }]);
    for (const other of [limited.headers, manager.headers]) {
      expect(await statusOf('PATCH', id, other, { name: 'Ours' })).toBe(403);
      expect(await statusOf('DELETE', id, other)).toBe(403);
    }
    const admin = await personWith(server(), [{ role: 'admin' }]);
    expect(await statusOf('PATCH', id, admin.headers, { name: 'Ours' })).toBe(200);
    expect(await statusOf('PATCH', id, admin.headers, { isShared: false })).toBe(403);
    expect(await statusOf('PATCH', id, owner.headers, { isShared: false })).toBe(200);
    expect(await statusOf('DELETE', id, admin.headers)).toBe(404);
    expect(await statusOf('PATCH', id, owner.headers, { isShared: true })).toBe(200);
    expect(await statusOf('DELETE', id, admin.headers)).toBe(204);
  });

  it('names its owner to who may read names of people, and to the owner', async () => {
    const owner = await viewer();
    const view = await save(owner.headers, { isShared: true });
    expect(view.createdBy).toEqual({ type: 'person', id: owner.id, name: 'Ana Martins' });
    const office = await directoryOf(server()).office();
    const limited = await personWith(server(), [{ role: 'viewer', officeIds: [office.id] }]);
    const shownTo = async (headers: Headers) =>
      (await bodyOf<View>(await server().request('GET', `/views/${view.id}`, undefined, headers))).createdBy;
    expect(await shownTo(bearer(server().key))).toEqual(view.createdBy);
    expect(await shownTo((await viewer()).headers)).toEqual({ ...view.createdBy, name: null });
    expect(await shownTo(limited.headers)).toBe(null);
  });
});

describe('views of an owner that is gone', () => {
  it('are deleted with the person if they are private, and stay without an owner if they are shared', async () => {
    const owner = await viewer();
    const [mine, ours] = [await save(owner.headers), await save(owner.headers, { isShared: true })];
    expect((await server().request('DELETE', `/people/${owner.id}`)).status).toBe(204);
    const { rows } = await sql<{ id: string }>`
      select id from saved_view where id in (${mine.id}, ${ours.id})`.execute(server().database.db);
    expect(rows).toEqual([{ id: ours.id }]);
    const left = await server().request('GET', `/views/${ours.id}`);
    expect(await left.json()).toMatchObject({ createdBy: null, version: 1 });
    expect(await statusOf('DELETE', ours.id, {})).toBe(204);
  });

  it('are deleted with a revoked key if they are private', async () => {
    const key = await keyWith(server(), ['agents:read']);
    const [mine, ours] = [await save(bearer(key.secret)), await save(bearer(key.secret), { isShared: true })];
    await server().request('PUT', `/keys/${key.id}/revoke`);
    const { rows } = await sql<{ id: string }>`
      select id from saved_view where id in (${mine.id}, ${ours.id})`.execute(server().database.db);
    expect(rows).toEqual([{ id: ours.id }]);
  });
});

it('an owner has at most 200 views, also with requests at the same time', async () => {
  const owner = await viewer();
  await sql`
    insert into saved_view (id, name, resource, is_shared, query, columns, version, created_at, created_by, updated_at)
    select gen_random_uuid(), 'x', 'agents', false, '{}', '[]', 1, now(), ${owner.id}, now()
    from generate_series(1, 199)`.execute(server().database.db);
  const body = { name: 'One more', resource: 'agents' };
  const responses = await Promise.all(
    [1, 2, 3].map(() => server().request('POST', '/views', body, owner.headers)),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const rejected = responses.find(({ status }) => status === 409);
  expect(await rejected?.json()).toMatchObject({ code: 'limit_reached' });
});

it('a repeated creation with its Idempotency-Key is answered from the first, also to a limited caller', async () => {
  const office = await directoryOf(server()).office();
  const { headers } = await personWith(server(), [{ role: 'viewer', officeIds: [office.id] }]);
  const body = { name: 'Mine', resource: 'offices' };
  const twice = { ...headers, 'Idempotency-Key': '"one view"' };
  const [first, second] = [
    await server().request('POST', '/views', body, twice),
    await server().request('POST', '/views', body, twice),
  ];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(await second.json()).toEqual(await first.json());
  expect(await idsFor(headers, '&isShared=false')).toHaveLength(1);
  const byRpc = await call(server(), ['views.list', {}], headers);
  expect(JSON.stringify(await byRpc.json())).toContain('"Mine"');
});

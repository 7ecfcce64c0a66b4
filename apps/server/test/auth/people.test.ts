import {
  type CurrentCaller,
  type Key,
  type Person,
  type Problem,
  resourceNames,
  type Session,
} from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { personWith, sessionOf, type TestPerson } from '../support/auth/people.ts';
import { bodyOf, directoryOf, next } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
let main: string;
let branch: string;
let other: string;
beforeAll(async () => {
  server = await startTestServer();
  const { office } = directoryOf(server);
  main = (await office()).id;
  branch = (await office({ mainOfficeId: main })).id;
  other = (await office()).id;
});
afterAll(() => server[Symbol.asyncDispose]());

type Headers = Record<string, string>;
interface Page<Item> {
  items: Item[];
}

const email = () => `invited-${next()}@atlantico.example`;

async function as<Body>(headers: Headers, method: string, path: string, body?: unknown): Promise<Body> {
  return bodyOf<Body>(await server.request(method, path, body, headers));
}

async function codeOf(headers: Headers, method: string, path: string, body?: unknown): Promise<string> {
  const response = await server.request(method, path, body, headers);
  return response.ok ? 'ok' : ((await response.json()) as Problem).code;
}

const invite = (headers: Headers, grants: unknown) =>
  codeOf(headers, 'POST', '/people', { name: 'Rui', email: email(), grants });

describe('a person who invites', () => {
  let admin: TestPerson;
  let officeAdmin: TestPerson;
  beforeAll(async () => {
    admin = await personWith(server, [{ role: 'admin' }]);
    officeAdmin = await personWith(server, [{ role: 'admin', officeIds: [main] }]);
  });

  it('with everything can give every role for everything and for offices that exist', async () => {
    expect(await invite(admin.headers, [{ role: 'admin' }])).toBe('ok');
    expect(await invite(admin.headers, [{ role: 'editor', officeIds: [main, other] }])).toBe('ok');
  });

  it('for an office can give roles for it and its branches, and no others', async () => {
    expect(await invite(officeAdmin.headers, [{ role: 'admin', officeIds: [main] }])).toBe('ok');
    expect(await invite(officeAdmin.headers, [{ role: 'viewer', officeIds: [branch] }])).toBe('ok');
    expect(await invite(officeAdmin.headers, [{ role: 'viewer' }])).toBe('insufficient_scope');
    const some = [{ role: 'viewer', officeIds: [branch, other] }];
    expect(await invite(officeAdmin.headers, some)).toBe('reference_not_found');
  });

  it('for an office sees and changes people of it alone, whatever other roles they have elsewhere', async () => {
    const within = await personWith(server, [{ role: 'viewer', officeIds: [branch] }]);
    const hidden = await Promise.all([
      personWith(server, [{ role: 'viewer' }]),
      personWith(server, [{ role: 'viewer', officeIds: [other] }]),
      personWith(server, [
        { role: 'viewer', officeIds: [branch] },
        { role: 'viewer', officeIds: [other] },
      ]),
    ]);
    const { items } = await as<Page<Person>>(officeAdmin.headers, 'GET', '/people?limit=200');
    const ids = items.map(({ id }) => id);
    expect(ids).toContain(within.id);
    for (const { id } of hidden) {
      expect(ids).not.toContain(id);
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['PUT', '/deactivate'],
        ['PUT', '/reactivate'],
        ['PUT', '/revoke-sessions'],
      ] as const) {
        const body = method === 'PATCH' ? { name: 'x' } : undefined;
        expect(await codeOf(officeAdmin.headers, method, `/people/${id}${path}`, body), path).toBe(
          'not_found',
        );
      }
    }
    const path = `/people/${within.id}`;
    expect(await codeOf(officeAdmin.headers, 'PATCH', path, { name: 'Eva' })).toBe('ok');
    const everything = { grants: [{ role: 'viewer', officeIds: null }] };
    expect(await codeOf(officeAdmin.headers, 'PATCH', path, everything)).toBe('insufficient_scope');
  });

  it('without the role admin cannot see people at all', async () => {
    const manager = await personWith(server, [{ role: 'manager' }]);
    expect(await codeOf(manager.headers, 'GET', '/people')).toBe('insufficient_scope');
    expect(await codeOf(manager.headers, 'GET', '/keys')).toBe('insufficient_scope');
  });

  it('is a key only as far as its scopes go, and not if it expires', async () => {
    const weak = await keyWith(server, ['people:manage', 'agents:read']);
    expect(await invite(bearer(weak.secret), [{ role: 'viewer' }])).toBe('insufficient_scope');
    expect(await codeOf(bearer(weak.secret), 'DELETE', `/people/${admin.id}`)).toBe('insufficient_scope');
    const reader = [
      'people:manage',
      ...resourceNames.map((name) => `${name}:read` as const),
      'events:read',
    ] as const;
    const strong = await keyWith(server, reader);
    expect(await invite(bearer(strong.secret), [{ role: 'viewer' }])).toBe('ok');
    const expiring = await keyWith(server, reader, { expiresAt: '2099-01-01T00:00:00Z' });
    expect(await invite(bearer(expiring.secret), [{ role: 'viewer' }])).toBe('insufficient_scope');
  });
});

describe('a key', () => {
  it('of a limited person is limited as they are, or within', async () => {
    const { headers } = await personWith(server, [{ role: 'admin', officeIds: [main] }]);
    const body = { name: 'Kiosk', scopes: ['agents:read'] };
    const key = await as<Key>(headers, 'POST', '/keys', body);
    expect(key).toMatchObject({ officeIds: [main], createdBy: { type: 'person' } });
    const within = await as<Key>(headers, 'POST', '/keys', { ...body, officeIds: [branch] });
    expect(within.officeIds).toEqual([branch]);
    expect(await codeOf(headers, 'POST', '/keys', { ...body, officeIds: null })).toBe('insufficient_scope');
    expect(await codeOf(headers, 'POST', '/keys', { ...body, officeIds: [other] })).toBe(
      'reference_not_found',
    );
    const hidden = await keyWith(server, ['agents:read']);
    expect(await codeOf(headers, 'GET', `/keys/${hidden.id}`)).toBe('not_found');
    expect(await codeOf(headers, 'PUT', `/keys/${hidden.id}/revoke`)).toBe('not_found');
    const { items } = await as<Page<Key>>(headers, 'GET', '/keys?limit=200');
    expect(new Set(items.map(({ id }) => id))).toEqual(new Set([key.id, within.id]));
    expect(await codeOf(headers, 'PATCH', `/keys/${key.id}`, { officeIds: null })).toBe('insufficient_scope');
    expect(await codeOf(headers, 'PATCH', `/keys/${key.id}`, { officeIds: [branch] })).toBe('ok');
  });

  it('is limited from the moment of the response to its change', async () => {
    const key = await keyWith(server, ['offices:read']);
    const read = () => codeOf(bearer(key.secret), 'GET', `/offices/${other}`);
    expect(await read()).toBe('ok');
    await server.request('PATCH', `/keys/${key.id}`, { officeIds: [main] });
    expect(await read()).toBe('not_found');
  });
});

describe('sessions', () => {
  const listed = async (headers: Headers, query = '') =>
    (await as<Page<Session>>(headers, 'GET', `/sessions${query}`)).items.map(({ id }) => id);

  it('are listed and ended by whoever they belong to, without any scope', async () => {
    const { id, headers, sessionId } = await personWith(server, [{ role: 'viewer' }]);
    const second = await sessionOf(server, { personId: id });
    expect(new Set(await listed(headers))).toEqual(new Set([sessionId, second.sessionId]));
    expect(await codeOf(headers, 'PUT', `/sessions/${second.sessionId}/revoke`)).toBe('ok');
    expect(await codeOf(second.headers, 'GET', '/me')).toBe('unauthenticated');
    expect(await listed(headers)).toEqual([sessionId]);
    expect(await codeOf(headers, 'PUT', `/people/${id}/revoke-sessions`)).toBe('ok');
    expect(await codeOf(headers, 'GET', '/me')).toBe('unauthenticated');
  });

  it('of others need people:manage, and their rights', async () => {
    const victim = await personWith(server, [{ role: 'editor' }]);
    const stranger = await personWith(server, [{ role: 'manager' }]);
    const path = `/sessions/${victim.sessionId}`;
    expect(await codeOf(stranger.headers, 'GET', path)).toBe('not_found');
    expect(await codeOf(stranger.headers, 'PUT', `${path}/revoke`)).toBe('not_found');
    expect(await codeOf(stranger.headers, 'GET', `/sessions?personId=${victim.id}`)).toBe(
      'insufficient_scope',
    );
    const elsewhere = await personWith(server, [{ role: 'admin', officeIds: [main] }]);
    expect(await listed(elsewhere.headers, `?personId=${victim.id}`)).toEqual([]);
    expect(await codeOf(elsewhere.headers, 'PUT', `${path}/revoke`)).toBe('not_found');
    const weak = await keyWith(server, ['people:manage']);
    expect(await listed(bearer(weak.secret), `?personId=${victim.id}`)).toEqual([victim.sessionId]);
    expect(await codeOf(bearer(weak.secret), 'PUT', `${path}/revoke`)).toBe('insufficient_scope');
    expect(await codeOf({}, 'PUT', `${path}/revoke`)).toBe('ok');
    expect(await codeOf(victim.headers, 'GET', '/me')).toBe('unauthenticated');
  });

  it('of a key end when the secret of the key does that signed them in', async () => {
    const key = await keyWith(server, ['agents:read']);
    const { headers } = await sessionOf(server, { keyId: key.id });
    expect((await as<CurrentCaller>(headers, 'GET', '/me')).id).toBe(key.id);
    await server.request('PUT', `/keys/${key.id}/rotate`, { overlapSeconds: 0 });
    expect(await codeOf(headers, 'GET', '/me')).toBe('unauthenticated');
  });

  it.each([
    ['deactivated', 'PUT', '/deactivate'],
    ['deleted', 'DELETE', ''],
  ])('end when their person is %s', async (_, method, path) => {
    const { id, headers } = await personWith(server, [{ role: 'viewer' }]);
    expect(await codeOf(headers, 'GET', '/me')).toBe('ok');
    expect(await codeOf({}, method, `/people/${id}${path}`)).toBe('ok');
    expect(await codeOf(headers, 'GET', '/me')).toBe('unauthenticated');
  });
});

it('/me says who the caller is and what it may do where', async () => {
  const grants = [{ role: 'viewer' as const }, { role: 'manager' as const, officeIds: [main] }];
  const { id, headers, sessionId } = await personWith(server, grants);
  expect(await as<CurrentCaller>(headers, 'GET', '/me')).toMatchObject({
    type: 'person',
    id,
    name: 'Ana Martins',
    session: { id: sessionId, owner: { type: 'person', id } },
    grants: [
      { role: 'viewer', officeIds: null },
      { role: 'manager', officeIds: [main] },
    ],
  });
  const key = await keyWith(server, ['agents:read']);
  expect(await as<CurrentCaller>(bearer(key.secret), 'GET', '/me')).toEqual({
    type: 'key',
    id: key.id,
    name: 'A key',
    scopes: ['agents:read'],
    session: null,
    expiresAt: null,
    grants: [{ role: null, scopes: ['agents:read'], officeIds: null }],
  });
});

it('the last person with the role admin for everything remains if two admins end the right of each other at the same time', async () => {
  await using alone = await startTestServer();
  const [one, two] = [
    await personWith(alone, [{ role: 'admin' }]),
    await personWith(alone, [{ role: 'admin' }]),
  ];
  await Promise.all([
    alone.request('PUT', `/people/${two.id}/deactivate`, undefined, one.headers),
    alone.request('PUT', `/people/${one.id}/deactivate`, undefined, two.headers),
  ]);
  const { items } = await bodyOf<Page<Person>>(await alone.request('GET', '/people?status=active'));
  expect(items).toHaveLength(1);
});

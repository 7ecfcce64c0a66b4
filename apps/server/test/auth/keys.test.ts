import { type Key, Key as KeySchema, type KeyWithSecret, scopes } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyWith, statusWith, untilStatus } from '../support/auth/keys.ts';
import { call, dataOf, problemOf } from '../support/calls.ts';
import { bodyOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

const MINUTE_MS = 60_000;

let server: TestServer;
let clock = new Date('2026-01-31T08:00:00Z');
const pass = (timeMs: number) => {
  clock = new Date(clock.getTime() + timeMs);
};
beforeAll(async () => {
  server = await startTestServer({ now: () => clock });
});
afterAll(() => server[Symbol.asyncDispose]());

const read = async (id: string) => bodyOf<Key>(await server.request('GET', `/keys/${id}`));
const patch = (id: string, body: unknown) => server.request('PATCH', `/keys/${id}`, body);

/** Both interfaces have the same operations; each returns the key after it. */
const interfaces = {
  REST: {
    create: async (body: object) => bodyOf<KeyWithSecret>(await server.request('POST', '/keys', body)),
    rotate: async (id: string, body?: object) =>
      bodyOf<KeyWithSecret>(await server.request('PUT', `/keys/${id}/rotate`, body)),
    revoke: async (id: string) => bodyOf<Key>(await server.request('PUT', `/keys/${id}/revoke`)),
    update: async (id: string, body: object) => bodyOf<Key>(await patch(id, body)),
  },
  RPC: {
    create: async (input: object) => dataOf<KeyWithSecret>(await call(server, ['keys.create', input])),
    rotate: async (id: string, input: object = {}) =>
      dataOf<KeyWithSecret>(await call(server, ['keys.rotate', { id, ...input }])),
    revoke: async (id: string) => dataOf<Key>(await call(server, ['keys.revoke', { id }])),
    update: async (id: string, input: object) =>
      dataOf<Key>(await call(server, ['keys.update', { id, ...input }])),
  },
};

describe.each(Object.entries(interfaces))('over %s', (_, api) => {
  it('creating a key returns its secret, which works at once, and its prefix', async () => {
    const { secret, ...key } = await api.create({
      name: ' Website ',
      scopes: ['offices:read', 'offices:read'],
    });
    expect(secret).toMatch(/^rst_[\w-]{43}[0-9a-f]{8}$/);
    expect(KeySchema.parse(key)).toMatchObject({
      name: 'Website',
      scopes: ['offices:read'],
      hint: secret.slice(0, 12),
      createdAt: clock.toISOString(),
      updatedAt: clock.toISOString(),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    });
    expect(await statusWith(server, secret)).toBe(200);
    expect(await read(key.id)).toEqual({ ...key, lastUsedAt: clock.toISOString() });
  });

  it('a rotated key has two secrets until the overlap ends, and then the new one', async () => {
    const first = await api.create({ name: 'Rotated', scopes: ['offices:read'] });
    const second = await api.rotate(first.id, { overlapSeconds: 60 });
    expect(second.secret).not.toBe(first.secret);
    expect(second).toMatchObject({ id: first.id, hint: second.secret.slice(0, 12), scopes: first.scopes });
    expect(await statusWith(server, second.secret)).toBe(200);
    expect(await statusWith(server, first.secret)).toBe(200);
    pass(MINUTE_MS - 1);
    expect(await statusWith(server, first.secret)).toBe(200);
    pass(1);
    expect(await statusWith(server, first.secret)).toBe(401);
    expect(await statusWith(server, second.secret)).toBe(200);
  });

  it('a rotated key overlaps by a day by default, and another rotation does not prolong that', async () => {
    const first = await api.create({ name: 'Rotated', scopes: ['offices:read'] });
    const second = await api.rotate(first.id);
    pass(23 * 60 * MINUTE_MS);
    const third = await api.rotate(first.id);
    pass(60 * MINUTE_MS);
    expect(await statusWith(server, first.secret)).toBe(401);
    expect(await statusWith(server, second.secret)).toBe(200);
    pass(23 * 60 * MINUTE_MS);
    expect(await statusWith(server, second.secret)).toBe(401);
    expect(await statusWith(server, third.secret)).toBe(200);
  });

  it('a key rotated without overlap stops', async () => {
    const first = await api.create({ name: 'Leaked', scopes: ['offices:read'] });
    expect(await statusWith(server, first.secret)).toBe(200);
    const second = await api.rotate(first.id, { overlapSeconds: 0 });
    expect(await statusWith(server, second.secret)).toBe(200);
    expect(await statusWith(server, first.secret)).toBe(401);
  });

  it('a revoked key stops with all its secrets, for good; to revoke it again changes nothing', async () => {
    const first = await api.create({ name: 'Revoked', scopes: ['offices:read'] });
    const second = await api.rotate(first.id);
    const revoked = await api.revoke(first.id);
    expect(revoked).toMatchObject({ revokedAt: clock.toISOString(), updatedAt: clock.toISOString() });
    for (const { secret } of [first, second]) expect(await statusWith(server, secret)).toBe(401);
    pass(MINUTE_MS);
    expect(await api.revoke(first.id)).toEqual(revoked);
    await api.update(first.id, { scopes: [...scopes], expiresAt: '2030-01-01T00:00:00Z' });
    for (const { secret } of [first, second]) expect(await statusWith(server, secret)).toBe(401);
    expect((await read(first.id)).revokedAt).toBe(revoked.revokedAt);
    await expectProblem(await server.request('PUT', `/keys/${first.id}/rotate`), 'key_revoked');
    expect((await problemOf(await call(server, ['keys.rotate', { id: first.id }]))).code).toBe('key_revoked');
  });

  it('a key stops when it expires, and goes on when that is changed', async () => {
    const expiresAt = new Date(clock.getTime() + MINUTE_MS).toISOString();
    const { id, secret } = await api.create({ name: 'Brief', scopes: ['offices:read'], expiresAt });
    pass(MINUTE_MS - 1);
    expect(await statusWith(server, secret)).toBe(200);
    pass(1);
    expect(await statusWith(server, secret)).toBe(401);
    expect(await api.update(id, { expiresAt: null })).toMatchObject({ expiresAt: null });
    await untilStatus(server, secret, 200);
  });
});

describe('a change of a key', () => {
  it('is a merge patch: absent leaves, null clears, a list is replaced', async () => {
    const expiresAt = '2026-12-31T00:00:00.000Z';
    const { id } = await keyWith(server, ['offices:read', 'agents:read'], { expiresAt });
    pass(1_000);
    expect(await bodyOf(await patch(id, { name: 'Renamed' }))).toMatchObject({
      name: 'Renamed',
      scopes: ['offices:read', 'agents:read'],
      expiresAt,
      updatedAt: clock.toISOString(),
    });
    const updated = await bodyOf<Key>(await patch(id, { scopes: ['agents:read'], expiresAt: null }));
    expect(updated).toMatchObject({ name: 'Renamed', scopes: ['agents:read'], expiresAt: null });
    pass(1_000);
    expect(await bodyOf(await patch(id, { name: 'Renamed' }))).toEqual(updated);
    expect(await bodyOf(await patch(id, {}))).toEqual(updated);
  });

  it.each([
    ['#/name', { name: null }],
    ['#/name', { name: ' ' }],
    ['#/name', { name: 'x'.repeat(101) }],
    ['#/scopes', { scopes: [] }],
    ['#/scopes', { scopes: null }],
    ['#/scopes/0', { scopes: ['everything'] }],
    ['#/expiresAt', { expiresAt: 'tomorrow' }],
    ['#/revokedAt', { revokedAt: '2026-01-31T08:00:00.000Z' }],
    ['#/secret', { secret: 'mine' }],
    ['#/hint', { hint: 'x' }],
  ])('rejects what a key cannot be: %s of %j', async (pointer, body) => {
    const { id } = await keyWith(server, ['offices:read']);
    const { errors } = await expectProblem(await patch(id, body), 'validation_failed');
    expect(errors).toContainEqual(expect.objectContaining({ pointer }));
  });

  it('gives and takes what the key may do', async () => {
    const { id, secret } = await keyWith(server, ['agents:read']);
    expect(await statusWith(server, secret)).toBe(403);
    await patch(id, { scopes: ['offices:read'] });
    await untilStatus(server, secret, 200);
    await patch(id, { scopes: ['agents:read'] });
    await untilStatus(server, secret, 403);
  });
});

it('notes the last use of a key, to the minute', async () => {
  const { id, secret } = await keyWith(server, ['offices:read']);
  await statusWith(server, secret);
  const firstUse = clock.toISOString();
  pass(MINUTE_MS - 1);
  await statusWith(server, secret);
  expect((await read(id)).lastUsedAt).toBe(firstUse);
  // A whole minute: a server that heard nothing for a moment has looked again just now.
  pass(MINUTE_MS);
  await statusWith(server, secret);
  expect((await read(id)).lastUsedAt).toBe(clock.toISOString());
});

it('lists keys page by page, in the requested order, each once', async () => {
  for (const name of ['Paged b', 'Paged a', 'Paged c']) await keyWith(server, ['offices:read'], { name });
  const names: string[] = [];
  let path: string | undefined = '/keys?sort=name&limit=2';
  while (path !== undefined) {
    const response = await server.request('GET', path);
    const { items } = await bodyOf<{ items: Key[] }>(response);
    names.push(...items.map(({ name }) => name));
    path = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  }
  const paged = names.filter((name) => name.startsWith('Paged'));
  expect(paged).toEqual(['Paged a', 'Paged b', 'Paged c']);
  const all = await bodyOf<{ items: Key[] }>(await server.request('GET', '/keys?limit=200'));
  expect(names).toHaveLength(all.items.length);
  await expectFault(await server.request('GET', '/keys?status=active'), 'invalid_parameter', {
    parameter: 'status',
    code: 'unknown_parameter',
  });
});

it('returns 404 for a key that does not exist', async () => {
  const id = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
  const attempts = [
    ['GET', ''],
    ['PATCH', ''],
    ['PUT', '/revoke'],
    ['PUT', '/rotate'],
  ] as const;
  for (const [method, action] of attempts) {
    const body = method === 'PATCH' ? { expiresAt: null } : undefined;
    await expectProblem(await server.request(method, `/keys/${id}${action}`, body), 'not_found');
  }
});

import type { Problem } from '@roster/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, call, problemOf } from '../support/calls.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const UNKNOWN_ID = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

/** What an error has in common over REST and RPC: all but the id and the path of its request. */
function essence({ instance: _, requestId: __, ...rest }: Problem) {
  return rest;
}

const person = { firstName: 'Ana', lastName: 'Silva' };
/** Calls and requests that must have the same error. */
const alike: [rpc: Call, rest: [method: string, path: string, body?: unknown]][] = [
  [
    ['offices.list', { limit: 0 }],
    ['GET', '/offices?limit=0'],
  ],
  [
    ['offices.list', { cursor: 'mine' }],
    ['GET', '/offices?cursor=mine'],
  ],
  [
    ['offices.list', { page: 2, sort: 'bio' }],
    ['GET', '/offices?page=2&sort=bio'],
  ],
  [
    ['agents.list', { createdSince: 'yesterday' }],
    ['GET', '/agents?createdSince=yesterday'],
  ],
  [
    ['offices.create', {}],
    ['POST', '/offices', {}],
  ],
  [
    ['offices.create', { name: 5, status: 'active', 'a/b': 1 }],
    ['POST', '/offices', { name: 5, status: 'active', 'a/b': 1 }],
  ],
  [
    ['agents.create', { ...person, officeId: UNKNOWN_ID }],
    ['POST', '/agents', { ...person, officeId: UNKNOWN_ID }],
  ],
  [
    ['agents.get', { id: UNKNOWN_ID }],
    ['GET', `/agents/${UNKNOWN_ID}`],
  ],
  [
    ['agents.get', { id: '17' }],
    ['GET', '/agents/17'],
  ],
  [
    ['agents.delete', { id: UNKNOWN_ID }],
    ['DELETE', `/agents/${UNKNOWN_ID}`],
  ],
  [
    ['offices.update', { id: UNKNOWN_ID, version: 3 }],
    ['PATCH', `/offices/${UNKNOWN_ID}`, { version: 3 }],
  ],
  [
    ['offices.update', { id: UNKNOWN_ID, bio: 'x' }],
    ['PATCH', `/offices/${UNKNOWN_ID}`, { bio: 'x' }],
  ],
  [
    ['offices.deactivate', { id: UNKNOWN_ID, cascade: 'true' }],
    ['PUT', `/offices/${UNKNOWN_ID}/deactivate`, { cascade: 'true' }],
  ],
  [
    ['agents.deactivate', { id: UNKNOWN_ID, reason: 5 }],
    ['PUT', `/agents/${UNKNOWN_ID}/deactivate`, { reason: 5 }],
  ],
  [
    ['agents.reactivate', { id: UNKNOWN_ID }],
    ['PUT', `/agents/${UNKNOWN_ID}/reactivate`],
  ],
  [
    ['offices.restore', { id: UNKNOWN_ID }],
    ['PUT', `/offices/${UNKNOWN_ID}/restore`],
  ],
];

/** Calls that RPC must reject, also after REST has converted the same text to numbers and booleans. */
const mistyped: Call[] = [
  ['offices.deactivate', { id: UNKNOWN_ID, cascade: 'true' }],
  ['offices.deactivate', { id: UNKNOWN_ID, cascade: 'false' }],
  ['offices.deactivate', { id: UNKNOWN_ID, cascade: 1 }],
  ['offices.deactivate', { id: UNKNOWN_ID, cascade: '' }],
  ['offices.delete', { id: UNKNOWN_ID, ifVersion: '1' }],
  ['imports.offices', { records: [{ name: 'x' }], dryRun: 'true' }],
  ['keys.rotate', { id: UNKNOWN_ID, overlapSeconds: '60' }],
  ['webhooks.rotate', { id: UNKNOWN_ID, overlapSeconds: '60' }],
  ['offices.create', { name: 5 }],
  ['offices.create', { name: true }],
  ['agents.update', { id: UNKNOWN_ID, licenses: [{ number: 5 }] }],
  ['offices.list', { limit: 'x' }],
  ['offices.list', { limit: '' }],
  ['offices.list', { limit: null }],
  ['offices.list', { limit: true }],
  ['offices.list', { includeTotal: 'yes' }],
  ['offices.list', { includeTotal: 1 }],
  ['agents.list', { createdSince: 5 }],
];

async function useRest(): Promise<void> {
  const requests: [method: string, path: string, body: object][] = [
    ['POST', '/imports/offices', { records: [{ name: 'x' }], isAtomic: true, dryRun: true }],
    ['PUT', `/keys/${UNKNOWN_ID}/rotate`, { overlapSeconds: 60 }],
    ['PUT', `/webhooks/${UNKNOWN_ID}/rotate`, { overlapSeconds: 60 }],
  ];
  for (const [method, path, body] of requests) await server.request(method, path, body);
  for (const resource of ['offices', 'agents'] as const) {
    const { id } = await directoryOf(server).create(resource);
    await directoryOf(server).patch(resource, id, { bio: 'x' });
    await directoryOf(server).list(resource, 'limit=5&includeTotal=true&createdSince=2026-01-31T08:00:00Z');
    await directoryOf(server).put(
      resource,
      id,
      'deactivate',
      resource === 'offices' ? { cascade: true } : {},
    );
    await directoryOf(server).put(resource, id, 'reactivate');
    await directoryOf(server).get(resource, id);
    await directoryOf(server).remove(resource, id);
    await directoryOf(server).put(resource, id, 'restore');
  }
}

describe('an RPC error', () => {
  it('is the same before and after every REST operation was called', async () => {
    const problems = async () =>
      Promise.all(mistyped.map(async (rpcCall) => essence(await problemOf(await call(server, rpcCall)))));
    const before = await problems();
    expect(new Set(before.map(({ status }) => status))).toEqual(new Set([400, 422]));
    await useRest();
    expect(await problems()).toEqual(before);
  });

  it.each(alike)('%j has the status and the problem of REST', async (rpcCall, [method, path, body]) => {
    const byRpc = await problemOf(await call(server, rpcCall));
    const response = await server.request(method, path, body);
    expect(response.status).toBe(byRpc.status);
    expect(essence(byRpc)).toEqual(essence(await bodyOf<Problem>(response)));
    expect(byRpc.instance).toBe(`/trpc/${rpcCall[0]}`);
  });

  it('that depends on stored records is that of REST', async () => {
    const office = await directoryOf(server).office();
    await directoryOf(server).agent({ officeId: office.id, email: 'ana@atlantico.example' });
    const dependents = await problemOf(await call(server, ['offices.delete', { id: office.id }]));
    expect(dependents).toMatchObject({ code: 'has_dependents', status: 409, dependents: { agents: 1 } });
    const taken = await problemOf(
      await call(server, ['agents.create', { ...person, email: 'ANA@atlantico.example' }]),
    );
    expect(taken).toMatchObject({
      code: 'email_taken',
      status: 409,
      errors: [{ pointer: '#/email', code: 'taken' }],
    });
  });

  it.each([
    ['an unknown procedure', 'GET', '/trpc/offices.burn', undefined, 'no_such_route'],
    ['a procedure named __proto__', 'GET', '/trpc/__proto__', undefined, 'no_such_route'],
    ['a procedure named offices.constructor', 'GET', '/trpc/offices.constructor', undefined, 'no_such_route'],
    ['a change by GET', 'GET', '/trpc/offices.create?input=%7B%7D', undefined, 'method_not_allowed'],
    ['a body that is cut off', 'POST', '/trpc/offices.create', '{"name":', 'invalid_json'],
    [
      'a body that is too large',
      'POST',
      '/trpc/offices.create',
      { name: 'x'.repeat(256 * 1024) },
      'payload_too_large',
    ],
    ['an input that is not JSON', 'GET', '/trpc/offices.get?input=%7B', undefined, 'invalid_json'],
  ])('for %s has the code of REST', async (_, method, path, body, code) => {
    const problem = await problemOf(await server.request(method, path, body));
    expect(problem.code).toBe(code);
  });

  it('for a body of another media type is 415', async () => {
    const response = await server.request('POST', '/trpc/offices.create', 'name=x', {
      'Content-Type': 'text/plain',
    });
    expect((await problemOf(response)).code).toBe('unsupported_media_type');
  });

  it('that is internal has nothing of its cause', async () => {
    await using broken = await startTestServer();
    await sql`alter table office rename record to json`.execute(broken.database.db);
    const response = await call(broken, ['offices.list', {}]);
    const text = await response.clone().text();
    expect((await problemOf(response)).code).toBe('internal');
    expect(text).not.toMatch(/bio|column|select|stack/);
  });
});

import type { Problem } from '@roster/api';
import { describe, expect, it } from 'vitest';
import { type Call, call, problemOf } from '../support/calls.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { useServer } from '../support/use-server.ts';
import { essence } from './essence.ts';

const server = useServer();

const UNKNOWN_ID = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

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
    ['agents.create', { lastName: ' ' }],
    ['POST', '/agents', { lastName: ' ' }],
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

describe('an RPC error', () => {
  it.each(alike)('%j has the status and the problem of REST', async (rpcCall, [method, path, body]) => {
    const byRpc = await problemOf(await call(server(), rpcCall));
    const response = await server().request(method, path, body);
    expect(response.status).toBe(byRpc.status);
    expect(essence(byRpc)).toEqual(essence(await bodyOf<Problem>(response)));
    expect(byRpc.instance).toBe(`/trpc/${rpcCall[0]}`);
  });

  it('that depends on stored records is that of REST', async () => {
    const office = await directoryOf(server()).office();
    await directoryOf(server()).agent({ officeId: office.id, email: 'ana@atlantico.example' });
    const dependents = await problemOf(await call(server(), ['offices.delete', { id: office.id }]));
    expect(dependents).toMatchObject({ code: 'has_dependents', status: 409, dependents: { agents: 1 } });
    const taken = await problemOf(
      await call(server(), ['agents.create', { ...person, email: 'ANA@atlantico.example' }]),
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
    const problem = await problemOf(await server().request(method, path, body));
    expect(problem.code).toBe(code);
  });

  it('for a body of another media type is 415', async () => {
    const response = await server().request('POST', '/trpc/offices.create', 'name=x', {
      'Content-Type': 'text/plain',
    });
    expect((await problemOf(response)).code).toBe('unsupported_media_type');
  });
});

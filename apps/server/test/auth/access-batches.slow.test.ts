import { type Operation, operations, scopes } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BATCH_MAX } from '../../src/http/rpc/routes.ts';
import {
  type AccessFixture,
  createAccessFixture,
  forEveryCaller,
  scopesTogether,
  UNKNOWN_ID,
} from '../support/auth/access.ts';
import { batch, type CallResult } from '../support/calls.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { inputFor, namesUnknown } from '../support/inputs.ts';

type Headers = Record<string, string>;

let server: TestServer;
let access: AccessFixture;
beforeAll(async () => {
  server = await startTestServer();
  access = await createAccessFixture(server);
});
afterAll(() => server[Symbol.asyncDispose]());

describe('a batch', () => {
  const types = ['query', 'mutation'] as const;
  const callsOf = (type: (typeof types)[number]) => operations.filter((operation) => operation.type === type);

  async function statusesOf(calls: Operation[], key: Headers): Promise<number[]> {
    const statuses: number[] = [];
    for (let from = 0; from < calls.length; from += BATCH_MAX) {
      const some = calls.slice(from, from + BATCH_MAX);
      const response = await batch(
        server,
        some.map((operation) => [operation.procedure, inputFor(operation, UNKNOWN_ID)]),
        key,
      );
      const results = (await response.json()) as CallResult | CallResult[];
      // A batch that is rejected as a whole gets one error, which tRPC's clients apply to each of its calls.
      const each = Array.isArray(results) ? results : some.map(() => results);
      statuses.push(...each.map(({ error }) => error?.data.httpStatus ?? 200));
    }
    return statuses;
  }

  it.each(types)('of every %s rejects only the calls whose scope is missing', async (type) => {
    const calls = callsOf(type);
    for (const scope of scopes) {
      const statuses = await statusesOf(calls, access.allBut.get(scope) ?? {});
      for (const [index, operation] of calls.entries()) {
        const served = namesUnknown(operation) ? 404 : 200;
        // One of two scopes that will do is never missing alone.
        const own = operation.orScopes.length === 0 && operation.scope ? [operation.scope] : [];
        const isOpen = forEveryCaller[operation.procedure] === 403;
        const needed = scopesTogether[operation.procedure] ?? (isOpen ? (['people:manage'] as const) : own);
        expect(statuses[index], operation.procedure).toBe(needed.includes(scope) ? 403 : served);
      }
    }
  });

  it.each(types)('of every %s rejects every call without a valid key', async (type) => {
    const calls = callsOf(type);
    for (const key of Object.values(access.invalid)) {
      expect(await statusesOf(calls, key)).toEqual(calls.map(() => 401));
    }
  });

  it('does not run the calls that it rejects, at any place in the batch', async () => {
    const key = access.only.get('offices:write') ?? {};
    const count = async () => {
      const { total } = (await (await server.request('GET', '/agents?includeTotal=true')).json()) as {
        total: number;
      };
      return total;
    };
    const before = await count();
    const agent = ['agents.create', { firstName: 'Ana', lastName: 'Smuggled' }] as const;
    const response = await batch(
      server,
      [[...agent], ['offices.create', { name: 'Allowed' }], [...agent]],
      key,
    );
    expect(response.status).toBe(207);
    expect(response.headers.get('WWW-Authenticate')).toContain('scope="agents:write"');
    expect(await response.json()).toMatchObject([
      { error: { data: { httpStatus: 403 } } },
      { result: { data: { name: 'Allowed' } } },
      { error: { data: { httpStatus: 403 } } },
    ]);
    expect(await count()).toBe(before);
  });
});

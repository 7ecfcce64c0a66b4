import { type Operation, operations, type Problem, resourceNames, scopes } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallResult, call } from '../calls.ts';
import { collections } from '../fixtures.ts';
import { startTestServer, type TestServer } from '../index.ts';
import { bodyFor, fileFor, inputFor, namesUnknown, pathFor } from '../inputs.ts';
import {
  type AccessFixture,
  createAccessFixture,
  forEveryCaller,
  idFor,
  scopesTogether,
  UNKNOWN_ID,
} from './access.ts';
import { bearer, keyWith } from './keys.ts';

type Headers = Record<string, string>;

/** How much of the matrix is tried: each operation with a few invalid keys and requests, or with all of them. */
export type Extent = 'few' | 'all';

/** The invalid keys that are tried of each operation if few are. */
const FEW_KEYS = ['no key', 'a garbage key', 'a revoked key'];
/** How many requests with different responses are tried of each operation if few are: a good one and one with an unknown id. */
const FEW_ATTEMPTS = 2;

let server: TestServer;
let access: AccessFixture;

interface Attempt {
  id: string;
  body?: unknown;
  headers?: Headers;
  query?: string;
}

/**
 * Requests that get different responses with the right scope. Those in `restOnly` have bodies that no procedure of RPC ever
 * gets, and it is the procedure that checks the scope in RPC.
 */
function attemptsAt(operation: Operation): { anywhere: Attempt[]; restOnly: Attempt[] } {
  const id = idFor(operation, access);
  const body = bodyFor(operation);
  const onBoth: Attempt[] = [
    { id, body },
    { id: UNKNOWN_ID, body },
    { id: 'no-uuid', body },
    { id, body, query: '?unknown=1&unknown=2' },
    { id, body, headers: { 'If-Match': 'no tag' } },
    { id, body, headers: { 'If-Match': '"99"', 'If-None-Match': '*' } },
    { id, body, headers: { 'Idempotency-Key': '"' } },
  ];
  if (body === undefined) return { anywhere: onBoth, restOnly: [] };
  const anywhere = [
    ...onBoth,
    { id, body: { ...body, status: 5, unknown: true } },
    { id, body: '{"name": ' },
  ];
  const restOnly = [
    { id, body: new Uint8Array([0x22, 0xff, 0x22]) },
    { id, body: 'name=x', headers: { 'Content-Type': 'text/plain' } },
    { id, body: JSON.stringify({ bio: 'x'.repeat(300_000) }) },
  ];
  return { anywhere, restOnly };
}

/** What responses have in common: all but the id, the path and the time of the request, and whether a long body ends the connection. */
async function essenceOf(response: Response, problemOf: (body: unknown) => Problem | undefined) {
  const { instance: _, requestId: __, ...problem } = problemOf(await response.json()) ?? ({} as Problem);
  const {
    date,
    'x-request-id': ___,
    'content-length': ____,
    connection: _____,
    'keep-alive': ______,
    ...headers
  } = Object.fromEntries(response.headers);
  return { status: response.status, problem, headers };
}

function byRest(operation: Operation, { id, body, headers, query = '' }: Attempt, key: Headers) {
  const path = `${pathFor(operation, id)}${query}`;
  const file = fileFor(operation);
  return server
    .request(operation.method, path, body ?? file.body, { ...file.headers, ...headers, ...key })
    .then((response) => essenceOf(response, (problem) => problem as Problem));
}

function byRpc(operation: Operation, { id, body, headers }: Attempt, key: Headers) {
  const input = typeof body === 'string' ? body : { ...inputFor(operation, id), ...(body ?? {}) };
  return call(server, [operation.procedure, input], { ...headers, ...key }).then((response) =>
    essenceOf(response, (result) => (result as CallResult).error?.data.problem),
  );
}

/** Expects that every attempt is rejected in the same way: with one status, one error code and one challenge. */
async function expectRejected(
  operation: Operation,
  key: Headers,
  expected: object,
  extent: Extent,
): Promise<void> {
  const { anywhere, restOnly } = attemptsAt(operation);
  const count = extent === 'few' ? FEW_ATTEMPTS : undefined;
  for (const [send, attempts] of [
    [byRest, [...anywhere, ...restOnly].slice(0, count)],
    [byRpc, anywhere.slice(0, count)],
  ] as const) {
    const results = await Promise.all(attempts.map((attempt) => send(operation, attempt, key)));
    const [first] = results;
    expect(first).toMatchObject(expected);
    for (const [index, result] of results.entries()) {
      expect(result, `${send.name} ${operation.procedure}, attempt ${index}`).toEqual(first);
    }
    expect(first?.headers).not.toHaveProperty('etag');
  }
}

const unauthenticated = {
  status: 401,
  problem: { code: 'unauthenticated', status: 401 },
  headers: { 'www-authenticate': 'Bearer realm="Roster"' },
};

/** With the scheme Bearer there is a token, and the challenge says that it is invalid (RFC 6750, section 3.1). */
const challengeOf = ({ Authorization = '' }: Record<string, string>) => ({
  ...unauthenticated,
  headers: {
    'www-authenticate': `Bearer realm="Roster"${Authorization.startsWith('Bearer ') ? ', error="invalid_token"' : ''}`,
  },
});

function invalidKeys(extent: Extent): [string, Headers][] {
  return Object.entries(access.invalid).filter(([what]) => extent === 'all' || FEW_KEYS.includes(what));
}

/** Declares the tests of who may call each operation, over REST and RPC. */
export function describeAccessMatrix(extent: Extent): void {
  beforeAll(async () => {
    server = await startTestServer();
    access = await createAccessFixture(server);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const keys = extent === 'all' ? 'every invalid key' : FEW_KEYS.join(', ');
  const requests = extent === 'all' ? 'whatever the request' : 'with a known and an unknown id';
  describe.each(operations.map((operation) => [operation.procedure, operation] as const))(
    '%s',
    (_, operation) => {
      it(`is 401 with ${keys}, over REST and RPC`, async () => {
        const attempt = { id: idFor(operation, access), body: bodyFor(operation) };
        for (const [what, key] of invalidKeys(extent)) {
          expect(await byRest(operation, attempt, key), what).toMatchObject(challengeOf(key));
          expect(await byRpc(operation, attempt, key), what).toMatchObject(challengeOf(key));
        }
      });

      it(`is 401 without a key, over REST and RPC, ${requests}`, async () => {
        await expectRejected(operation, { Authorization: '' }, unauthenticated, extent);
      });

      it(`is 403 with every scope but its own, over REST and RPC, ${requests}`, async () => {
        const { scope, orScopes } = operation;
        if (scope === undefined) return;
        const either = [scope, ...orScopes];
        const others = scopes.filter((one) => !either.includes(one));
        const key =
          orScopes.length > 0 ? bearer((await keyWith(server, others)).secret) : access.allBut.get(scope);
        await expectRejected(
          operation,
          key ?? {},
          {
            status: 403,
            problem: {
              code: 'insufficient_scope',
              detail: `The key needs the scope ${either.join(' or ')}.`,
            },
            headers: {
              'www-authenticate': `Bearer realm="Roster", error="insufficient_scope", scope="${either.join(' ')}"`,
            },
          },
          extent,
        );
      });

      it('is allowed to a key with its scope alone, over REST and RPC', async () => {
        const { scope, orScopes, procedure } = operation;
        if (scope === undefined) return;
        for (const one of [scope, ...orScopes]) {
          // The file is one of the first resource.
          if (operation.fileTypes !== undefined && !one.startsWith(resourceNames[0])) continue;
          const needed = scopesTogether[procedure];
          const key = needed ? bearer((await keyWith(server, needed)).secret) : access.only.get(one);
          // With an unknown id, so that one operation does not change the record of the next.
          const attempt = () => ({ id: UNKNOWN_ID, body: bodyFor(operation) });
          const expected = namesUnknown(operation) ? 404 : operation.status;
          expect((await byRest(operation, attempt(), key ?? {})).status).toBe(expected);
          expect((await byRpc(operation, attempt(), key ?? {})).status).toBe(expected === 404 ? 404 : 200);
        }
      });
    },
  );

  it('what needs no scope is served to every key, over REST and RPC, as far as it is about the key itself', async () => {
    const open = operations.filter(({ scope }) => scope === undefined);
    expect(open.map(({ procedure }) => procedure).sort()).toEqual(Object.keys(forEveryCaller).sort());
    for (const operation of open) {
      const status = forEveryCaller[operation.procedure] ?? 0;
      for (const id of [UNKNOWN_ID, idFor(operation, access)]) {
        const attempt = { id, body: bodyFor(operation) };
        for (const key of access.only.values()) {
          if (key === access.only.get('people:manage')) continue;
          expect((await byRest(operation, attempt, key)).status, operation.procedure).toBe(status);
          expect((await byRpc(operation, attempt, key)).status, operation.procedure).toBe(status);
        }
      }
    }
  });

  it('a rejected request changes nothing', async () => {
    for (const collection of collections) {
      const record = await server.request('GET', `/${collection}/${access.ids[collection]}`);
      expect(await record.json()).toMatchObject({ status: 'active', version: 1 });
    }
    const key = await server.request('GET', `/keys/${access.ids.keys}`);
    expect(await key.json()).toMatchObject({ revokedAt: null, lastUsedAt: null, name: 'A key' });
  });
}

import { type Operation, operations, type Problem, type Scope, scopes } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batch, type CallAnswer, call } from '../support/calls.ts';
import { directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { bodyFor, inputFor, pathFor } from '../support/inputs.ts';
import { bearer, keyWith, unknownSecret } from '../support/keys.ts';
import { webhooksOf } from '../support/webhooks.ts';

const NOBODY = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
type Headers = Record<string, string>;

let server: TestServer;
let ids: Record<string, string>;
/** Every way of calling without a valid key, by what is wrong with it. */
let invalid: Record<string, Headers>;
/** For each scope, a key with every scope but this one, and a key with this one alone. */
const allBut = new Map<Scope, Headers>();
const only = new Map<Scope, Headers>();
/** Operations that need the read scope of each type of events they name beside their own: keys with just these. */
const withRead = new Map<string, Headers>();

/** What an operation needs for the least that it does, where that is more than its scope. */
const scopesOfTypes: Record<string, Scope[]> = {
  'events.list': ['events:read', 'offices:read', 'agents:read'],
  'webhooks.create': ['webhooks:manage', 'offices:read'],
};

beforeAll(async () => {
  server = await startTestServer();
  const directory = directoryOf(server);
  const [office, agent] = await Promise.all([directory.office(), directory.agent()]);
  const victim = await keyWith(server, ['offices:read']);
  const spare = await directory.office();
  const webhook = await webhooksOf(server).create({ url: 'http://127.0.0.1:9/', types: ['office.purged'] });
  ids = { offices: office.id, agents: agent.id, keys: victim.id, webhooks: webhook.id, spare: spare.id };
  const revoked = await keyWith(server, scopes);
  await server.request('PUT', `/keys/${revoked.id}/revoke`);
  const rotated = await keyWith(server, scopes);
  await server.request('PUT', `/keys/${rotated.id}/rotate`, { overlapSeconds: 0 });
  const expired = await keyWith(server, scopes, { expiresAt: '2020-01-01T00:00:00Z' });
  invalid = {
    'no key': { Authorization: '' },
    'another scheme': { Authorization: `Basic ${btoa(`ana:${victim.secret}`)}` },
    'a malformed header': { Authorization: `Bearer ${victim.secret} ${victim.secret}` },
    'the key without a scheme': { Authorization: victim.secret },
    'a garbage key': bearer('rst_garbage'),
    'a key with a character changed': bearer(`${victim.secret.slice(0, -1)}g`),
    'a well-formed key that does not exist': bearer(unknownSecret()),
    'a revoked key': bearer(revoked.secret),
    'a key that was rotated away': bearer(rotated.secret),
    'an expired key': bearer(expired.secret),
  };
  for (const scope of scopes) {
    const others = scopes.filter((other) => other !== scope);
    allBut.set(scope, bearer((await keyWith(server, others)).secret));
    only.set(scope, bearer((await keyWith(server, [scope])).secret));
  }
  for (const [procedure, needed] of Object.entries(scopesOfTypes)) {
    withRead.set(procedure, bearer((await keyWith(server, needed)).secret));
  }
});
afterAll(() => server[Symbol.asyncDispose]());

function idFor({ procedure }: Operation): string {
  return ids[procedure.split('.')[0] ?? ''] ?? NOBODY;
}

interface Attempt {
  id: string;
  body?: unknown;
  headers?: Headers;
  query?: string;
}

/**
 * Requests that would have different answers for somebody who may ask. The first are for both doors; the others are
 * about bodies that never reach RPC's procedures, which is where RPC asks for the scope.
 */
function attemptsAt(operation: Operation): { anywhere: Attempt[]; restOnly: Attempt[] } {
  const id = idFor(operation);
  const body = bodyFor(operation);
  const any: Attempt[] = [
    { id, body },
    { id: NOBODY, body },
    { id: 'no-uuid', body },
    { id, body, query: '?unknown=1&unknown=2' },
    { id, body, headers: { 'If-Match': 'no tag' } },
    { id, body, headers: { 'If-Match': '"99"', 'If-None-Match': '*' } },
    { id, body, headers: { 'Idempotency-Key': '"' } },
  ];
  if (body === undefined) return { anywhere: any, restOnly: [] };
  const anywhere = [...any, { id, body: { ...body, status: 5, unknown: true } }, { id, body: '{"name": ' }];
  const restOnly = [
    { id, body: new Uint8Array([0x22, 0xff, 0x22]) },
    { id, body: 'name=x', headers: { 'Content-Type': 'text/plain' } },
    { id, body: JSON.stringify({ bio: 'x'.repeat(300_000) }) },
  ];
  return { anywhere, restOnly };
}

/** All of an answer but what names the request. */
async function essenceOf(response: Response, problemOf: (body: unknown) => Problem | undefined) {
  const { instance: _, requestId: __, ...problem } = problemOf(await response.json()) ?? ({} as Problem);
  const {
    date,
    'x-request-id': ___,
    'content-length': ____,
    ...headers
  } = Object.fromEntries(response.headers);
  return { status: response.status, problem, headers };
}

function byRest(operation: Operation, { id, body, headers, query = '' }: Attempt, key: Headers) {
  const path = `${pathFor(operation, id)}${query}`;
  return server
    .request(operation.method, path, body, { ...headers, ...key })
    .then((response) => essenceOf(response, (problem) => problem as Problem));
}

function byRpc(operation: Operation, { id, body, headers }: Attempt, key: Headers) {
  const input = typeof body === 'string' ? body : { ...inputFor(operation, id), ...(body ?? {}) };
  return call(server, [operation.procedure, input], { ...headers, ...key }).then((response) =>
    essenceOf(response, (answer) => (answer as CallAnswer).error?.data.problem),
  );
}

/** Refuses every attempt alike: with one status, one reason and one challenge, whatever was asked for. */
async function expectRefused(operation: Operation, key: Headers, expected: object): Promise<void> {
  const { anywhere, restOnly } = attemptsAt(operation);
  for (const [send, attempts] of [
    [byRest, [...anywhere, ...restOnly]],
    [byRpc, anywhere],
  ] as const) {
    const answers = await Promise.all(attempts.map((attempt) => send(operation, attempt, key)));
    const [first] = answers;
    expect(first).toMatchObject(expected);
    for (const [index, answer] of answers.entries()) {
      expect(answer, `${send.name} ${operation.procedure}, attempt ${index}`).toEqual(first);
    }
    expect(first?.headers).not.toHaveProperty('etag');
  }
}

const unauthenticated = {
  status: 401,
  problem: { code: 'unauthenticated', status: 401 },
  headers: { 'www-authenticate': 'Bearer realm="Roster"' },
};

/** What comes with the scheme Bearer is a token, and one that is not valid (RFC 6750, section 3.1). */
const challengeOf = ({ Authorization = '' }: Record<string, string>) => ({
  ...unauthenticated,
  headers: {
    'www-authenticate': `Bearer realm="Roster"${Authorization.startsWith('Bearer ') ? ', error="invalid_token"' : ''}`,
  },
});

describe.each(operations.map((operation) => [operation.procedure, operation] as const))(
  '%s',
  (_, operation) => {
    it('is 401 with every key that is not valid, by REST and RPC', async () => {
      const attempt = { id: idFor(operation), body: bodyFor(operation) };
      for (const [what, key] of Object.entries(invalid)) {
        expect(await byRest(operation, attempt, key), what).toMatchObject(challengeOf(key));
        expect(await byRpc(operation, attempt, key), what).toMatchObject(challengeOf(key));
      }
    });

    it('is 401 without a key, by REST and RPC, whatever is asked for', async () => {
      await expectRefused(operation, { Authorization: '' }, unauthenticated);
    });

    it('is 403 with every scope but its own, by REST and RPC, whatever is asked for', async () => {
      const { scope } = operation;
      await expectRefused(operation, allBut.get(scope) ?? {}, {
        status: 403,
        problem: { code: 'insufficient_scope', detail: `The key needs the scope ${scope}.` },
        headers: {
          'www-authenticate': `Bearer realm="Roster", error="insufficient_scope", scope="${scope}"`,
        },
      });
    });

    it('is open to a key with its scope alone, by REST and RPC', async () => {
      const key = withRead.get(operation.procedure) ?? only.get(operation.scope) ?? {};
      // An id that nobody has, so that one operation does not spoil the record of the next.
      const attempt = { id: NOBODY, body: bodyFor(operation) };
      const expected = operation.pathParameters.length > 0 ? 404 : operation.status;
      expect((await byRest(operation, attempt, key)).status).toBe(expected);
      expect((await byRpc(operation, attempt, key)).status).toBe(expected === 404 ? 404 : 200);
    });
  },
);

/** Where two resources meet: a request, and the scopes that it needs together. */
const meetings: [what: string, needed: Scope[], method: string, path: () => string, body?: object][] = [
  [
    'deactivating an office with its agents',
    ['offices:write', 'agents:write'],
    'PUT',
    () => `/offices/${ids.spare}/deactivate`,
    { cascade: true },
  ],
  ['agents with their offices', ['agents:read', 'offices:read'], 'GET', () => '/agents?expand=office'],
  [
    'events of every type',
    ['events:read', 'offices:read', 'agents:read'],
    'GET',
    () => '/events?after=latest',
  ],
  [
    'events of both records',
    ['events:read', 'offices:read', 'agents:read'],
    'GET',
    () => '/events?types=office.created&types=agent.created',
  ],
  ['events of offices', ['events:read', 'offices:read'], 'GET', () => '/events?types=office.created'],
  ['events of agents', ['events:read', 'agents:read'], 'GET', () => '/events?types=agent.created'],
  ['events of keys', ['events:read', 'keys:manage'], 'GET', () => '/events?types=key.created'],
  ['events of webhooks', ['events:read', 'webhooks:manage'], 'GET', () => '/events?types=webhook.created'],
  ['the stream of every type', ['events:read', 'offices:read', 'agents:read'], 'GET', () => '/events/stream'],
  ['the stream of agents', ['events:read', 'agents:read'], 'GET', () => '/events/stream?types=agent.created'],
  [
    'a webhook of every type',
    ['webhooks:manage', 'offices:read', 'agents:read'],
    'POST',
    () => '/webhooks',
    { url: 'http://127.0.0.1:9/' },
  ],
  [
    'a webhook of agents',
    ['webhooks:manage', 'agents:read'],
    'POST',
    () => '/webhooks',
    { url: 'http://127.0.0.1:9/', types: ['agent.purged'] },
  ],
  [
    'sending the events of a webhook elsewhere',
    ['webhooks:manage', 'offices:read'],
    'PATCH',
    () => `/webhooks/${ids.webhooks}`,
    { url: 'http://127.0.0.1:9/' },
  ],
  [
    'giving a webhook of offices those of agents',
    ['webhooks:manage', 'offices:read', 'agents:read'],
    'PATCH',
    () => `/webhooks/${ids.webhooks}`,
    { types: ['office.purged', 'agent.purged'] },
  ],
  [
    'replaying a webhook',
    ['webhooks:manage', 'offices:read', 'agents:read'],
    'PUT',
    () => `/webhooks/${ids.webhooks}/replay`,
    { after: '0' },
  ],
  [
    'rotating the secret of a webhook',
    ['webhooks:manage', 'offices:read', 'agents:read'],
    'PUT',
    () => `/webhooks/${ids.webhooks}/rotate`,
  ],
];

describe.each(meetings)('%s', (_, needed, method, path, body) => {
  const statusOf = async (given: readonly Scope[]) => {
    const key = bearer((await keyWith(server, given)).secret);
    const response = await server.request(method, path(), body, key);
    await response.body?.cancel();
    const challenge = response.headers.get('WWW-Authenticate');
    return { status: response.status, challenge };
  };

  it(`needs ${needed.join(' and ')}`, async () => {
    for (const missing of needed) {
      const given = scopes.filter((scope) => scope !== missing);
      expect(await statusOf(given), missing).toEqual({
        status: 403,
        challenge: `Bearer realm="Roster", error="insufficient_scope", scope="${missing}"`,
      });
    }
    expect((await statusOf(needed)).status).toBeLessThan(300);
  });
});

/** Calls in one batch at most. */
const BATCH_MAX = 20;

describe('a batch', () => {
  const types = ['query', 'mutation'] as const;
  const callsOf = (type: (typeof types)[number]) => operations.filter((operation) => operation.type === type);

  async function statusesOf(calls: Operation[], key: Headers): Promise<number[]> {
    const statuses: number[] = [];
    for (let from = 0; from < calls.length; from += BATCH_MAX) {
      const some = calls.slice(from, from + BATCH_MAX);
      const response = await batch(
        server,
        some.map((operation) => [operation.procedure, inputFor(operation, NOBODY)]),
        key,
      );
      const answers = (await response.json()) as CallAnswer | CallAnswer[];
      // A batch that is rejected as a whole gets one answer, which tRPC's clients give to each of its calls.
      const each = Array.isArray(answers) ? answers : some.map(() => answers);
      statuses.push(...each.map(({ error }) => error?.data.httpStatus ?? 200));
    }
    return statuses;
  }

  it.each(types)('of every %s refuses just the calls whose scope is missing', async (type) => {
    const calls = callsOf(type);
    for (const scope of scopes) {
      const statuses = await statusesOf(calls, allBut.get(scope) ?? {});
      for (const [index, operation] of calls.entries()) {
        const served = operation.pathParameters.length > 0 ? 404 : 200;
        const needed = scopesOfTypes[operation.procedure] ?? [operation.scope];
        expect(statuses[index], operation.procedure).toBe(needed.includes(scope) ? 403 : served);
      }
    }
  });

  it.each(types)('of every %s refuses every call without a valid key', async (type) => {
    const calls = callsOf(type);
    for (const key of Object.values(invalid)) {
      expect(await statusesOf(calls, key)).toEqual(calls.map(() => 401));
    }
  });

  it('runs nothing of what it refuses, wherever in the batch that stands', async () => {
    const key = only.get('offices:write') ?? {};
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

it('changes nothing for those it refuses', async () => {
  for (const collection of ['offices', 'agents']) {
    const record = await server.request('GET', `/${collection}/${ids[collection]}`);
    expect(await record.json()).toMatchObject({ status: 'active', version: 1 });
  }
  const key = await server.request('GET', `/keys/${ids.keys}`);
  expect(await key.json()).toMatchObject({ revokedAt: null, lastUsedAt: null, name: 'A key' });
});

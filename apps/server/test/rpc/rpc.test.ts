import { operations, type Problem } from '@roster/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, bodyOf, directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const NOBODY = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

interface RpcAnswer {
  result?: { data: Body };
  error?: { message: string; code: number; data: { code: string; httpStatus: number; problem: Problem } };
}
type Call = [procedure: string, input: unknown];

const typeOf = new Map(operations.map(({ procedure, type }) => [procedure, type]));

function send([procedure, input]: Call, to: Pick<TestServer, 'request'> = server): Promise<Response> {
  if (typeOf.get(procedure) === 'mutation') return to.request('POST', `/trpc/${procedure}`, input);
  return to.request('GET', `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`);
}

/** A refused call: what it was refused with, which must be of one piece. */
async function refused(response: Response): Promise<Problem> {
  const { error } = await bodyOf<RpcAnswer>(response);
  if (error === undefined) throw new Error('the call was not refused');
  const { httpStatus, problem } = error.data;
  expect(response.status).toBe(problem.status);
  expect(httpStatus).toBe(problem.status);
  expect(error.message).toBe(problem.detail);
  expect(response.headers.get('X-Request-Id')).toBe(problem.requestId);
  return problem;
}

/** What is the same on every door: all but the names of the request. */
function essence({ instance: _, requestId: __, ...rest }: Problem) {
  return rest;
}

const person = { firstName: 'Ana', lastName: 'Silva' };
/** The same refusal, by RPC and by REST. */
const refusals: [call: Call, rest: [method: string, path: string, body?: unknown]][] = [
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
    ['agents.create', { ...person, officeId: NOBODY }],
    ['POST', '/agents', { ...person, officeId: NOBODY }],
  ],
  [
    ['agents.get', { id: NOBODY }],
    ['GET', `/agents/${NOBODY}`],
  ],
  [
    ['agents.get', { id: '17' }],
    ['GET', '/agents/17'],
  ],
  [
    ['agents.delete', { id: NOBODY }],
    ['DELETE', `/agents/${NOBODY}`],
  ],
  [
    ['offices.update', { id: NOBODY, version: 3 }],
    ['PATCH', `/offices/${NOBODY}`, { version: 3 }],
  ],
  [
    ['offices.update', { id: NOBODY, bio: 'x' }],
    ['PATCH', `/offices/${NOBODY}`, { bio: 'x' }],
  ],
  [
    ['offices.deactivate', { id: NOBODY, cascade: 'true' }],
    ['PUT', `/offices/${NOBODY}/deactivate`, { cascade: 'true' }],
  ],
  [
    ['agents.deactivate', { id: NOBODY, reason: 5 }],
    ['PUT', `/agents/${NOBODY}/deactivate`, { reason: 5 }],
  ],
  [
    ['agents.reactivate', { id: NOBODY }],
    ['PUT', `/agents/${NOBODY}/reactivate`],
  ],
  [
    ['offices.restore', { id: NOBODY }],
    ['PUT', `/offices/${NOBODY}/restore`],
  ],
];

/** What RPC must go on refusing: a REST call may not teach it to read text as something else. */
const loose: Call[] = [
  ['offices.deactivate', { id: NOBODY, cascade: 'true' }],
  ['offices.deactivate', { id: NOBODY, cascade: 'false' }],
  ['offices.deactivate', { id: NOBODY, cascade: 1 }],
  ['offices.deactivate', { id: NOBODY, cascade: '' }],
  ['offices.delete', { id: NOBODY, ifVersion: '1' }],
  ['imports.offices', { records: [{ name: 'x' }], dryRun: 'true' }],
  ['keys.rotate', { id: NOBODY, overlapSeconds: '60' }],
  ['webhooks.rotate', { id: NOBODY, overlapSeconds: '60' }],
  ['offices.create', { name: 5 }],
  ['offices.create', { name: true }],
  ['agents.update', { id: NOBODY, licenses: [{ number: 5 }] }],
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
    ['PUT', `/keys/${NOBODY}/rotate`, { overlapSeconds: 60 }],
    ['PUT', `/webhooks/${NOBODY}/rotate`, { overlapSeconds: 60 }],
  ];
  for (const [method, path, body] of requests) await server.request(method, path, body);
  for (const noun of ['offices', 'agents'] as const) {
    const { id } = await directoryOf(server).create(noun);
    await directoryOf(server).patch(noun, id, { bio: 'x' });
    await directoryOf(server).list(noun, 'limit=5&includeTotal=true&createdSince=2026-01-31T08:00:00Z');
    await directoryOf(server).put(noun, id, 'deactivate', noun === 'offices' ? { cascade: true } : {});
    await directoryOf(server).put(noun, id, 'reactivate');
    await directoryOf(server).get(noun, id);
    await directoryOf(server).remove(noun, id);
    await directoryOf(server).put(noun, id, 'restore');
  }
}

describe('an RPC refusal', () => {
  it('is the same before and after every REST operation was called', async () => {
    const answers = async () =>
      Promise.all(loose.map(async (call) => essence(await refused(await send(call)))));
    const before = await answers();
    expect(new Set(before.map(({ status }) => status))).toEqual(new Set([400, 422]));
    await useRest();
    expect(await answers()).toEqual(before);
  });

  it.each(refusals)('%j is that of REST, status and problem', async (call, [method, path, body]) => {
    const byRpc = await refused(await send(call));
    const response = await server.request(method, path, body);
    expect(response.status).toBe(byRpc.status);
    expect(essence(byRpc)).toEqual(essence(await bodyOf<Problem>(response)));
    expect(byRpc.instance).toBe(`/trpc/${call[0]}`);
  });

  it('for what only records can tell is that of REST', async () => {
    const office = await directoryOf(server).office();
    await directoryOf(server).agent({ officeId: office.id, email: 'ana@atlantico.example' });
    const dependents = await refused(await send(['offices.delete', { id: office.id }]));
    expect(dependents).toMatchObject({ code: 'has_dependents', status: 409, dependents: { agents: 1 } });
    const taken = await refused(await send(['agents.create', { ...person, email: 'ANA@atlantico.example' }]));
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
    ['an input that is no JSON', 'GET', '/trpc/offices.get?input=%7B', undefined, 'invalid_json'],
  ])('says of %s what REST would', async (_, method, path, body, code) => {
    const problem = await refused(await server.request(method, path, body));
    expect(problem.code).toBe(code);
  });

  it('for a body that is no JSON by its name is 415', async () => {
    const response = await server.request('POST', '/trpc/offices.create', 'name=x', {
      'Content-Type': 'text/plain',
    });
    expect((await refused(response)).code).toBe('unsupported_media_type');
  });

  it('that is internal says nothing of its cause', async () => {
    await using broken = await startTestServer();
    await sql`alter table office rename record to json`.execute(broken.database.db);
    const response = await send(['offices.list', {}], broken);
    const text = await response.clone().text();
    expect((await refused(response)).code).toBe('internal');
    expect(text).not.toMatch(/bio|column|select|stack/);
  });
});

describe('an RPC call', () => {
  it('answers what REST answers', async () => {
    const { result } = await bodyOf<RpcAnswer>(await send(['offices.create', { name: 'Αθήνα' }]));
    const id = String(result?.data.id);
    const byRest = await directoryOf(server).get('offices', id);
    expect(result?.data).toEqual(byRest);
    const read = await bodyOf<RpcAnswer>(await send(['offices.get', { id }]));
    expect(read.result?.data).toEqual(byRest);
    const gone = await send(['offices.delete', { id }]);
    expect(gone.status).toBe(200);
    expect((await bodyOf<RpcAnswer>(gone)).result?.data).toBeUndefined();
  });

  it('takes numbers and booleans as what they are', async () => {
    const { result } = await bodyOf<RpcAnswer>(
      await send(['offices.list', { limit: 1, includeTotal: true, status: 'active' }]),
    );
    expect(result?.data).toEqual({
      items: [expect.any(Object)],
      nextCursor: expect.any(String),
      total: expect.any(Number),
    });
  });
});

describe("an infinite query of tRPC's hooks", () => {
  const names = ['Alentejo Beja', 'Alentejo Elvas', 'Alentejo Serpa'];

  it('reads page after page, with null for the first cursor and the direction beside every one', async () => {
    const directory = directoryOf(server);
    for (const name of names) await directory.create('offices', { name });
    const seen: unknown[] = [];
    for (let cursor: unknown = null; cursor !== undefined; ) {
      const input = { sort: 'name', q: 'alentejo', limit: 1, direction: 'forward' };
      const response = await send(['offices.list', { ...input, cursor }]);
      const { result } = await bodyOf<RpcAnswer>(response);
      const { items = [], nextCursor } = result?.data ?? {};
      seen.push(...(items as { name: string }[]).map(({ name }) => name));
      cursor = nextCursor;
    }
    expect(seen).toEqual(names);
  });

  it.each(['offices.list', 'agents.list', 'keys.list', 'webhooks.list'])(
    'of %s is taken forward, and refused backward with a sentence',
    async (procedure) => {
      expect((await send([procedure, { cursor: null, direction: 'forward' }])).status).toBe(200);
      const { code, errors } = await refused(await send([procedure, { direction: 'backward' }]));
      expect(code).toBe('invalid_parameter');
      expect(errors).toEqual([{ parameter: 'direction', code: 'invalid_choice', detail: 'must be forward' }]);
    },
  );

  it('has no direction in REST, where it would say nothing', async () => {
    const response = await server.request('GET', '/offices?direction=forward');
    expect((await bodyOf<Problem>(response)).errors).toEqual([
      {
        parameter: 'direction',
        code: 'unknown_parameter',
        detail: 'is not a parameter of this operation',
      },
    ]);
  });
});

describe('a batch', () => {
  const batch = (count: number, input: unknown = {}) => {
    const names = Array.from({ length: count }, () => 'offices.list').join(',');
    const inputs = Object.fromEntries(Array.from({ length: count }, (_, index) => [index, input]));
    return server.request(
      'GET',
      `/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`,
    );
  };

  it('of 20 calls is answered call by call', async () => {
    const response = await batch(20);
    expect(response.status).toBe(200);
    const answers = await bodyOf<RpcAnswer[]>(response);
    expect(answers.length).toBe(20);
    expect(answers.every(({ result }) => Array.isArray(result?.data.items))).toBe(true);
  });

  it('of 21 calls is refused as a whole, with a problem', async () => {
    const response = await batch(21);
    expect(response.status).toBe(400);
    const body = await bodyOf<RpcAnswer | RpcAnswer[]>(response);
    const [first] = [body].flat();
    expect(first?.error?.data.problem).toMatchObject({ code: 'bad_request', status: 400 });
    expect(JSON.stringify(body)).not.toContain('"items"');
  });

  it('answers good and bad calls side by side', async () => {
    const inputs = encodeURIComponent(JSON.stringify({ 0: { limit: 1 }, 1: { id: NOBODY } }));
    const response = await server.request('GET', `/trpc/offices.list,offices.get?batch=1&input=${inputs}`);
    expect(response.status).toBe(207);
    const [good, bad] = await bodyOf<RpcAnswer[]>(response);
    expect(good?.result).toBeDefined();
    expect(bad?.error?.data.problem).toMatchObject({ code: 'not_found', status: 404 });
  });
});

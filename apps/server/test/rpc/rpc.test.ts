import type { Problem } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batch, type CallResult, call, problemOf } from '../support/calls.ts';
import { type Body, bodyOf, directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const UNKNOWN_ID = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

describe('an RPC call', () => {
  it('returns the record that REST returns', async () => {
    const { result } = await bodyOf<CallResult<Body>>(
      await call(server, ['offices.create', { name: 'Αθήνα' }]),
    );
    const id = String(result?.data.id);
    const byRest = await directoryOf(server).get('offices', id);
    expect(result?.data).toEqual(byRest);
    const read = await bodyOf<CallResult<Body>>(await call(server, ['offices.get', { id }]));
    expect(read.result?.data).toEqual(byRest);
    const deleted = await call(server, ['offices.delete', { id }]);
    expect(deleted.status).toBe(200);
    expect((await bodyOf<CallResult<Body>>(deleted)).result?.data).toBeUndefined();
  });

  it('accepts numbers and booleans', async () => {
    await Promise.all([directoryOf(server).office(), directoryOf(server).office()]);
    const { result } = await bodyOf<CallResult<Body>>(
      await call(server, ['offices.list', { limit: 1, includeTotal: true, status: 'active' }]),
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
      const response = await call(server, ['offices.list', { ...input, cursor }]);
      const { result } = await bodyOf<CallResult<Body>>(response);
      const { items = [], nextCursor } = result?.data ?? {};
      seen.push(...(items as { name: string }[]).map(({ name }) => name));
      cursor = nextCursor;
    }
    expect(seen).toEqual(names);
  });

  it.each(['offices.list', 'agents.list', 'keys.list', 'webhooks.list'])(
    'of %s is accepted forward, and backward with the cursor of a page before alone',
    async (procedure) => {
      expect((await call(server, [procedure, { cursor: null, direction: 'forward' }])).status).toBe(200);
      const { code, detail } = await problemOf(await call(server, [procedure, { direction: 'backward' }]));
      expect(code).toBe('invalid_cursor');
      expect(detail).toBe('The direction backward requires a prevCursor as the cursor.');
    },
  );

  it('reads the pages before, which are fetched again forward', async () => {
    const input = { sort: 'name', q: 'alentejo', limit: 1, startAt: 'Alentejo Elvas' };
    const page = async (more: Body) => {
      const response = await call(server, ['offices.list', { ...input, ...more }]);
      const { result } = await bodyOf<CallResult<Body>>(response);
      const { items = [], ...cursors } = result?.data ?? {};
      return { ...cursors, names: (items as { name: string }[]).map(({ name }) => name) };
    };
    const first: Body = await page({ cursor: null, direction: 'forward' });
    expect(first.names).toEqual(['Alentejo Elvas']);
    for (const direction of ['backward', 'forward']) {
      const before: Body = await page({ cursor: first.prevCursor, direction });
      expect(before).toEqual({ names: ['Alentejo Beja'], nextCursor: expect.any(String) });
      expect((await page({ cursor: before.nextCursor, direction: 'forward' })).names).toEqual(first.names);
    }
  });

  it('has no direction in REST', async () => {
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
  const listOffices = (count: number) =>
    batch(
      server,
      Array.from({ length: count }, () => ['offices.list', {}]),
    );

  it('of 20 calls returns a result for each', async () => {
    const response = await listOffices(20);
    expect(response.status).toBe(200);
    const results = await bodyOf<CallResult<Body>[]>(response);
    expect(results.length).toBe(20);
    expect(results.every(({ result }) => Array.isArray(result?.data.items))).toBe(true);
  });

  it('of 21 calls is rejected as a whole, with a problem', async () => {
    const response = await listOffices(21);
    expect(response.status).toBe(400);
    const body = await bodyOf<CallResult<Body> | CallResult<Body>[]>(response);
    const [first] = [body].flat();
    expect(first?.error?.data.problem).toMatchObject({ code: 'bad_request', status: 400 });
    expect(JSON.stringify(body)).not.toContain('"items"');
  });

  it('returns the results of valid calls beside the errors of others', async () => {
    const inputs = encodeURIComponent(JSON.stringify({ 0: { limit: 1 }, 1: { id: UNKNOWN_ID } }));
    const response = await server.request('GET', `/trpc/offices.list,offices.get?batch=1&input=${inputs}`);
    expect(response.status).toBe(207);
    const [good, bad] = await bodyOf<CallResult<Body>[]>(response);
    expect(good?.result).toBeDefined();
    expect(bad?.error?.data.problem).toMatchObject({ code: 'not_found', status: 404 });
  });
});

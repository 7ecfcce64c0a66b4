import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, dataOf, problemOf } from '../support/calls.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const namesOfOffices = async () => {
  const { items } = await bodyOf<{ items: { name: string }[] }>(await server.request('GET', '/offices'));
  return items.map(({ name }) => name);
};

describe('a batch with an input that belongs to none of its calls is rejected, and none of them is made', () => {
  it.each([
    ['one too many', { 0: { name: 'Kept' }, 1: { name: 'Lost' } }, ['#/1']],
    ['in a list', [{ name: 'Kept' }, { name: 'Lost' }], ['#/1']],
    ['under other names', { name: 'Lost', 'a/b': 1 }, ['#/name', '#/a~1b']],
  ])('%s', async (_, inputs, pointers) => {
    for (const headers of [{}, { 'trpc-accept': 'application/jsonl' }]) {
      const response = await server.request('POST', '/trpc/offices.create?batch=1', inputs, headers);
      const { code, errors = [] } = await problemOf(response);
      expect(code).toBe('validation_failed');
      expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
    }
    expect(await namesOfOffices()).not.toContain('Kept');
  });

  it('of queries', async () => {
    const path = `/trpc/offices.list?batch=1&input=${encoded({ 0: { limit: 1 }, 1: { limit: 2 } })}`;
    const problem = await problemOf(await server.request('GET', path));
    expect(problem).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter: 'input' }] });
  });
});

describe('a parameter that tRPC does not read is rejected', () => {
  it.each([
    ['of a name that there is not', 'GET', '/trpc/offices.list?limit=1', 'limit'],
    ['twice', 'GET', `/trpc/offices.list?input=${encoded({})}&input=${encoded({ limit: 1 })}`, 'input'],
    ['that would be no batch', 'GET', `/trpc/offices.list?batch=true&input=${encoded({})}`, 'batch'],
    ['of a subscription', 'GET', '/trpc/offices.list?lastEventId=1', 'lastEventId'],
    ['beside a body', 'POST', `/trpc/offices.create?input=${encoded({ name: 'x' })}`, 'input'],
  ])('%s', async (_, method, path, parameter) => {
    const body = method === 'POST' ? { name: 'Beside' } : undefined;
    const problem = await problemOf(await server.request(method, path, body));
    expect(problem).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter }] });
    expect(await namesOfOffices()).not.toContain('Beside');
  });
});

describe('a change that names a version in its input and in a header', () => {
  it.each([
    [{ 'If-Match': '"99"' }],
    [{ 'If-Match': 'W/"1"' }],
    [{ 'If-None-Match': '"1"' }],
    [{ 'If-None-Match': '*' }],
  ])('needs both: %o does not', async (headers) => {
    const { id } = await directoryOf(server).office();
    const input = { id, ifVersion: 1, bio: 'Written' };
    const problem = await problemOf(await call(server, ['offices.update', input], headers));
    expect(problem).toMatchObject({ code: 'version_conflict', currentVersion: 1 });
    expect(await directoryOf(server).get('offices', id)).toMatchObject({ version: 1, bio: null });
  });

  it.each([[{ 'If-Match': '"1", "2"' }], [{ 'If-Match': '*' }], [{ 'If-None-Match': '"2"' }]])(
    'is made with %o',
    async (headers) => {
      const { id } = await directoryOf(server).office();
      const response = await call(server, ['offices.update', { id, ifVersion: 1, bio: 'Written' }], headers);
      expect(await dataOf(response)).toMatchObject({ version: 2, bio: 'Written' });
    },
  );
});

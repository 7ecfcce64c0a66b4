import type { Problem } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, problemOf } from '../support/calls.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** What is the same of a problem on every interface. */
const essence = ({ status, code, errors, detail }: Problem) => ({ status, code, errors, detail });

/** A create by both interfaces, which must be rejected with the same problem. */
async function rejected(text: string): Promise<Problem> {
  const [rest, rpc] = [
    await server.request('POST', '/offices', text),
    await call(server, ['offices.create', text]),
  ];
  const byRest = await bodyOf<Problem>(rest);
  const byRpc = await problemOf(rpc);
  expect([rest.status, rpc.status]).toEqual([byRest.status, byRpc.status]);
  expect(essence(byRpc)).toEqual(essence(byRest));
  return byRest;
}

describe('a name that an object has twice', () => {
  it.each([
    ['{"name":"x","name":"y"}', ['#/name']],
    ['{"name":"x","n\\u0061me":"x"}', ['#/name']],
    ['{"name":"x","address":{"city":"Lisboa","country":"PT","city":"Porto"}}', ['#/address/city']],
    [
      '{"name":"x","metadata":{"a, \\"b\\": {":"1","c":"2","a, \\"b\\": {":"3"}}',
      ['#/metadata/a%2C%20%22b%22%3A%20%7B'],
    ],
    [
      '{"licenses":[{"number":"1"},{"number":"2" , "number":"3"}],"name":"x", "name" : null}',
      ['#/licenses/1/number', '#/name'],
    ],
    [
      '{"name":"x","metadata":{"__proto__":"y","__proto__":"z"}}',
      ['#/metadata/__proto__', '#/metadata/__proto__'],
    ],
  ])(
    'is rejected with its place by REST and RPC, for only the last would be kept: %s',
    async (text, pointers) => {
      const { status, code, errors } = await rejected(text);
      expect([status, code]).toEqual([422, 'validation_failed']);
      expect(errors?.map(({ pointer }) => pointer)).toEqual(pointers);
    },
  );

  it('is rejected in a query, and in a batch at its place in the call', async () => {
    const byQuery = await call(server, ['offices.list', '{"limit":1,"limit":2}']);
    expect(await problemOf(byQuery)).toMatchObject({ status: 400, errors: [{ parameter: 'limit' }] });
    const body = '{"0":{"name":"x","name":"y"},"1":{"name":"z"}}';
    const inBatch = await server.request('POST', '/trpc/offices.create,offices.create?batch=1', body);
    expect(await problemOf(inBatch)).toMatchObject({ status: 422, errors: [{ pointer: '#/name' }] });
  });

  it('may be in two objects, and in a text', async () => {
    const body =
      '{"name":"{\\"a\\":1,\\"a\\":2}","licenses":[{"number":"1"},{"number":"2"}],"metadata":{"name":"name"}}';
    expect((await server.request('POST', '/offices', body)).status).toBe(201);
  });
});

describe('a member named __proto__', () => {
  it.each([
    ['{"name":"x","__proto__":{"bio":"y"}}', ['#/__proto__']],
    ['{"name":"x","address":{"__proto__":{"city":"y"}}}', ['#/address/__proto__']],
    ['{"name":"x","metadata":{"__proto__":"y"}}', ['#/metadata/__proto__']],
    ['{"name":"x","metadata":{"\\u005f_prot\\u006f__" : "y"}}', ['#/metadata/__proto__']],
    ['{"name":"x","licenses":[{"number":"1","__proto__":1}]}', ['#/licenses/0/__proto__']],
  ])('is rejected with its place by REST and RPC: %s', async (text, pointers) => {
    const { status, code, errors } = await rejected(text);
    expect([status, code]).toEqual([422, 'validation_failed']);
    expect(errors?.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('is rejected in a query, and in a batch at its place in the call', async () => {
    const byQuery = await call(server, ['offices.list', '{"__proto__":1}']);
    expect(await problemOf(byQuery)).toMatchObject({ status: 400, errors: [{ parameter: '__proto__' }] });
    const body = '{"0":{"name":"x","metadata":{"__proto__":"y"}}}';
    const inBatch = await server.request('POST', '/trpc/offices.create?batch=1', body);
    expect(await problemOf(inBatch)).toMatchObject({
      status: 422,
      errors: [{ pointer: '#/metadata/__proto__' }],
    });
  });

  it('is only text if it is a value', async () => {
    const { metadata } = await directoryOf(server).office({ metadata: { note: '"__proto__":' } });
    expect(metadata).toEqual({ note: '"__proto__":' });
  });
});

it('other names with a meaning in JavaScript are accepted as metadata by both, and rejected as fields', async () => {
  const metadata = { constructor: 'a', prototype: 'b', toString: 'c', hasOwnProperty: 'd' };
  const created = await call(server, ['offices.create', { name: 'x', metadata }]);
  expect(await created.json()).toMatchObject({ result: { data: { metadata } } });
  expect((await directoryOf(server).office({ metadata })).metadata).toEqual(metadata);
  const { status, errors } = await rejected('{"name":"x","constructor":{"prototype":{"bio":"y"}}}');
  expect([status, errors?.map(({ pointer }) => pointer)]).toEqual([422, ['#/constructor']]);
});

describe('a time', () => {
  const far = ['+16:00', '+19:30', '-16:00', '+23:59', '-23:59'];

  it.each(far)(
    'with the offset %s, which PostgreSQL cannot read, is rejected with its parameter',
    async (offset) => {
      const time = `2026-01-31T08:00:00${offset}`;
      for (const name of ['createdSince', 'updatedBefore', 'deactivatedSince']) {
        const rest = await server.request('GET', `/offices?${name}=${encodeURIComponent(time)}`);
        const byRest = await expectProblem(rest, 'invalid_parameter');
        expect(byRest.errors).toEqual([expect.objectContaining({ parameter: name, code: 'out_of_range' })]);
        expect(essence(await problemOf(await call(server, ['offices.list', { [name]: time }])))).toEqual(
          essence(byRest),
        );
      }
      const key = await server.request('POST', '/keys', {
        name: 'x',
        scopes: ['offices:read'],
        expiresAt: time,
      });
      expect((await expectProblem(key, 'validation_failed')).errors).toMatchObject([
        { pointer: '#/expiresAt' },
      ]);
    },
  );

  it.each(['0000-12-31T23:59:59Z', '9999-12-31T23:59:59-10:00', '0001-01-01T00:00:00+01:00'])(
    'outside the years 1 to 9999 is rejected: %s',
    async (time) => {
      const response = await server.request('GET', `/agents?createdSince=${encodeURIComponent(time)}`);
      await expectProblem(response, 'invalid_parameter');
    },
  );

  it.each([
    ['a duration', 'P1D', 'invalid_format'],
    ['one that PostgreSQL rounds up to the year 10000', '9999-12-31T23:59:59.9999999Z', 'out_of_range'],
  ])('that is %s has one error, which says so', async (_, expiresAt, code) => {
    const key = { name: 'x', scopes: ['offices:read'], expiresAt };
    const { errors } = await expectProblem(await server.request('POST', '/keys', key), 'validation_failed');
    expect(errors).toMatchObject([{ pointer: '#/expiresAt', code }]);
  });

  it.each(['+15:59', '-15:59', '+14:00', '-00:00', 'Z'])('with the offset %s is read', async (offset) => {
    const time = encodeURIComponent(`2026-01-31T08:00:00${offset}`);
    expect((await server.request('GET', `/offices?createdSince=${time}`)).status).toBe(200);
  });
});

describe('an error says what would be right', () => {
  it.each([
    ['expand=counts&expand=counts', 'must be counts, given once'],
    ['sort=name&sort=name', expect.stringMatching(/^must be one of name, .*, given once$/)],
    ['limit=1&limit=1', 'must be a whole number, given once'],
    ['includeTotal=1', 'must be true or false'],
    ['includeTotal=true&includeTotal=true', 'must be true or false, given once'],
  ])('of a parameter: %s', async (query, detail) => {
    const response = await server.request('GET', `/offices?${query}`);
    expect((await expectProblem(response, 'invalid_parameter')).errors).toMatchObject([{ detail }]);
  });

  it.each([
    ['"address":[]', 'must be an object, not an array'],
    ['"name":[]', 'must be a string, not an array'],
    ['"metadata":{"a":1e400}', 'must be a string, not a number'],
    ['"metadata":{"a":1.5}', 'must be a string, not a number'],
    ['"metadata":{"a":1}', 'must be a string, not a whole number'],
  ])('of a field: %s', async (member, detail) => {
    const name = member.startsWith('"name"') ? '' : '"name":"x",';
    const { errors } = await rejected(`{${name}${member}}`);
    expect(errors).toMatchObject([{ detail }]);
  });

  it.each([
    ['?input=null', 'must be an object, not null'],
    ['?input=5', 'must be an object, not a whole number'],
    ['?input=[]', 'must be an object, not an array'],
  ])('of the input of a query of RPC, which is a parameter: offices.get%s', async (query, detail) => {
    const problem = await problemOf(await server.request('GET', `/trpc/offices.get${query}`));
    expect(problem).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter: 'input', detail }] });
  });
});

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

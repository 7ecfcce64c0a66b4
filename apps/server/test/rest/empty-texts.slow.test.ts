import { records } from '@roster/contract/records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, dataOf, problemOf } from '../support/calls.ts';
import { bodyOf, type CollectionName, collections, directoryOf, smallest } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

type Row = Record<string, unknown>;

const address = { line1: '', line2: '', city: 'Porto', county: '', region: '', postalCode: '', country: '' };
const metadata = { kept: 'x', empty: '' };
const licenses = [{ number: 'A1', region: '', type: ' ', expiresOn: '' }];

/** Every optional field of a resource that takes a text, empty, and what has texts in it. */
function emptied(collection: CollectionName): Row {
  const { fields, nameParts = [] } = records[collection];
  const texts = fields.filter(
    ({ name, isReadOnly, isNullable, isAlwaysSet, kind }) =>
      isNullable &&
      !isReadOnly &&
      !isAlwaysSet &&
      !nameParts.includes(name) &&
      !['object', 'list', 'records', 'map'].includes(kind),
  );
  const hasLicenses = fields.some(({ name }) => name === 'licenses');
  return {
    ...Object.fromEntries(texts.map(({ name }) => [name, ''])),
    ...(hasLicenses && { licenses }),
    address,
    metadata,
  };
}

/** Expects null in every field of a record that was set to an empty text. */
function expectEmpty(record: Row, given: Row): void {
  for (const [name, value] of Object.entries(given)) if (value === '') expect(record[name], name).toBeNull();
  expect(record.address).toEqual({
    ...Object.fromEntries(Object.keys(address).map((part) => [part, null])),
    city: 'Porto',
  });
  if (given.licenses !== undefined)
    expect(record.licenses).toEqual([{ number: 'A1', region: null, type: null, expiresOn: null }]);
  expect(record.metadata).toEqual({ kept: 'x' });
}

describe.each(collections)('an empty text in an optional field of %s', (collection) => {
  const given = emptied(collection);
  const needed = smallest(collection);
  const read = async (id: unknown): Promise<Row> => ({
    ...(await directoryOf(server).get(collection, String(id))),
  });

  it('is null in a create, over REST and RPC', async () => {
    const body = { ...needed, ...given };
    const byRest = await server.request('POST', `/${collection}`, body);
    expect(byRest.status).toBe(201);
    expectEmpty(await bodyOf<Row>(byRest), given);
    expectEmpty(await dataOf<Row>(await call(server, [`${collection}.create`, body])), given);
  });

  it('is null in an import, of new records and of known ones', async () => {
    const source = { name: 'Empty', key: collection };
    for (const mode of ['create', 'upsert'])
      for (const way of ['rest', 'rpc']) {
        const key = `${collection} ${mode} ${way}`;
        const input = { mode, records: [{ ...needed, ...given, source: { ...source, key } }] };
        const response =
          way === 'rest'
            ? await bodyOf<Row>(await server.request('POST', `/imports/${collection}`, input))
            : await dataOf<Row>(await call(server, [`imports.${collection}`, input]));
        const [result] = response.results as Row[];
        expect(result?.status).toBe('created');
        expectEmpty(await read(result?.id), given);
      }
  });

  it('is null in a merge patch, and removes a pair of metadata', async () => {
    const created = await server.request('POST', `/${collection}`, {
      ...needed,
      phone: '+351210000001',
      address: { line1: 'Rua', city: 'Porto' },
      metadata: { kept: 'x', empty: 'y' },
    });
    const { id } = await bodyOf<Row>(created);
    const patched = await server.request('PATCH', `/${collection}/${id}`, given);
    expectEmpty(await bodyOf<Row>(patched), given);
    const again = await dataOf<Row>(await call(server, [`${collection}.update`, { id, ...given }]));
    expect(again.version).toBe(2);
  });
});

describe('an empty text', () => {
  it('in a required field is 422, and so is one in a list', async () => {
    const required = { pointer: '#/name', code: 'required' };
    await expectFault(await server.request('POST', '/offices', { name: ' ' }), 'validation_failed', required);
    const languages = { firstName: 'a', lastName: 'b', languages: [''] };
    await expectProblem(await server.request('POST', '/agents', languages), 'validation_failed');
    const source = { name: 'x', source: { name: '', key: '' } };
    await expectProblem(await server.request('POST', '/offices', source), 'validation_failed');
  });

  it('in metadata is no pair, while blanks are the text of one', async () => {
    const { metadata } = await directoryOf(server).office({
      metadata: { blank: ' ', empty: '', none: null },
    });
    expect(metadata).toEqual({ blank: ' ' });
  });

  it('does not make the end of a key never: 422', async () => {
    const key = { name: 'x', scopes: ['offices:read'], expiresAt: '' };
    await expectProblem(await server.request('POST', '/keys', key), 'validation_failed');
  });

  it.each([
    'limit',
    'cursor',
    'includeTotal',
    'q',
    'status',
    'ids',
    'email',
    'mlsId',
    'region',
    'createdSince',
    'sort',
  ])(
    'in the parameter %s is 400 over REST and RPC: ignored, it would return more than was requested',
    async (name) => {
      const byRest = await expectProblem(
        await server.request('GET', `/offices?${name}=`),
        'invalid_parameter',
      );
      const byRpc = await problemOf(await call(server, ['offices.list', { [name]: '' }]));
      expect([byRpc.status, byRpc.errors]).toEqual([400, byRest.errors]);
    },
  );
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { type Entity, resoOf } from '../support/http/reso.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

// The scenarios that RESO certifies Add/Edit by (RCP-10), on every set that can be changed.

let server: TestServer;
let reso: ReturnType<typeof resoOf>;
let directory: ReturnType<typeof directoryOf>;
beforeAll(async () => {
  server = await startTestServer();
  reso = resoOf(server);
  directory = directoryOf(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const sets = [
  {
    set: 'Member',
    key: 'MemberKey',
    valid: { MemberFirstName: 'Ana', MemberLastName: 'Sousa', MemberLanguages: ['pt'] },
    change: { JobTitle: 'Broker' },
    invalid: { MemberFirstName: 'Ana', MemberLastName: 'Sousa', MemberEmail: 'no address', MemberCity: 5 },
    make: () => directory.agent(),
  },
  {
    set: 'Office',
    key: 'OfficeKey',
    valid: { OfficeName: 'Central', OfficeCity: 'Lisboa' },
    change: { OfficeCity: 'Porto' },
    invalid: { OfficeName: 'Central', OfficeEmail: 'no address', OfficeCountry: 'XX' },
    make: () => directory.office(),
  },
  {
    set: 'Teams',
    key: 'TeamKey',
    valid: { TeamName: 'Equipa Ribeira', TeamCity: 'Porto', TeamTollFreePhone: '+351800000042' },
    change: { TeamDescription: 'Family homes along the Douro.' },
    invalid: { TeamName: 'Equipa Ribeira', TeamEmail: 'no address', TeamCountry: 'XX' },
    make: () => directory.team(),
  },
];

/** Expects what every response to a change has: the version of OData, and the URL of the entity, at which it is read. */
async function expectLocation(response: Response, set: string, values: Entity): Promise<Entity> {
  expect(response.headers.get('odata-version')).toBe('4.01');
  const location = response.headers.get('location') ?? '';
  expect(location.startsWith(`${server.url}/reso/${set}('`)).toBe(true);
  const entity = await reso.get<Entity>(location);
  expect(entity).toMatchObject(values);
  return entity;
}

describe.each(sets)('$set', ({ set, key, valid, change, invalid, make }) => {
  const representation = { Prefer: 'return=representation' };

  it('is created with a representation, which has its URLs and the values of the payload', async () => {
    const response = await reso.send('POST', `/${set}`, valid, representation);
    expect([response.status, response.headers.get('preference-applied')]).toEqual([
      201,
      'return=representation',
    ]);
    const created = await bodyOf<Entity>(response);
    expect(created).toMatchObject(valid);
    for (const name of ['@odata.context', '@odata.id', '@odata.editLink'])
      expect(URL.canParse(String(created[name]))).toBe(true);
    expect(await expectLocation(response, set, valid)).toEqual(created);
  });

  it('is created without a representation, and named by headers', async () => {
    const response = await reso.send('POST', `/${set}`, valid, { Prefer: 'return=minimal' });
    expect([response.status, response.headers.get('preference-applied')]).toEqual([204, 'return=minimal']);
    const entity = await expectLocation(response, set, valid);
    expect(response.headers.get('entityid')).toBe(`"${entity[key]}"`);
  });

  it('is changed with a representation, whose weak entity tag is that of the header and of a read', async () => {
    const { id } = await make();
    const response = await reso.send('PATCH', `/${set}('${id}')`, change, representation);
    expect([response.status, response.headers.get('etag')]).toEqual([200, 'W/"2"']);
    const changed = await bodyOf<Entity>(response);
    expect(changed).toMatchObject({ ...change, '@odata.etag': 'W/"2"' });
    expect(await expectLocation(response, set, change)).toEqual(changed);
    const read = await reso.send('GET', `/${set}('${id}')`);
    expect(read.headers.get('etag')).toBe('W/"2"');
    const { value } = await reso.get(`/${set}?$filter=${encodeURIComponent(`${key} eq '${id}'`)}`);
    expect(value.map((entity) => entity['@odata.etag'])).toEqual(['W/"2"']);
  });

  it('is changed without a representation, and named by headers', async () => {
    const { id } = await make();
    for (const headers of [{}, { Prefer: 'return=minimal' }]) {
      const response = await reso.send('PATCH', `/${set}('${id}')`, change, headers);
      expect([response.status, response.headers.get('entityid')]).toEqual([204, `"${id}"`]);
      await expectLocation(response, set, change);
    }
  });

  it('is neither created nor changed by an invalid payload: 400 with each field by its name', async () => {
    const { id } = await make();
    const before = await reso.get<Entity>(`/${set}('${id}')`);
    for (const [method, path] of [
      ['POST', `/${set}`],
      ['PATCH', `/${set}('${id}')`],
    ] as const) {
      const error = await reso.error(method, path, { body: invalid, headers: representation });
      expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
      expect(error.message).not.toBe('');
      const targets = error.details.map(({ target }) => target);
      expect(targets.sort()).toEqual(Object.keys(invalid).slice(-targets.length).sort());
      expect(error.details.every(({ message }) => message !== '')).toBe(true);
    }
    expect(await reso.get<Entity>(`/${set}('${id}')`)).toEqual(before);
  });

  it('is deleted, and a second time not found', async () => {
    const { id } = await make();
    const response = await reso.send('DELETE', `/${set}('${id}')`);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(await reso.error('GET', `/${set}('${id}')`)).toMatchObject({ status: 404 });
    expect(await reso.error('DELETE', `/${set}('${id}')`)).toMatchObject({ status: 404 });
  });

  it('is changed at the version of a weak entity tag, and at no other', async () => {
    const { id } = await make();
    const path = `/${set}('${id}')`;
    const { '@odata.etag': tag } = await reso.get<Entity>(path);
    const headers = { 'If-Match': String(tag) };
    expect((await reso.send('PATCH', path, change, headers)).status).toBe(204);
    expect(await reso.error('PATCH', path, { body: change, headers })).toMatchObject({ status: 412 });
    expect((await reso.send('GET', path, undefined, { 'If-None-Match': String(tag) })).status).toBe(200);
    const again = await reso.send('GET', path, undefined, { 'If-None-Match': 'W/"2"' });
    expect([again.status, again.headers.get('etag')]).toEqual([304, 'W/"2"']);
    const compressed = { 'Accept-Encoding': 'gzip' };
    expect((await reso.send('GET', path, undefined, compressed)).headers.get('etag')).toBe('W/"2"');
  });
});

import type { Agent } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { type Entity, resoOf } from '../support/http/reso.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
let reso: ReturnType<typeof resoOf>;
let directory: ReturnType<typeof directoryOf>;
beforeAll(async () => {
  server = await startTestServer();
  reso = resoOf(server);
  directory = directoryOf(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const ana = { MemberFirstName: 'Ana', MemberLastName: 'Sousa' };
const pathOf = (id: string) => `/Member('${id}')`;

describe('POST', () => {
  it('creates what its fields say, and returns it as it is read', async () => {
    const office = await directory.office();
    const body = {
      ...ana,
      OfficeKey: office.id,
      MemberStatus: 'Active',
      MemberCity: 'Lisboa',
      MemberCountry: 'PT',
      MemberStateLicense: 'L-1',
      MemberStateLicenseExpirationDate: '2027-12-31',
      MemberLanguages: ['pt-PT', 'en'],
      OriginatingSystemName: 'MLS',
      OriginatingSystemMemberKey: 'M-1',
      X_RosterWebsite: 'https://ana.example',
    };
    const response = await reso.send('POST', '/Member', body);
    expect(response.status).toBe(201);
    const created = await bodyOf<Entity>(response);
    const { X_RosterWebsite: _, ...shown } = body;
    expect(created).toMatchObject(shown);
    const id = String(created.MemberKey);
    expect(response.headers.get('location')).toBe(`${server.url}/reso${pathOf(id)}`);
    expect(response.headers.get('entityid')).toBe(`"${id}"`);
    expect(created['@odata.id']).toBe(response.headers.get('location'));
    expect(await reso.get<Entity>(pathOf(id))).toEqual(created);
    const record = await directory.get('agents', id);
    expect(record).toMatchObject({
      website: 'https://ana.example',
      address: { city: 'Lisboa', country: 'PT' },
    });
    expect(record.licenses).toEqual([{ number: 'L-1', region: null, type: null, expiresOn: '2027-12-31' }]);
  });

  it('takes a member with one name, and names both fields if there is none', async () => {
    const id = String(
      (await bodyOf<Entity>(await reso.send('POST', '/Member', { MemberLastName: 'Pelé' }))).MemberKey,
    );
    expect(await reso.get(pathOf(id))).toMatchObject({
      MemberFirstName: null,
      MemberLastName: 'Pelé',
      MemberFullName: 'Pelé',
    });
    const missing = {
      status: 400,
      details: [
        { target: 'MemberFirstName', code: 'required', message: 'is required unless MemberLastName is set' },
      ],
    };
    expect(await reso.error('POST', '/Member', { body: { JobTitle: 'Broker' } })).toMatchObject(missing);
    expect(await reso.error('PATCH', pathOf(id), { body: { MemberLastName: null } })).toMatchObject(missing);
  });

  it('has the response that the client prefers', async () => {
    const minimal = await reso.send('POST', '/Office', { OfficeName: 'A' }, { Prefer: 'return=minimal' });
    expect([minimal.status, await minimal.text()]).toEqual([204, '']);
    expect(minimal.headers.get('preference-applied')).toBe('return=minimal');
    expect(minimal.headers.get('odata-entityid')).toBe(minimal.headers.get('location'));
    const whole = await reso.send(
      'POST',
      '/Office',
      { OfficeName: 'B' },
      { Prefer: 'return=representation' },
    );
    expect(whole.headers.get('preference-applied')).toBe('return=representation');
    expect(await bodyOf<Entity>(whole)).toMatchObject({ OfficeName: 'B', OfficeStatus: 'Active' });
    const few = await reso.send('POST', '/Office?$select=OfficeName', { OfficeName: 'C' });
    expect(Object.keys(await bodyOf<Entity>(few))).not.toContain('OfficeKey');
    expect(await reso.error('GET', '/Office', { headers: { Prefer: 'return=minimal' } })).toMatchObject({
      status: 400,
      details: [{ target: 'Prefer' }],
    });
  });

  it('names what is wrong by the fields of the standard', async () => {
    const body = {
      MemberEmail: 'x',
      MemberCity: 5,
      OfficeKey: 'y',
      MemberStateLicense: 7,
    };
    const error = await reso.error('POST', '/Member', { body });
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(error.details.map(({ target }) => target).sort()).toEqual([
      'MemberCity',
      'MemberEmail',
      'MemberFirstName',
      'MemberStateLicense',
      'OfficeKey',
    ]);
    expect(error.message).toContain('Member');
    const names = { ...ana, lastName: 'x', Password: 'x', MemberStatus: 'Retired' };
    const unknown = await reso.error('POST', '/Member', { body: names });
    expect(unknown.details.map(({ target, code }) => [target, code])).toEqual([
      ['lastName', 'unknown_field'],
      ['Password', 'unknown_field'],
      ['MemberStatus', 'invalid_value'],
    ]);
    expect(await reso.error('POST', '/Member', { body: { ...ana, MemberStatus: 'Inactive' } })).toMatchObject(
      {
        details: [{ target: 'MemberStatus', code: 'not_allowed' }],
      },
    );
    expect(await reso.error('POST', '/Member', { body: [] })).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
    expect(await reso.error('POST', '/Member', { body: '{' })).toMatchObject({
      status: 400,
      code: 'invalid_json',
    });
  });

  it('reports what the rules of the service reject', async () => {
    const body = { ...ana, MemberEmail: 'twice@roster.example' };
    expect((await reso.send('POST', '/Member', body)).status).toBe(201);
    const error = await reso.error('POST', '/Member', { body });
    expect(error).toMatchObject({ status: 409, code: 'email_taken' });
    const nowhere = { ...ana, OfficeKey: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11' };
    expect(await reso.error('POST', '/Member', { body: nowhere })).toMatchObject({
      code: 'reference_not_found',
      details: [{ target: 'OfficeKey' }],
    });
  });

  it('is done once for an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'reso-1' };
    const first = await bodyOf<Entity>(await reso.send('POST', '/Member', ana, headers));
    const again = await reso.send('POST', '/Member', ana, headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await bodyOf<Entity>(again)).MemberKey).toBe(first.MemberKey);
  });
});

describe('PATCH', () => {
  const licenses = [
    { number: 'L-1', region: null, type: 'Agent', expiresOn: null },
    { number: 'L-2', region: null, type: null, expiresOn: null },
  ];
  const member = (): Promise<Agent> =>
    directory.agent({ licenses, address: { city: 'Lisboa', line1: 'Rua A' } });

  it('changes the fields of the body, and no others', async () => {
    const { id } = await member();
    const response = await reso.send('PATCH', pathOf(id), { MemberCity: 'Porto', JobTitle: 'Broker' });
    expect([response.status, response.headers.get('etag')]).toEqual([204, 'W/"2"']);
    const changed = await directory.get('agents', id);
    expect(changed).toMatchObject({ title: 'Broker', licenses, address: { city: 'Porto', line1: 'Rua A' } });
    const shown = await reso.send(
      'PATCH',
      pathOf(id),
      { JobTitle: null },
      { Prefer: 'return=representation' },
    );
    expect([shown.status, await bodyOf<Entity>(shown)]).toEqual([
      200,
      expect.objectContaining({ JobTitle: null, MemberCity: 'Porto', '@odata.etag': 'W/"3"' }),
    ]);
  });

  it('changes the first licence and keeps the others', async () => {
    const { id } = await member();
    await reso.send('PATCH', pathOf(id), { MemberStateLicenseType: 'Broker' });
    const [first, second] = licenses;
    expect((await directory.get('agents', id)).licenses).toEqual([{ ...first, type: 'Broker' }, second]);
    await reso.send('PATCH', pathOf(id), { MemberStateLicense: null, MemberStateLicenseType: null });
    expect((await directory.get('agents', id)).licenses).toEqual([second]);
  });

  it('takes back what was read, without what the service computes', async () => {
    const { id } = await member();
    const read = await reso.get<Entity>(pathOf(id));
    const body = {
      ...read,
      JobTitle: 'Broker',
      MemberKey: 'other',
      ModificationTimestamp: '2000-01-01T00:00:00Z',
    };
    expect((await reso.send('PATCH', pathOf(id), body)).status).toBe(204);
    const { ModificationTimestamp, '@odata.etag': _, ...changed } = await reso.get<Entity>(pathOf(id));
    const { ModificationTimestamp: __, '@odata.etag': ___, ...before } = read;
    expect(changed).toEqual({ ...before, JobTitle: 'Broker' });
    expect(ModificationTimestamp).not.toBe(body.ModificationTimestamp);
  });

  it('deactivates and reactivates by the status, which changes on its own', async () => {
    const { id } = await member();
    expect((await reso.send('PATCH', pathOf(id), { MemberStatus: 'Inactive' })).status).toBe(204);
    expect((await directory.get('agents', id)).status).toBe('inactive');
    expect(
      await reso.error('PATCH', pathOf(id), { body: { MemberStatus: 'Active', JobTitle: 'x' } }),
    ).toMatchObject({ status: 400, details: [{ target: 'MemberStatus' }] });
    expect((await reso.send('PATCH', pathOf(id), { MemberStatus: 'Active' })).status).toBe(204);
    expect((await directory.get('agents', id)).status).toBe('active');
    const types = async () => {
      const response = await server.request('GET', `/events?subject=${id}`);
      return (await bodyOf<{ items: { type: string }[] }>(response)).items.map(({ type }) => type);
    };
    await expect.poll(types).toEqual(['agent.created', 'agent.deactivated', 'agent.reactivated']);
  });

  it('is rejected at another version than If-Match names', async () => {
    const { id } = await member();
    const body = { JobTitle: 'x' };
    expect((await reso.send('PATCH', pathOf(id), body, { 'If-Match': '"1"' })).status).toBe(204);
    expect(await reso.error('PATCH', pathOf(id), { body, headers: { 'If-Match': '"1"' } })).toMatchObject({
      status: 412,
      code: 'version_conflict',
    });
    expect((await reso.send('PATCH', pathOf(id), body, { 'If-Match': '*' })).status).toBe(204);
  });
});

describe('DELETE', () => {
  it('deletes a record, unless others refer to it', async () => {
    const { id } = await directory.agent();
    const office = await directory.office({ brokerAgentId: id });
    expect(await reso.error('DELETE', pathOf(id))).toMatchObject({ status: 409, code: 'has_dependents' });
    expect((await reso.send('DELETE', `/Office('${office.id}')`)).status).toBe(204);
    expect((await reso.send('DELETE', pathOf(id))).status).toBe(204);
    expect(await reso.error('DELETE', pathOf(id))).toMatchObject({ status: 404, code: 'not_found' });
    expect(await reso.error('DELETE', pathOf('x'))).toMatchObject({ status: 404, code: 'not_found' });
    expect((await directory.put('agents', id, 'restore')).id).toBe(id);
  });
});

it('changes only what the key of the request may change', async () => {
  const { id, officeId } = await directory.agent({ officeId: (await directory.office()).id });
  const elsewhere = (await directory.office()).id;
  const limited = bearer(
    (await keyWith(server, ['agents:read', 'agents:write'], { officeIds: [elsewhere] })).secret,
  );
  const body = { JobTitle: 'x' };
  expect(await reso.error('PATCH', pathOf(id), { body, headers: limited })).toMatchObject({ status: 404 });
  expect(await reso.error('DELETE', pathOf(id), { headers: limited })).toMatchObject({ status: 404 });
  const own = await reso.send('POST', '/Member', { ...ana, OfficeKey: elsewhere }, limited);
  expect(own.status).toBe(201);
  const moved = { body: { ...ana, OfficeKey: officeId }, headers: limited };
  expect((await reso.error('POST', '/Member', moved)).status).toBeGreaterThanOrEqual(400);
  const reader = bearer((await keyWith(server, ['agents:read'])).secret);
  expect(await reso.error('PATCH', pathOf(id), { body, headers: reader })).toMatchObject({ status: 403 });
  expect(await reso.error('POST', '/Office', { body: {}, headers: limited })).toMatchObject({ status: 403 });
});

import { RosterError } from '@roster/api';
import { queryFields } from '@roster/api/query';
import { describe, expect, it } from 'vitest';
import { chooseVersion } from './protocol/preferences.ts';
import type { ResoRequest, Service } from './protocol/service.ts';
import { createReso } from './reso.ts';

const reso = createReso({ fieldTypes: queryFields });
const agent = { id: '7f4df3a6-0000-4000-8000-000000000001', version: 3, lastName: 'Sousa', status: 'active' };

/** A service that responds with one agent, and keeps the calls that it gets. */
function serviceWith(overrides: Partial<Service> = {}) {
  const calls: [string, unknown][] = [];
  const service: Service = {
    findRecords: async (query) => {
      calls.push(['findRecords', query]);
      return { items: [agent], nextCursor: 'next' };
    },
    findFieldTexts: async () => [],
    findEvents: async () => ({ items: [], skipped: 0 }),
    waitForEvents: async () => undefined,
    query: async (procedure, input) => {
      calls.push([procedure, input]);
      return { ...agent, licenses: [{ number: 'L-1', region: 'CA' }, { number: 'L-2' }] };
    },
    mutate: async (procedure, input, options) => {
      calls.push([procedure, { input, ...options }]);
      return { record: agent, isReplayed: false };
    },
    charge: async () => undefined,
    hasScope: () => true,
    isVersionRequired: false,
    ...overrides,
  };
  return { service, calls };
}

const requestOf = (parts: Partial<ResoRequest>): ResoRequest => ({
  method: 'GET',
  root: 'https://roster.example/reso',
  query: {},
  headers: {},
  body: undefined,
  isAbandoned: () => false,
  ...parts,
});

/** Calls the service at an existing path. */
async function respond(path: string, service: Service, parts: Partial<ResoRequest> = {}) {
  const place = reso.find(path);
  if (place === undefined) throw new Error(`nothing is at ${path}`);
  return place.respond(requestOf(parts), service);
}

describe('a path', () => {
  it.each([
    ['', ['GET', 'HEAD'], undefined],
    ['/$metadata', ['GET', 'HEAD'], undefined],
    ['/Member', ['GET', 'HEAD', 'POST'], 'agents:read'],
    ['/Office/$count', ['GET', 'HEAD'], 'offices:read'],
    ['/Teams', ['GET', 'HEAD', 'POST'], 'teams:read'],
    ["/TeamMembers('x')/Member", ['GET', 'HEAD'], 'teams:read'],
    ['/TeamMembers', ['GET', 'HEAD'], 'teams:read'],
    ["/Office('x')", ['DELETE', 'GET', 'HEAD', 'PATCH'], 'offices:read'],
    ["/Office(OfficeKey='it''s')/Members", ['GET', 'HEAD'], 'offices:read'],
    ['/EntityEvent(12)', ['GET', 'HEAD'], 'events:read'],
    ['/Lookup', ['GET', 'HEAD'], undefined],
  ])('%s has the methods %j, and reading it needs the scope %s', (path, methods, scope) => {
    const place = reso.find(path);
    expect(place?.methods).toEqual(methods);
    expect(place?.scopeFor('GET')).toBe(scope);
  });

  it('is found only where something is, by a key of the type of its set', () => {
    for (const path of ['/members', '/Member(12)', "/EntityEvent('12')", "/Member(OfficeKey='x')", '/%E0%A4'])
      expect(reso.find(path)).toBeUndefined();
  });

  it('needs the scope to change what it changes', () => {
    expect(reso.find('/Member')?.scopeFor('POST')).toBe('agents:write');
  });

  it('rejects a method that it does not have', async () => {
    const rejection = respond('/Lookup', serviceWith().service, { method: 'POST', body: {} });
    await expect(rejection).rejects.toMatchObject({ errorCode: 'method_not_allowed' });
  });
});

describe('a page of records', () => {
  it('is read in the terms of the API, and shown in those of the Data Dictionary', async () => {
    const { service, calls } = serviceWith();
    const query = { $filter: ["MemberStatus eq 'Active'"], $orderby: ['MemberLastName desc'], $top: ['5'] };
    const { body } = await respond('/Member', service, { query });
    const where = { kind: 'compare', field: 'status', comparison: 'eq', value: 'active' };
    const orderBy = [{ field: 'lastName', isDescending: true }];
    expect(calls).toMatchObject([['findRecords', { resource: 'agents', where, orderBy, limit: 5 }]]);
    const page = body as { value: object[]; '@odata.nextLink': string };
    expect(page.value).toMatchObject([
      { MemberKey: agent.id, MemberLastName: 'Sousa', MemberStatus: 'Active' },
    ]);
    const next = new URL(page['@odata.nextLink']);
    expect([next.searchParams.get('$top'), next.searchParams.get('$filter')]).toEqual([
      '4',
      query.$filter[0],
    ]);
  });

  it('names the option that the service finds wrong', async () => {
    const errors = [{ parameter: 'where', code: 'too_deep', detail: 'is too deep' }];
    const findRecords = async () => {
      throw new RosterError('invalid_parameter', 'where is too deep.', { errors });
    };
    await expect(respond('/Member', serviceWith({ findRecords }).service)).rejects.toMatchObject({
      message: '$filter is too deep.',
      errors: [{ parameter: '$filter', code: 'too_deep' }],
    });
  });
});

describe('a change', () => {
  const path = `/Member('${agent.id}')`;

  it('of a part of the first licence sends all licences, at the version that was read', async () => {
    const { service, calls } = serviceWith();
    const body = { MemberStateLicense: 'L-9', '@odata.etag': 'ignored' };
    expect(await respond(path, service, { method: 'PATCH', body })).toMatchObject({ status: 204 });
    const licenses = [{ number: 'L-9', region: 'CA' }, { number: 'L-2' }];
    expect(calls[1]).toEqual(['agents.update', { input: { id: agent.id, licenses }, version: 3 }]);
  });

  it('leaves the version to a client that names one', async () => {
    const { service, calls } = serviceWith();
    const body = { MemberStateLicense: 'L-9' };
    await respond(path, service, { method: 'PATCH', body, headers: { 'if-match': 'W/"2"' } });
    expect(calls[1]).toMatchObject(['agents.update', { version: undefined }]);
  });

  it('takes what was read back: control information of the entity and of its properties', async () => {
    const { service, calls } = serviceWith();
    const names = ['@odata.context', '@odata.id', '@editLink', '@odata.type', 'JobTitle@odata.type'];
    const control = Object.fromEntries([...names, 'Office@odata.navigationLink'].map((name) => [name, 'x']));
    await respond(path, service, { method: 'PATCH', body: { ...control, JobTitle: 'Broker' } });
    expect(calls).toEqual([
      ['agents.update', { input: { id: agent.id, title: 'Broker' }, version: undefined }],
    ]);
  });

  it.each([
    ['Office@odata.bind', 'not_supported', 'cannot be bound: OfficeKey takes the key of Office'],
    ['Office@bind', 'not_supported', 'cannot be bound: OfficeKey takes the key of Office'],
    ['Office', 'not_supported', 'cannot be bound: OfficeKey takes the key of Office'],
    ['@odata.removed', 'unknown_field', 'is not a field'],
    ['@my.note', 'unknown_field', 'is not a field'],
    ['Password@odata.type', 'unknown_field', 'is not a field'],
    ['JobTitle@odata.bind', 'unknown_field', 'is not a field'],
    ['JobTitle@odata.type@odata.type', 'unknown_field', 'is not a field'],
  ])('with %s, which is a change, is rejected and changes nothing', async (name, code, detail) => {
    const { service, calls } = serviceWith();
    const body = { JobTitle: 'Broker', [name]: "Office('x')" };
    await expect(respond(path, service, { method: 'PATCH', body })).rejects.toMatchObject({
      errorCode: 'validation_failed',
      errors: [{ parameter: name, code, detail }],
    });
    expect(calls).toEqual([]);
  });

  it('of the status calls the procedure for it, and rejects other fields beside it', async () => {
    const { service, calls } = serviceWith();
    await respond(path, service, { method: 'PATCH', body: { MemberStatus: 'Inactive' } });
    expect(calls[1]?.[0]).toBe('agents.deactivate');
    const both = { MemberStatus: 'Inactive', JobTitle: 'Broker' };
    await expect(respond(path, service, { method: 'PATCH', body: both })).rejects.toMatchObject({
      errors: [{ parameter: 'MemberStatus', code: 'not_allowed' }],
    });
  });
});

describe('the version of OData', () => {
  it.each([
    [{}, '4.01'],
    [{ 'odata-version': '4.0' }, '4.0'],
    [{ 'odata-maxversion': '4.0' }, '4.0'],
    [{ 'odata-maxversion': '5.0' }, '4.01'],
  ])('of the response to %j is %s', (headers, version) => {
    expect(chooseVersion(headers)).toBe(version);
  });

  it('that the Web API does not speak is rejected', () => {
    expect(() => chooseVersion({ 'odata-version': '3.0' })).toThrow('OData-Version');
    expect(() => chooseVersion({ 'odata-maxversion': '3.0' })).toThrow('OData-MaxVersion');
  });
});

import { Agent, Office, Team } from '@roster/api';
import { type Csdl, xml2json } from 'odata-csdl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directoryOf } from '../support/fixtures.ts';
import { type Entity, resoOf } from '../support/http/reso.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
let reso: ReturnType<typeof resoOf>;
let schema: Csdl[string];
let xml: string;
let document: Csdl;
const messages: unknown[] = [];
beforeAll(async () => {
  server = await startTestServer();
  reso = resoOf(server);
  const response = await reso.send('GET', '/$metadata');
  expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  xml = await response.text();
  document = xml2json(xml, { strict: true, messages });
  schema = document['org.reso.metadata'] as Csdl[string];
});
afterAll(() => server[Symbol.asyncDispose]());

interface CsdlProperty {
  $Type?: string;
  $Collection?: boolean;
  $Nullable?: boolean;
  $MaxLength?: number;
  $Kind?: string;
}

/** The properties of an entity type, without its navigation properties. */
function propertiesOf(type: string): [string, CsdlProperty][] {
  const entries = Object.entries(schema[type] ?? {}) as [string, CsdlProperty][];
  return entries.filter(([name, { $Kind }]) => !/^[$@]/.test(name) && $Kind !== 'NavigationProperty');
}

describe('the metadata document', () => {
  it('is read by a strict reader of CSDL without a message', () => {
    expect(messages).toEqual([]);
    const sets = Object.keys(schema.Roster ?? {}).filter((name) => !/^[$@]/.test(name));
    expect(sets).toEqual(['Member', 'Office', 'Teams', 'TeamMembers', 'EntityEvent', 'Lookup', 'Field']);
  });

  it('is sent compressed, and not again to a client that has it', async () => {
    const response = await reso.send('GET', '/$metadata', undefined, { 'Accept-Encoding': 'gzip' });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    const tag = response.headers.get('etag') ?? '';
    expect((await reso.send('GET', '/$metadata', undefined, { 'If-None-Match': tag })).status).toBe(304);
    expect((await reso.send('GET', '/$metadata?$format=application/xml')).status).toBe(200);
  });

  it('has exactly the properties that entities have, with values of their types', async () => {
    const directory = directoryOf(server);
    const office = await directory.office({
      name: 'Central',
      email: 'a@b.example',
      address: { country: 'PT' },
    });
    const licenses = [{ number: '1', expiresOn: '2027-01-01' }];
    const agent = await directory.agent({
      officeId: office.id,
      licenses,
      languages: ['pt'],
      source: { name: 'X', key: '1' },
    });
    const members = [{ agentId: agent.id, role: 'lead', since: '2026-03-01' }];
    await directory.team({ officeId: office.id, address: { country: 'PT' }, members });
    for (const type of ['Member', 'Office', 'Teams', 'TeamMembers', 'EntityEvent', 'Lookup', 'Field']) {
      const properties = propertiesOf(type);
      const names = properties.map(([name]) => name);
      const { value } = await reso.get(`/${type}?$top=5&$select=${names.join()}`);
      expect(value.length).toBeGreaterThan(0);
      for (const entity of value) {
        expect(Object.keys(entity).filter((name) => !name.startsWith('@'))).toEqual(names);
        for (const [name, property] of properties)
          expect(faultOf(entity[name], property), `${type}.${name}`).toBe('');
      }
    }
  });

  it('names the lookup of each field with one, whose values the set Lookup has', async () => {
    const directory = directoryOf(server);
    const address = { region: '11', county: 'Sintra' };
    await directory.agent({ address, type: 'Broker', languages: ['pt'], designations: ['GRI'] });
    await directory.office({ address, type: 'Firm' });
    await directory.team({ address });
    const lookups = new Set((await reso.walk('/Lookup')).map(({ LookupName }) => LookupName));
    const named = ['Member', 'Office', 'Teams', 'TeamMembers'].flatMap((type) =>
      Object.entries(schema[type] ?? {}).map(
        ([, property]) => (property as Entity)['@RESO.OData.Metadata.LookupName'],
      ),
    );
    expect(new Set(named.filter((name) => name !== undefined))).toEqual(lookups);
    expect(await reso.get<Entity>("/Lookup('OfficeBranchType-StandAlone')")).toMatchObject({
      LookupName: 'OfficeBranchType',
      LookupValue: 'Stand Alone',
      LegacyODataValue: 'StandAlone',
    });
  });

  it('names the lookups of the Data Dictionary, also of fields that are free texts', () => {
    const nameOf = (type: string, field: string) =>
      (schema[type]?.[field] as Entity | undefined)?.['@RESO.OData.Metadata.LookupName'];
    expect(nameOf('Member', 'MemberType')).toBe('MemberType');
    expect(nameOf('Member', 'MemberDesignation')).toBe('MemberDesignation');
    expect(nameOf('Member', 'MemberLanguages')).toBe('Languages');
    for (const field of ['MemberStateOrProvince', 'MemberStateLicenseState'])
      expect(nameOf('Member', field)).toBe('StateOrProvince');
    expect(nameOf('Member', 'MemberCountyOrParish')).toBe('CountyOrParish');
    expect(nameOf('Office', 'OfficeType')).toBe('OfficeType');
    expect(nameOf('Office', 'OfficeStateOrProvince')).toBe('StateOrProvince');
    expect(nameOf('Office', 'OfficeCountyOrParish')).toBe('CountyOrParish');
    expect(nameOf('Member', 'JobTitle')).toBeUndefined();
  });

  it('restricts the filter of EntityEvent to what it takes, and of no other set', async () => {
    const sets = schema.Roster as Record<string, Record<string, unknown>>;
    const restricted = Object.keys(sets).filter(
      (name) => '@Capabilities.FilterRestrictions' in Object(sets[name]),
    );
    expect(restricted).toEqual(['EntityEvent']);
    expect(sets.EntityEvent).toMatchObject({
      '@Capabilities.FilterFunctions': [],
      '@Capabilities.FilterRestrictions': {
        NonFilterableProperties: ['ResourceRecordUrl'],
        FilterExpressionRestrictions: [
          { Property: 'EntityEventSequence', AllowedExpressions: 'SingleRange' },
          { Property: 'ResourceName', AllowedExpressions: 'SingleValue' },
          { Property: 'ResourceRecordKey', AllowedExpressions: 'SingleValue' },
        ],
      },
    });
    const statusOf = async (filter: string) =>
      (await reso.send('GET', `/EntityEvent?$filter=${encodeURIComponent(filter)}`)).status;
    const key = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
    const taken = `EntityEventSequence ge 1 and EntityEventSequence le 9 and ResourceName eq 'Office' and ResourceRecordKey eq '${key}'`;
    expect(await statusOf(taken)).toBe(200);
    for (const filter of [
      "ResourceRecordUrl eq 'x'",
      "ResourceName in ('Office', 'Member')",
      "ResourceName ne 'Office'",
      "contains(ResourceName, 'Off')",
      "tolower(ResourceName) eq 'office'",
    ])
      expect(await statusOf(filter), filter).toBe(400);
  });

  it('has in the set Field every property of every type', async () => {
    const fields = await reso.walk('/Field?$orderby=FieldKey');
    const named = ['Member', 'Office', 'Teams', 'TeamMembers', 'EntityEvent', 'Lookup', 'Field'].flatMap(
      (type) => propertiesOf(type).map(([name]) => `${type}-${name}`),
    );
    expect(fields.map(({ FieldKey }) => FieldKey)).toEqual(named.sort());
  });

  it('has the lengths of the API, and says which fields are computed', () => {
    const members = new Map(propertiesOf('Member'));
    expect(members.get('MemberFirstName')).toMatchObject({ $Nullable: true, $MaxLength: 100 });
    expect(members.get('MemberBio')).toMatchObject({ $Nullable: true, $MaxLength: 4_000 });
    expect(members.get('MemberLanguages')).toMatchObject({ $Collection: true, $MaxLength: 35 });
    expect(members.get('MemberStateLicense')).not.toHaveProperty('@Org.OData.Core.V1.Computed');
    const computed = [...members]
      .filter(([, property]) => '@Core.Computed' in property)
      .map(([name]) => name);
    expect(computed).toContain('ModificationTimestamp');
    expect(computed).toContain('MemberKey');
    expect(computed).not.toContain('MemberStateLicense');
  });

  it('has each field of the API that is not a list of objects, pairs or changes', () => {
    const without = ['affiliations', 'members', 'metadata', 'scheduledChanges'];
    for (const [type, record] of [
      ['Member', Agent],
      ['Office', Office],
      ['Teams', Team],
    ] as const) {
      const fields = Object.keys(record.shape).filter((name) => !without.includes(name));
      expect(propertiesOf(type).length).toBeGreaterThanOrEqual(fields.length);
    }
  });
});

/** What is wrong with a value of a property; empty if nothing is. */
function faultOf(value: unknown, property: CsdlProperty): string {
  const {
    $Type = 'Edm.String',
    $Collection,
    $Nullable = false,
    $MaxLength = Number.POSITIVE_INFINITY,
  } = property;
  if ($Collection)
    return Array.isArray(value) && value.every((one) => isOfType(one, $Type)) ? '' : 'is no collection';
  if (value === null) return $Nullable ? '' : 'is null';
  if (typeof value === 'string' && [...value].length > $MaxLength) return 'is too long';
  return isOfType(value, $Type) ? '' : `is no ${$Type}: ${value}`;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'Edm.Int64') return Number.isInteger(value);
  if (typeof value !== 'string') return false;
  if (type === 'Edm.Date') return /^\d{4}-\d\d-\d\d$/.test(value);
  return type !== 'Edm.DateTimeOffset' || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
}

describe('Lookup and Field', () => {
  it.each([
    ["LookupName eq 'MemberStatus'", 2],
    ["LookupName eq 'Country' and startswith(LookupValue, 'P')", 14],
    ["LookupName ne 'Country' and endswith(LookupName, 'us') or LookupName eq 'OfficeBranchType'", 9],
    ["not contains(LookupName, 'Country') and LookupName in ('MemberStatus', 'Country')", 2],
    ["LookupName in ('MemberStatus', 'OfficeBranchType')", 5],
    ["tolower(LookupValue) eq 'stand alone'", 1],
    ["LookupValue gt 'Main' and LookupName eq 'OfficeBranchType'", 1],
    ['ModificationTimestamp gt 2100-01-01T00:00:00Z', 0],
    ["ModificationTimestamp lt 2100-01-01T00:00:00+02:00 and LookupName eq 'Country'", 249],
  ])('are filtered as the others: %s', async (text, count) => {
    const path = `/Lookup?$filter=${encodeURIComponent(text)}&$orderby=LookupKey`;
    const all = await reso.walk(path);
    expect(all).toHaveLength(count);
    expect(await reso.walk(path, { Prefer: 'maxpagesize=5' })).toEqual(all);
    const total = await reso.send('GET', `/Lookup/$count?$filter=${encodeURIComponent(text)}`);
    expect(await total.text()).toBe(String(count));
  });
});

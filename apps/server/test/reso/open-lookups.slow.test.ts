import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { directoryOf } from '../support/fixtures.ts';
import { type Entity, filter, resoOf } from '../support/http/reso.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

// A field that is a free text has an open lookup: the set Lookup has the values that records have.

let server: TestServer;
let reso: ReturnType<typeof resoOf>;
let directory: ReturnType<typeof directoryOf>;
beforeAll(async () => {
  server = await startTestServer();
  reso = resoOf(server);
  directory = directoryOf(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const valuesOf = (entities: Entity[], name: string) =>
  entities.filter(({ LookupName }) => LookupName === name).map(({ LookupValue }) => LookupValue);

const fields: Record<string, string> = {
  MemberType: 'MemberType',
  MemberDesignation: 'MemberDesignation',
  MemberLanguages: 'Languages',
  MemberStateOrProvince: 'StateOrProvince',
  MemberStateLicenseState: 'StateOrProvince',
  MemberCountyOrParish: 'CountyOrParish',
  OfficeType: 'OfficeType',
  OfficeStateOrProvince: 'StateOrProvince',
  OfficeCountyOrParish: 'CountyOrParish',
  TeamStateOrProvince: 'StateOrProvince',
  TeamCountyOrParish: 'CountyOrParish',
};

it('Lookup has each value of a field with an open lookup, once, and says which the Data Dictionary has', async () => {
  expect(valuesOf(await reso.walk('/Lookup'), 'StateOrProvince')).toEqual([]);
  const lisbon = { region: '11', county: 'Sintra' };
  await directory.office({ type: 'Realtor Firm', address: { region: 'CA', county: "L'Île / 1" } });
  await directory.office({ type: 'Kiosk', address: lisbon });
  await directory.team({ address: lisbon });
  const languages = ['pt-PT', 'en'];
  await directory.agent({
    type: 'Office Manager',
    languages,
    designations: ['e-PRO', 'GRI'],
    address: lisbon,
  });
  const licenses = [{ number: '1', region: '08' }];
  await directory.agent({ type: 'Office Manager', languages: ['pt-PT'], licenses });
  const lookups = await reso.walk('/Lookup', { Prefer: 'maxpagesize=50' });
  expect(valuesOf(lookups, 'MemberType')).toEqual(['Office Manager']);
  expect(valuesOf(lookups, 'Languages')).toEqual(['en', 'pt-PT']);
  expect(valuesOf(lookups, 'MemberDesignation')).toEqual(['GRI', 'e-PRO']);
  expect(valuesOf(lookups, 'StateOrProvince')).toEqual(['08', '11', 'CA']);
  expect(valuesOf(lookups, 'CountyOrParish')).toEqual(["L'Île / 1", 'Sintra']);
  expect(valuesOf(lookups, 'OfficeType')).toEqual(['Kiosk', 'Realtor Firm']);
  const open = lookups.filter(({ LookupName }) => Object.values(fields).includes(String(LookupName)));
  const standard = new Set(open.flatMap(({ StandardLookupValue }) => StandardLookupValue ?? []));
  expect(standard).toEqual(new Set(['e-PRO', 'Office Manager', 'Realtor Firm', 'CA']));
  const keys = lookups.map(({ LookupKey }) => LookupKey);
  expect(new Set(keys).size).toBe(keys.length);
  for (const set of ['Member', 'Office', 'Teams']) {
    for (const entity of await reso.walk(`/${set}`)) {
      for (const [field, name] of Object.entries(fields)) {
        const values = [entity[field] ?? []].flat();
        expect(valuesOf(lookups, name)).toEqual(expect.arrayContaining(values));
      }
    }
  }
});

it('a value of an open lookup is read by its key, filtered, ordered and counted as every other', async () => {
  const [county] = (await reso.get(`/Lookup?${filter("LookupName eq 'CountyOrParish'")}`)).value;
  expect(county?.LookupValue).toBe("L'Île / 1");
  const key = encodeURIComponent(String(county?.LookupKey).replaceAll("'", "''"));
  expect(await reso.get(`/Lookup('${key}')`)).toMatchObject(county ?? {});
  expect(await reso.error('GET', "/Lookup('CountyOrParish-Nowhere')")).toMatchObject({ status: 404 });
  const regions = `${filter("LookupName eq 'StateOrProvince' and LookupValue ne '11'")}`;
  const page = await reso.get(`/Lookup?${regions}&$orderby=LookupValue desc&$count=true&$top=1`);
  expect([page['@odata.count'], page.value[0]?.LookupValue]).toEqual([2, 'CA']);
  expect(await (await reso.send('GET', `/Lookup/$count?${regions}`)).text()).toBe('2');
});

it('a value is newer than what a client has read before, once a record has it', async () => {
  const before = await reso.walk('/Lookup?$orderby=ModificationTimestamp desc');
  const { id } = await directory.agent();
  await directory.patch('agents', id, { type: 'Photographer' });
  const newer = filter(`ModificationTimestamp ge ${before[0]?.ModificationTimestamp}`);
  const found = await reso.walk(`/Lookup?${newer}`);
  expect(valuesOf(found, 'MemberType')).toContain('Photographer');
});

it('a caller sees only the values of the records that it may read', async () => {
  const office = await directory.office({ type: 'Own', address: { region: '20' } });
  await directory.agent({ officeId: office.id, type: 'Ours', languages: ['fr'] });
  await directory.agent({ type: 'Theirs', languages: ['de'] });
  const openOf = async (scopes: Parameters<typeof keyWith>[1], officeIds?: string[]) => {
    const { secret } = await keyWith(server, scopes, officeIds && { officeIds });
    const all = await reso.walk('/Lookup', bearer(secret));
    return ['MemberType', 'OfficeType', 'Languages', 'StateOrProvince'].map((name) => valuesOf(all, name));
  };
  expect(await openOf(['agents:read', 'offices:read'], [office.id])).toEqual([
    ['Ours'],
    ['Own'],
    ['fr'],
    ['20'],
  ]);
  expect(await openOf(['agents:read'], [office.id])).toEqual([['Ours'], [], ['fr'], []]);
  const [types, officeTypes] = await openOf(['offices:read']);
  expect([types, officeTypes]).toEqual([[], ['Kiosk', 'Own', 'Realtor Firm']]);
  expect(await openOf(['events:read'])).toEqual([[], [], [], []]);
});

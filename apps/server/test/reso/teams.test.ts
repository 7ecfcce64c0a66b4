import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { directoryOf } from '../support/fixtures.ts';
import { type Entity, filter, resoOf } from '../support/http/reso.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
let reso: ReturnType<typeof resoOf>;
/** The offices, and a team of each: the second is inactive. */
let offices: string[];
let teams: string[];

beforeAll(async () => {
  server = await startTestServer();
  reso = resoOf(server);
  const directory = directoryOf(server);
  const porto = await directory.office({ name: 'Porto' });
  const lisboa = await directory.office({ name: 'Lisboa' });
  offices = [porto.id, lisboa.id];
  const source = { name: 'MLS Lisboa', key: 'TEAM-0007' };
  const ribeira = await directory.team({ name: 'Ribeira', officeId: porto.id, source });
  const tejo = await directory.team({ name: 'Tejo', officeId: lisboa.id, address: { city: 'Lisboa' } });
  await directory.put('teams', tejo.id, 'deactivate');
  teams = [ribeira.id, tejo.id];
});
afterAll(() => server[Symbol.asyncDispose]());

describe('Teams', () => {
  it('are read by the names of the Data Dictionary', async () => {
    expect(await reso.get<Entity>(`/Teams('${teams[0]}')`)).toMatchObject({
      TeamKey: teams[0],
      TeamName: 'Ribeira',
      TeamStatus: 'Active',
      OriginatingSystemName: 'MLS Lisboa',
      OriginatingSystemKey: 'TEAM-0007',
    });
  });

  it.each([
    ["TeamStatus eq 'Inactive'", ['Tejo']],
    ["TeamCity eq 'Lisboa' or startswith(TeamName, 'Rib')", ['Tejo', 'Ribeira']],
    ["OriginatingSystemKey eq 'TEAM-0007'", ['Ribeira']],
  ])('are filtered, ordered and counted: %s', async (text, names) => {
    const page = await reso.get(`/Teams?${filter(text)}&$orderby=TeamName desc&$count=true&$select=TeamName`);
    expect(page.value.map(({ TeamName }) => TeamName)).toEqual(names);
    expect(page['@odata.count']).toBe(names.length);
    expect(await (await reso.send('GET', `/Teams/$count?${filter(text)}`)).text()).toBe(String(names.length));
  });

  it('are walked by pages, each team once', async () => {
    const found = await reso.walk('/Teams?$orderby=TeamName', { Prefer: 'maxpagesize=1' });
    expect(found.map(({ TeamKey }) => TeamKey)).toEqual(teams);
    const { value } = await reso.get('/Teams?$orderby=TeamName&$top=1&$skip=1');
    expect(value.map(({ TeamKey }) => TeamKey)).toEqual([teams[1]]);
  });

  it('lead to their office, in themselves and by their own path', async () => {
    const { value } = await reso.get('/Teams?$orderby=TeamName&$expand=Office($select=OfficeName)');
    expect(value).toMatchObject([{ Office: { OfficeName: 'Porto' } }, { Office: { OfficeName: 'Lisboa' } }]);
    expect(await reso.get<Entity>(`/Teams('${teams[1]}')/Office`)).toMatchObject({ OfficeKey: offices[1] });
  });

  it('of other offices do not exist for a caller who is limited to one', async () => {
    const { secret } = await keyWith(server, ['teams:read', 'events:read'], {
      officeIds: [offices[0] ?? ''],
    });
    const found = await reso.walk('/Teams', bearer(secret));
    expect(found.map(({ TeamKey }) => TeamKey)).toEqual([teams[0]]);
    expect((await reso.get('/Teams?$count=true&$top=0', bearer(secret)))['@odata.count']).toBe(1);
    const hidden = await reso.error('GET', `/Teams('${teams[1]}')`, { headers: bearer(secret) });
    expect([hidden.status, hidden.code]).toEqual([404, 'not_found']);
    const named = filter("ResourceName eq 'Teams'");
    const events = await reso.walk(`/EntityEvent?${named}`, bearer(secret));
    expect(new Set(events.map(({ ResourceRecordKey }) => ResourceRecordKey))).toEqual(new Set([teams[0]]));
  });

  it('need the scope to read teams, and that of offices to expand them', async () => {
    const { secret: other } = await keyWith(server, ['agents:read', 'offices:read']);
    const { status } = await reso.error('GET', '/Teams', { headers: bearer(other) });
    const { secret } = await keyWith(server, ['teams:read']);
    const expanded = await reso.error('GET', '/Teams?$expand=Office', { headers: bearer(secret) });
    expect([status, expanded.status]).toEqual([403, 403]);
  });

  it('have events that lead to them', async () => {
    const events = await reso.walk('/EntityEvent');
    const own = events.filter(({ ResourceName }) => ResourceName === 'Teams');
    expect(new Set(own.map(({ ResourceRecordKey }) => ResourceRecordKey))).toEqual(new Set(teams));
    expect(await reso.get<Entity>(String(own[0]?.ResourceRecordUrl))).toMatchObject({ TeamKey: teams[0] });
  });
});

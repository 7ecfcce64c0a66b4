import type { Agent } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { type Entity, type EntityPage, filter, resoOf } from '../support/http/reso.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
let reso: ReturnType<typeof resoOf>;
/** The office of the agents below. */
let officeId: string;
let agents: Agent[];

const languages = [['pt-PT', 'en'], ['en'], [], ['fr', 'pt-PT'], ['de']];
const names = ['Ana', 'ana', "O'Brien", 'Ása', 'Zoë 100%'];

beforeAll(async () => {
  server = await startTestServer();
  reso = resoOf(server);
  const directory = directoryOf(server);
  const office = await directory.office({ name: 'Atlântico', branchType: 'stand_alone' });
  officeId = office.id;
  agents = [];
  for (const [index, lastName] of names.entries()) {
    const body = {
      firstName: 'Ana',
      lastName,
      languages: languages[index],
      ...(index % 2 === 0 && { officeId, title: `Broker ${index}` }),
      ...(index > 2 && { licenses: [{ number: `L-${index}`, expiresOn: `2027-0${index}-01` }] }),
    };
    agents.push(await directory.agent(body));
  }
  await directory.patch('offices', officeId, { brokerAgentId: agents[0]?.id ?? '' });
  await directory.put('agents', agents[4]?.id ?? '', 'deactivate');
});
afterAll(() => server[Symbol.asyncDispose]());

/** The last names of the members that a filter selects, in the order of their creation. */
async function found(text: string): Promise<unknown[]> {
  const { value } = await reso.get(`/Member?${filter(text)}&$orderby=OriginalEntryTimestamp`);
  return value.map(({ MemberLastName }) => MemberLastName);
}

describe('$filter', () => {
  it.each([
    ["MemberLastName eq 'Ana'", [0]],
    ["MemberLastName eq 'O''Brien'", [2]],
    ["MemberLastName ne 'Ana'", [1, 2, 3, 4]],
    ["MemberLastName gt 'Z'", [1, 3, 4]],
    ["MemberLastName le 'O''Brien'", [0, 2]],
    ['JobTitle eq null', [1, 3]],
    ['JobTitle ne null', [0, 2, 4]],
    ["JobTitle ne 'Broker 0'", [1, 2, 3, 4]],
    ["not (JobTitle eq 'Broker 0')", [1, 2, 3, 4]],
    ["MemberLastName in ('Ana', 'Ása', 'nobody')", [0, 3]],
    ["contains(MemberLastName, 'n')", [0, 1, 2]],
    ["contains(MemberLastName, '%')", [4]],
    ["contains(MemberLastName, '_')", []],
    ["startswith(MemberLastName, 'A')", [0]],
    ["endswith(MemberLastName, 'a')", [0, 1, 3]],
    ["tolower(MemberLastName) eq 'ana'", [0, 1]],
    ["tolower(MemberLastName) in ('ana', 'ása')", [0, 1, 3]],
    ["contains(tolower(MemberLastName), 'BRIEN')", []],
    ["MemberLanguages/any(l: l eq 'en')", [0, 1]],
    ["MemberLanguages/any(l: l eq 'en' or startswith(l, 'pt'))", [0, 1, 3]],
    ["MemberLanguages/all(l: l eq 'en')", [1, 2]],
    ['MemberLanguages/any()', [0, 1, 3, 4]],
    ["MemberStatus eq 'Active'", [0, 1, 2, 3]],
    ["MemberStatus ne 'Active'", [4]],
    ["MemberStatus in ('Inactive')", [4]],
    ['MemberStateLicenseExpirationDate lt 2027-04-01', [3]],
    ["MemberStateLicense eq 'L-4' or MemberLastName eq 'Ana'", [0, 4]],
    ["(MemberLastName eq 'Ana' or MemberLastName eq 'ana') and JobTitle ne null", [0]],
    ['ModificationTimestamp lt now()', [0, 1, 2, 3, 4]],
    ['ModificationTimestamp gt 2100-01-01T00:00Z', []],
    ['X_RosterVersion gt 1', [4]],
    ['2 eq X_RosterVersion', [4]],
    ["MemberKey eq 'no key at all'", []],
  ])('selects by %s', async (text, expected) => {
    expect(await found(text)).toEqual(expected.map((index) => names[index]));
  });

  it('compares a field with another name and other values by those of the standard', async () => {
    expect(await found(`OfficeKey eq '${officeId}'`)).toEqual([names[0], names[2], names[4]]);
    const { value } = await reso.get(`/Office?${filter("OfficeBranchType eq 'Stand Alone'")}`);
    expect(value).toEqual([
      expect.objectContaining({ OfficeKey: officeId, OfficeBranchType: 'Stand Alone' }),
    ]);
  });

  it('takes the day of a transfer in all comparisons', async () => {
    const directory = directoryOf(server);
    const target = await directory.office();
    const mover = await directory.agent({ officeId });
    const { transferredAt } = await directory.patch('agents', mover.id, { officeId: target.id });
    const day = String(transferredAt).slice(0, 10);
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    const selects = async (condition: string) => {
      const text = `MemberTransferDate ${condition} and MemberKey eq '${mover.id}'`;
      return (await reso.get(`/Member?${filter(text)}`)).value.length === 1;
    };
    const conditions = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'].flatMap((operator) => [
      `${operator} ${day}`,
      `${operator} ${next}`,
    ]);
    const selected = [];
    for (const condition of conditions) if (await selects(condition)) selected.push(condition);
    expect(selected).toEqual([
      `eq ${day}`,
      `ne ${next}`,
      `ge ${day}`,
      `lt ${next}`,
      `le ${day}`,
      `le ${next}`,
    ]);
    const { value } = await reso.get(`/Member?${filter(`MemberKey eq '${mover.id}'`)}`);
    expect(value[0]?.MemberTransferDate).toBe(day);
    await directory.remove('agents', mover.id);
  });
});

describe('a set', () => {
  it('is read page by page, by links that keep the filter, the order, the rest of $top and the time of now()', async () => {
    const query = `/Member?${filter('ModificationTimestamp le now()')}&$orderby=MemberLastName desc&$select=MemberKey`;
    const all = await reso.walk(query);
    expect(all).toHaveLength(names.length);
    expect(await reso.walk(query, { Prefer: 'maxpagesize=2' })).toEqual(all);
    const rest = await reso.walk(`${query}&$top=3&$count=true`, { Prefer: 'odata.maxpagesize=2' });
    expect(rest).toEqual(all.slice(0, 3));
    expect(await reso.walk(`${query}&$skip=2`, { Prefer: 'maxpagesize=1' })).toEqual(all.slice(2));
  });

  it('is in the order of first names where last names are the same, on every page', async () => {
    const directory = directoryOf(server);
    const created = [];
    for (const firstName of ['Maria', 'Ana', 'João'])
      created.push(await directory.agent({ firstName, lastName: 'Zzaraújo' }));
    const firstNames = async (order: string) => {
      const query = `/Member?${filter("MemberLastName eq 'Zzaraújo'")}&$orderby=${order}&$select=MemberFirstName`;
      const members = await reso.walk(query, { Prefer: 'maxpagesize=1' });
      return members.map(({ MemberFirstName }) => MemberFirstName);
    };
    expect(await firstNames('MemberLastName')).toEqual(['Ana', 'João', 'Maria']);
    expect(await firstNames('MemberLastName desc')).toEqual(['Maria', 'João', 'Ana']);
    for (const { id } of created) await directory.remove('agents', id);
  });

  it('has members with one name, whose missing name is the lowest, on every page', async () => {
    const directory = directoryOf(server);
    const created = [];
    for (const names of [{ lastName: 'Zico' }, { firstName: 'Zito' }, { firstName: 'Ana', lastName: 'Zico' }])
      created.push(await directory.agent({ firstName: null, lastName: null, ...names, title: 'Seleção' }));
    const membersBy = async (order: string) => {
      const query = `/Member?${filter("JobTitle eq 'Seleção'")}&$orderby=${order}&$select=MemberFirstName,MemberLastName`;
      const members = await reso.walk(query, { Prefer: 'maxpagesize=1' });
      return members.map(({ MemberFirstName, MemberLastName }) => [MemberFirstName, MemberLastName]);
    };
    const byLastName = [
      ['Zito', null],
      [null, 'Zico'],
      ['Ana', 'Zico'],
    ];
    expect(await membersBy('MemberLastName')).toEqual(byLastName);
    expect(await membersBy('MemberLastName desc')).toEqual(byLastName.toReversed());
    const without = await reso.get(
      `/Member?${filter("JobTitle eq 'Seleção' and MemberLastName eq null")}&$select=MemberFullName`,
    );
    expect(without.value).toMatchObject([{ MemberFullName: 'Zito' }]);
    for (const { id } of created) await directory.remove('agents', id);
  });

  it('has its total beside a page, in the first one alone, and as plain text', async () => {
    const page = await reso.get('/Member?$count=true&$top=2', { Prefer: 'maxpagesize=1' });
    expect(page['@odata.count']).toBe(names.length);
    const next = await reso.get(page['@odata.nextLink'] ?? '');
    expect(next).not.toHaveProperty('@odata.count');
    expect(await reso.get('/Member?$top=0&$count=true')).toMatchObject({
      value: [],
      '@odata.count': names.length,
    });
    const count = await reso.send('GET', `/Member/$count?${filter("MemberStatus eq 'Active'")}`);
    expect(await count.text()).toBe('4');
    expect(count.headers.get('content-type')).toMatch(/^text\/plain/);
  });

  it('says which page size it applied', async () => {
    const response = await reso.send('GET', '/Member', undefined, { Prefer: 'maxpagesize=5000' });
    expect(response.headers.get('preference-applied')).toBe('maxpagesize=1000');
  });

  it('shows the fields of the standard by default, and others only if $select names them', async () => {
    const { value } = await reso.get('/Member?$top=1');
    const shown = Object.keys(value[0] ?? {});
    expect(shown).toContain('MemberFullName');
    expect(shown.filter((name) => name.startsWith('X_'))).toEqual([]);
    const selected = await reso.get('/Member?$top=1&$select=X_RosterVersion,MemberKey');
    expect(Object.keys(selected.value[0] ?? {})).toEqual(['@odata.etag', 'MemberKey', 'X_RosterVersion']);
    const sparse = await reso.get('/Member?$top=1', { Prefer: 'omit-values=nulls' });
    expect(Object.values(sparse.value[0] ?? {})).not.toContain(null);
  });

  it('takes options without their $, and names it in its links', async () => {
    const page = await reso.get('/Member?top=2&orderby=MemberLastName', { Prefer: 'maxpagesize=1' });
    expect(page['@odata.nextLink']).toContain('?$orderby=MemberLastName&$top=1&$skiptoken=');
  });
});

describe('$expand', () => {
  it('puts the office into a member, and broker, main office and members into an office', async () => {
    const { value } = await reso.get(
      '/Member?$expand=Office($select=OfficeName)&$orderby=OriginalEntryTimestamp',
    );
    const offices = value.map(({ Office }) => (Office as Entity | null)?.OfficeName ?? null);
    expect(offices).toEqual(['Atlântico', null, 'Atlântico', null, 'Atlântico']);
    const expanded =
      "OfficeBroker($select=MemberKey),MainOffice,Members($select=MemberLastName;$orderby=MemberLastName;$filter=MemberStatus eq 'Active')";
    const office = await reso.get<Entity>(`/Office('${officeId}')?$expand=${encodeURIComponent(expanded)}`);
    expect(office.OfficeBroker).toMatchObject({ MemberKey: agents[0]?.id });
    expect(office.MainOffice).toBeNull();
    expect((office.Members as Entity[]).map(({ MemberLastName }) => MemberLastName)).toEqual([
      'Ana',
      "O'Brien",
    ]);
  });

  it('bounds the members of an office, and links to the others', async () => {
    const directory = directoryOf(server);
    const { id } = await directory.office();
    const numbers = Array.from({ length: 103 }, (_, index) => String(index).padStart(3, '0'));
    const records = numbers.map((lastName) => ({ firstName: 'Many', lastName, officeId: id }));
    expect((await server.request('POST', '/imports/agents', { records })).ok).toBe(true);
    const expanded = 'Members($select=MemberLastName;$orderby=MemberLastName desc)';
    const office = await reso.get<Entity>(`/Office('${id}')?$expand=${encodeURIComponent(expanded)}`);
    const first = office.Members as Entity[];
    expect(first).toHaveLength(100);
    const others = await reso.walk(String(office['Members@odata.nextLink']));
    expect([...first, ...others].map(({ MemberLastName }) => MemberLastName)).toEqual(numbers.toReversed());
    expect(await reso.walk(`/Office('${id}')/Members`, { Prefer: 'maxpagesize=50' })).toHaveLength(103);
    for (const { MemberKey } of await reso.walk(`/Office('${id}')/Members`)) {
      await directory.remove('agents', String(MemberKey));
    }
  });
});

describe('one entity', () => {
  it('is read by its key, with its ETag, and not again if it has not changed', async () => {
    const path = `/Member('${agents[0]?.id}')`;
    const response = await reso.send('GET', path);
    const entity = await bodyOf<Entity>(response);
    expect(entity).toMatchObject({ MemberKey: agents[0]?.id, MemberFullName: 'Ana Ana' });
    expect(entity['@odata.id']).toBe(`${server.url}/reso${path}`);
    const again = await reso.send('GET', path, undefined, {
      'If-None-Match': response.headers.get('etag') ?? '',
    });
    expect(again.status).toBe(304);
    expect(await reso.get(`/Member(MemberKey='${agents[0]?.id}')`)).toEqual(entity);
    expect(await reso.get(`/Member(%27${agents[0]?.id}%27)`)).toEqual(entity);
  });

  it('leads to others: to one, to none, to many', async () => {
    const office = await reso.get<Entity>(`/Member('${agents[0]?.id}')/Office`);
    expect(office.OfficeKey).toBe(officeId);
    expect((await reso.send('GET', `/Member('${agents[1]?.id}')/Office`)).status).toBe(204);
    expect((await reso.get(`/Office('${officeId}')/Members`)).value).toHaveLength(3);
  });

  it('is not found by an unknown key, or one that is no UUID', async () => {
    for (const key of [officeId, 'x', "it''s"]) {
      expect(await reso.error('GET', `/Member('${key}')`)).toMatchObject({ status: 404, code: 'not_found' });
    }
  });
});

describe('replication by timestamp', () => {
  it('finds every change with gt the last timestamp seen, and nothing else', async () => {
    const newest = await reso.get('/Member?$orderby=ModificationTimestamp desc&$top=1');
    const since = newest.value[0]?.ModificationTimestamp;
    const query = `/Member?${filter(`ModificationTimestamp gt ${since}`)}&$orderby=ModificationTimestamp`;
    expect((await reso.get(query)).value).toEqual([]);
    const changed = await directoryOf(server).patch('agents', agents[1]?.id ?? '', { nickname: 'Nana' });
    const { value } = await reso.get<EntityPage>(query);
    expect(value.map(({ MemberKey }) => MemberKey)).toEqual([changed.id]);
  });
});

describe('rights', () => {
  it('are those of the key: the scope of each set, and the offices that it is limited to', async () => {
    const outside = await directoryOf(server).office();
    const key = await keyWith(server, ['agents:read'], { officeIds: [officeId] });
    const headers = bearer(key.secret);
    expect(await reso.walk('/Member', headers)).toHaveLength(3);
    for (const path of [
      '/Office',
      `/Office('${officeId}')`,
      '/Member?$expand=Office',
      '/EntityEvent',
      '/Office/$count',
    ]) {
      expect(await reso.error('GET', path, { headers })).toMatchObject({
        status: 403,
        code: 'insufficient_scope',
      });
    }
    expect(await reso.error('POST', '/Member', { body: '{', headers })).toMatchObject({ status: 403 });
    for (const path of ['', '/', '/Lookup', '/Field'])
      expect((await reso.send('GET', path, undefined, headers)).status).toBe(200);
    const both = bearer(
      (await keyWith(server, ['agents:read', 'offices:read'], { officeIds: [outside.id] })).secret,
    );
    expect(await reso.walk('/Member', both)).toEqual([]);
    expect(await reso.error('GET', `/Office('${officeId}')`, { headers: both })).toMatchObject({
      status: 404,
    });
    const nobody = { Authorization: 'Bearer none' };
    for (const path of ['', '/$metadata', '/Member', '/Lookup']) {
      expect(await reso.error('GET', path, { headers: nobody })).toMatchObject({ status: 401 });
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { directoryOf } from '../support/fixtures.ts';
import { type Entity, filter, resoOf } from '../support/http/reso.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
let reso: ReturnType<typeof resoOf>;
let officeId: string;
/** A lead and a member of the office, and a coordinator of another one. */
let agents: string[];
/** A team of the office with all three, and one of the other office with the member. */
let teams: string[];

beforeAll(async () => {
  server = await startTestServer();
  reso = resoOf(server);
  const directory = directoryOf(server);
  const porto = await directory.office({ name: 'Porto' });
  const lisboa = await directory.office({ name: 'Lisboa' });
  officeId = porto.id;
  agents = [];
  for (const [lastName, office] of [
    ['Reis', porto],
    ['Sousa', porto],
    ['Torres', lisboa],
  ] as const)
    agents.push((await directory.agent({ lastName, officeId: office.id })).id);
  const roles = ['lead', 'member', 'coordinator'];
  const members = agents.map((agentId, index) => ({
    agentId,
    role: roles[index],
    since: `2026-0${index + 1}-01`,
  }));
  const ribeira = await directory.team({ name: 'Ribeira', officeId, members });
  const tejo = await directory.team({ name: 'Tejo', officeId: lisboa.id, members: [{ agentId: agents[1] }] });
  teams = [ribeira.id, tejo.id];
});
afterAll(() => server[Symbol.asyncDispose]());

const keyOf = (team: number, agent: number) => `${teams[team]}_${agents[agent]}`;
const keys = (entities: Entity[]) => entities.map(({ TeamMemberKey }) => TeamMemberKey);

describe('TeamMembers', () => {
  it('are read by the names of the Data Dictionary, by a key of the team and the agent', async () => {
    const fields = '$select=*,X_RosterTitle,X_RosterSince,X_RosterUntil';
    expect(await reso.get<Entity>(`/TeamMembers('${keyOf(0, 2)}')?${fields}`)).toMatchObject({
      TeamMemberKey: keyOf(0, 2),
      TeamKey: teams[0],
      MemberKey: agents[2],
      TeamMemberType: 'Transaction Coordinator',
      X_RosterTitle: null,
      X_RosterSince: '2026-03-01',
      X_RosterUntil: null,
    });
  });

  it.each([
    ["TeamMemberType eq 'Team Lead'", [[0, 0]]],
    [
      "TeamMemberType in ('Team Lead', 'Team Member')",
      [
        [0, 0],
        [0, 1],
        [1, 1],
      ],
    ],
    [
      'X_RosterSince ge 2026-02-01',
      [
        [0, 1],
        [0, 2],
      ],
    ],
    ['X_RosterSince eq null', [[1, 1]]],
  ])('are filtered, ordered and counted: %s', async (text, expected) => {
    const found = await reso.get(
      `/TeamMembers?${filter(text)}&$orderby=OriginalEntryTimestamp,MemberKey&$count=true`,
    );
    expect(keys(found.value)).toEqual(expected.map(([team = 0, agent = 0]) => keyOf(team, agent)));
    expect(found['@odata.count']).toBe(expected.length);
    const count = await reso.send('GET', `/TeamMembers/$count?${filter(text)}`);
    expect(await count.text()).toBe(String(expected.length));
  });

  it('are found by their team and by their agent', async () => {
    const ofTeam = await reso.walk(`/TeamMembers?${filter(`TeamKey eq '${teams[0]}'`)}`);
    expect(keys(ofTeam)).toEqual([keyOf(0, 0), keyOf(0, 1), keyOf(0, 2)]);
    const ofAgent = await reso.walk(`/TeamMembers?${filter(`MemberKey eq '${agents[1]}'`)}`);
    expect(keys(ofAgent)).toEqual([keyOf(0, 1), keyOf(1, 1)]);
  });

  it.each(['TeamMemberKey', 'TeamKey desc', 'X_RosterSince desc,MemberKey'])(
    'are walked by pages in the order of %s, each once',
    async (order) => {
      const all = keys(await reso.walk(`/TeamMembers?$orderby=${order}`));
      expect(new Set(all).size).toBe(4);
      const paged = await reso.walk(`/TeamMembers?$orderby=${order}`, { Prefer: 'maxpagesize=1' });
      expect(keys(paged)).toEqual(all);
      const { value } = await reso.get(`/TeamMembers?$orderby=${order}&$skip=1&$top=2`);
      expect(keys(value)).toEqual(all.slice(1, 3));
    },
  );

  it('have no order by the words of their type, and say so', async () => {
    for (const query of ['$orderby=TeamMemberType', filter("TeamMemberType gt 'Team Lead'")]) {
      const { status, details } = await reso.error('GET', `/TeamMembers?${query}`);
      expect([status, details[0]?.code]).toEqual([400, 'not_supported']);
    }
  });

  it('are in their team by $expand and by its path, and lead to the team and the agent', async () => {
    const text = "$select=MemberKey;$filter=TeamMemberType ne 'Team Lead';$orderby=MemberKey";
    const { value } = await reso.get(
      `/Teams?$orderby=TeamName&$expand=TeamMembers(${encodeURIComponent(text)})`,
    );
    expect(value).toMatchObject([
      { TeamMembers: [{ MemberKey: agents[1] }, { MemberKey: agents[2] }] },
      { TeamMembers: [{ MemberKey: agents[1] }] },
    ]);
    expect(keys(await reso.walk(`/Teams('${teams[1]}')/TeamMembers`))).toEqual([keyOf(1, 1)]);
    const one = await reso.get<Entity>(
      `/TeamMembers('${keyOf(1, 1)}')?$expand=Team,Member($select=MemberLastName)`,
    );
    expect(one).toMatchObject({ Team: { TeamName: 'Tejo' }, Member: { MemberLastName: 'Sousa' } });
    expect(await reso.get<Entity>(`/TeamMembers('${keyOf(0, 0)}')/Member`)).toMatchObject({
      MemberKey: agents[0],
    });
  });

  it('of a limited caller are those of its teams whose agents it may see: others do not exist', async () => {
    const { secret } = await keyWith(server, ['teams:read', 'agents:read'], { officeIds: [officeId] });
    const headers = bearer(secret);
    const seen = [keyOf(0, 0), keyOf(0, 1)];
    const page = await reso.get('/TeamMembers?$orderby=TeamMemberKey&$count=true', headers);
    expect([page['@odata.count'], keys(page.value)]).toEqual([2, seen]);
    expect(await (await reso.send('GET', '/TeamMembers/$count', undefined, headers)).text()).toBe('2');
    const hidden = `/TeamMembers?${filter(`MemberKey eq '${agents[2]}'`)}&$count=true`;
    expect(await reso.get(hidden, headers)).toMatchObject({ '@odata.count': 0, value: [] });
    for (const key of [keyOf(0, 2), keyOf(1, 1)])
      expect((await reso.error('GET', `/TeamMembers('${key}')`, { headers })).status).toBe(404);
    const [team] = (await reso.get('/Teams?$expand=TeamMembers', headers)).value;
    expect(keys(team?.TeamMembers as Entity[])).toEqual(seen);
  });

  it('need the scope to read teams, and that of agents to expand these', async () => {
    const { secret: other } = await keyWith(server, ['agents:read']);
    const { secret } = await keyWith(server, ['teams:read']);
    const read = await reso.error('GET', '/TeamMembers', { headers: bearer(other) });
    const expanded = await reso.error('GET', '/TeamMembers?$expand=Member', { headers: bearer(secret) });
    expect([read.status, expanded.status]).toEqual([403, 403]);
    expect(await reso.walk('/TeamMembers', bearer(secret))).toHaveLength(4);
  });

  it.each(['x', 'x_y', "it''s"])('have none with the key %s, which no member can have', async (key) => {
    expect((await reso.error('GET', `/TeamMembers('${key}')`)).status).toBe(404);
    expect(await reso.walk(`/TeamMembers?${filter(`TeamMemberKey eq '${key}'`)}`)).toEqual([]);
  });

  it('are changed with their team alone, whose events tell of it', async () => {
    const { status, code } = await reso.error('POST', '/TeamMembers', { body: { TeamKey: teams[0] } });
    expect([status, code]).toEqual([405, 'method_not_allowed']);
    expect(await reso.walk(`/EntityEvent?${filter("ResourceName eq 'TeamMembers'")}`)).toEqual([]);
  });
});

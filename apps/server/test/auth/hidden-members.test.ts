import { type Agent, scopes, type Team } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { batch } from '../support/calls.ts';
import { directoryOf } from '../support/fixtures.ts';
import { connectedClient, resultOf } from '../support/http/mcp-client.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
let key: string;
let office: string;
let visible: Agent;
let hidden: Agent;
let team: Team;
beforeAll(async () => {
  server = await startTestServer();
  const directory = directoryOf(server);
  office = (await directory.office()).id;
  visible = await directory.agent({ officeId: office, email: 'visible@roster.example' });
  const elsewhere = await directory.office();
  hidden = await directory.agent({ officeId: elsewhere.id, email: 'hidden@roster.example' });
  const members = [{ agentId: visible.id }, { agentId: hidden.id, role: 'lead', title: 'Unseen' }];
  const created = await directory.team({ name: 'Ribeira', officeId: office, members });
  team = await directory.patch('teams', created.id, {
    members: [members[0], { ...members[1], title: 'Unseen again' }],
  });
  key = (await keyWith(server, scopes, { officeIds: [office] })).secret;
});
afterAll(() => server[Symbol.asyncDispose]());

/** Everything that tells of the hidden agent. */
const tellsOfHidden = () => [hidden.id, hidden.email ?? '', hidden.displayName, 'Unseen', '"lead"'];

function expectVisibleAlone(text: string): void {
  expect(text).toContain(visible.id);
  for (const told of tellsOfHidden()) expect(text).not.toContain(told);
}

const ask = async (method: string, path: string, body?: object) => {
  const response = await server.request(method, path, body, bearer(key));
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
};

const dryRun = { filter: { all: true }, change: { type: 'update', patch: { members: [] } }, dryRun: true };

describe('of a team with a hidden member a limited key gets the visible members alone', () => {
  it.each<[path: string, method?: string, body?: object]>([
    ['/teams'],
    ['/teams?expand=members'],
    ['/teams?expand=members&sort=-updatedAt&includeTotal=true'],
    ['/teams?expand=members&q=ribeira&sort=relevance&highlight=true'],
    ['/teams?expand=members&limit=1&startAt=R&sort=name'],
    ['/teams/ID'],
    ['/teams/ID?expand=members'],
    ['/teams/ID/history'],
    ['/events?subject=ID'],
    ["/reso/Teams('ID')?$expand=TeamMembers"],
    ['/reso/TeamMembers'],
    ['/teams/ID', 'PATCH', { phoneExt: '7' }],
    ['/teams/ID/members/AGENT', 'PUT', { title: 'Consultant' }],
    ['/teams/ID/deactivate', 'PUT'],
    ['/teams/ID/reactivate', 'PUT'],
    ['/teams/ID/revert', 'PUT', { toVersion: 1, dryRun: true }],
    ['/teams/bulk', 'POST', dryRun],
  ])('%s', async (path, method = 'GET', body = undefined) => {
    const place = path.replace('ID', team.id).replace('AGENT', visible.id);
    if (path.startsWith('/events')) await expect.poll(() => ask('GET', place)).toContain(visible.id);
    expectVisibleAlone(await ask(method, place, body));
  });

  it('over RPC, in one call and in a batch', async () => {
    for (const [procedure, input] of [
      ['teams.list', { expand: 'members' }],
      ['teams.get', { id: team.id, expand: 'members' }],
      ['teams.get', { id: team.id }],
      ['teams.history', { id: team.id }],
    ] as const) {
      const query = encodeURIComponent(JSON.stringify(input));
      expectVisibleAlone(await ask('GET', `/trpc/${procedure}?input=${query}`));
      expectVisibleAlone(await (await batch(server, [[procedure, input]], bearer(key))).text());
    }
  });

  it('over MCP', async () => {
    const client = await connectedClient({ url: server.url, key });
    const one = { resource: 'teams', id: team.id };
    for (const [tool, args] of [
      ['get_record', one],
      ['history', one],
    ] as const)
      expectVisibleAlone(JSON.stringify(await resultOf(client, tool, args)));
    const found = JSON.stringify(await resultOf(client, 'find_teams', {}));
    for (const told of tellsOfHidden()) expect(found).not.toContain(told);
    await client.close();
  });

  it('and an unlimited key all of them', async () => {
    const path = `/teams/${team.id}?expand=members`;
    const text = await (await server.request('GET', path)).text();
    for (const told of tellsOfHidden()) expect(text).toContain(told);
  });
});

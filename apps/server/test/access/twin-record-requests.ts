import fc from 'fast-check';
import type { SymbolicRequest } from './twin.ts';
import { LAST_NAMES } from './twin-scene.ts';

/** Requests of a limited caller about teams, merges and duplicates, and through RESO and MCP. */

const nth = fc.nat({ max: 30 });
const idOf = (kind: 'agent' | 'office' | 'team') =>
  fc.oneof(
    { weight: 5, arbitrary: nth.map((n) => `{${kind}:${n}}`) },
    { weight: 1, arbitrary: fc.constantFrom('{hidden:2}', '{unseen}') },
  );
const agent = idOf('agent');
const office = idOf('office');
const team = idOf('team');

const path = (text: TemplateStringsArray, ...ids: fc.Arbitrary<string>[]) =>
  fc.tuple(...ids).map((values) => String.raw(text, ...values));
const get = (from: fc.Arbitrary<string>) =>
  from.map((text): SymbolicRequest => ({ method: 'GET', path: text }));
const send = (
  method: string,
  to: fc.Arbitrary<string>,
  body: fc.Arbitrary<unknown> = fc.constant({}),
): fc.Arbitrary<SymbolicRequest> => fc.record({ method: fc.constant(method), path: to, body });

const expanded = fc.constantFrom('', '?expand=members');
const members = fc.array(
  fc.record({ agentId: agent, role: fc.constantFrom('member', 'assistant') }, { requiredKeys: ['agentId'] }),
  { maxLength: 3 },
);
const rpc = (procedure: string, input: fc.Arbitrary<object>) =>
  input.map(
    (given): SymbolicRequest => ({
      method: 'GET',
      path: `/trpc/${procedure}?input=${JSON.stringify(given)}`,
    }),
  );

const teamRequests = [
  get(
    fc.constantFrom(
      '/teams',
      '/teams?expand=members&includeTotal=true',
      '/teams?expand=members&q=equipa&highlight=true',
      '/teams?expand=members&q=equipa&sort=relevance',
      '/teams?sort=name&limit=1&expand=members',
      '/teams?sort=name&limit=1',
    ),
  ),
  get(path`/teams?agentId=${agent}&includeTotal=true&expand=members`),
  get(path`/teams/${team}${expanded}`),
  get(path`/teams/${team}/history`),
  get(path`/events?subject=${team}`),
  rpc(
    'teams.list',
    fc.constantFrom({ expand: 'members' }, { expand: 'members', sort: '-updatedAt' }, { sort: 'name' }),
  ),
  rpc(
    'teams.get',
    team.map((id) => ({ id, expand: 'members' })),
  ),
  rpc(
    'teams.history',
    team.map((id) => ({ id })),
  ),
  send(
    'POST',
    fc.constant('/teams'),
    fc.record({ name: fc.constant('Equipa'), officeId: office, members }, { requiredKeys: ['name'] }),
  ),
  send(
    'PATCH',
    path`/teams/${team}`,
    fc.record({ phoneExt: fc.constantFrom('1', '2'), members }, { requiredKeys: [] }),
  ),
  send('PUT', path`/teams/${team}/members/${agent}`, fc.record({ title: fc.constantFrom('One', 'Two') })),
  path`/teams/${team}/members/${agent}`.map((text) => ({ method: 'DELETE', path: text })),
  path`/teams/${team}`.map((text) => ({ method: 'DELETE', path: text })),
  send('PUT', path`/teams/${team}/${fc.constantFrom('restore', 'deactivate', 'reactivate')}`),
  send('PUT', path`/teams/${team}/revert`, fc.record({ toVersion: fc.constant(1), dryRun: fc.boolean() })),
  send(
    'POST',
    fc.constant('/teams/bulk'),
    fc.record({
      filter: team.map((id) => ({ ids: [id] })),
      change: members.map((list) => ({ type: 'update', patch: { members: list } })),
      dryRun: fc.constant(true),
    }),
  ),
  send(
    'POST',
    fc.constant('/imports/teams'),
    fc.record({
      mode: fc.constantFrom('upsert', 'match'),
      dryRun: fc.boolean(),
      records: members.map((list) => [
        { name: 'Equipa 1', source: { name: 'crm', key: 'team' }, officeId: '{office:0}', members: list },
      ]),
    }),
  ),
];

const dryRun = fc.boolean();
const mergeOf = (one: fc.Arbitrary<string>) => fc.record({ duplicateId: one, dryRun });
const mergeRequests = [
  send('POST', path`/agents/${agent}/merge`, mergeOf(agent)),
  send('PUT', path`/agents/${agent}/unmerge`, fc.record({ dryRun })),
  send('PUT', path`/agents/${fc.constantFrom('{absorbed}', '{mergedAway}')}/unmerge`, fc.record({ dryRun })),
  send('POST', path`/teams/${team}/merge`, mergeOf(team)),
  send('PUT', path`/teams/${team}/unmerge`, fc.record({ dryRun })),
  // The limit of a caller follows a merge of offices, when it is read again.
  send(
    'POST',
    path`/offices/${office}/merge`,
    office.map((duplicateId) => ({ duplicateId, dryRun: true })),
  ),
  get(path`/agents/${fc.constantFrom('{absorbed}', '{mergedAway}')}`),
  get(path`/agents/${fc.constantFrom('{mergedAway}', '{mergedHere}')}/history`),
  get(path`/events?subject=${fc.constantFrom('{mergedAway}', '{mergedHere}')}`),
  get(fc.constant('/events?types=agent.merged')),
  path`/${fc.constantFrom('agents', 'offices')}/${fc.oneof(agent, office)}`.map((text) => ({
    method: 'DELETE',
    path: text,
  })),
  send(
    'POST',
    fc.constant('/agents/bulk'),
    fc.record({
      filter: agent.map((id) => ({ ids: [id] })),
      change: fc.constant({ type: 'delete' }),
      dryRun: fc.constant(true),
    }),
  ),
];

const others = [
  get(path`/deleted-records?resource=${fc.constantFrom('agents', 'teams', 'offices')}&includeTotal=true`),
  get(fc.constantFrom('/people', '/views')),
  send(
    'PUT',
    fc.constant('/agents/duplicates/check'),
    fc.record({
      firstName: fc.constantFrom('Ana', 'Rui'),
      lastName: fc.constantFrom(...LAST_NAMES),
      email: fc.constantFrom('visible1@seen.example', 'hidden1x1@unseen.example', null),
      officeId: office,
    }),
  ),
  send('PUT', fc.constant('/teams/duplicates/check'), fc.constant({ name: 'Equipa 1', members: [] })),
];

const resoRequests = [
  get(
    fc.constantFrom(
      '/reso/Teams?$count=true',
      '/reso/TeamMembers?$count=true',
      '/reso/Member?$count=true&$top=3&$orderby=MemberKey',
      '/reso/Office?$count=true',
      "/reso/TeamMembers?$filter=TeamMemberType eq 'Team Member'",
      '/reso/Member?$expand=Office&$top=2',
    ),
  ),
  get(path`/reso/Teams('${team}')`),
  get(path`/reso/Member('${agent}')`),
  get(path`/reso/TeamMembers('${team}_${agent}')`),
  get(path`/reso/TeamMembers?$filter=MemberKey eq '${agent}'&$count=true`),
];

const callTool = (name: string, args: fc.Arbitrary<object>): fc.Arbitrary<SymbolicRequest> =>
  args.map((given) => ({
    method: 'POST',
    path: '/mcp',
    headers: { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
  }));

const mcpRequests = [
  callTool('find_teams', fc.constantFrom({}, { q: 'equipa' })),
  callTool(
    'get_record',
    team.map((id) => ({ resource: 'teams', id })),
  ),
  callTool(
    'history',
    fc.oneof(
      team.map((id) => ({ resource: 'teams', id })),
      fc.constantFrom('{mergedAway}', '{mergedHere}').map((id) => ({ resource: 'agents', id })),
    ),
  ),
  callTool(
    'merge',
    fc.record({ resource: fc.constant('agents'), id: agent, duplicateId: agent, dryRun: fc.constant(true) }),
  ),
  callTool(
    'office_roster',
    office.map((officeId) => ({ officeId })),
  ),
  callTool('stats', fc.constant({})),
];

export const recordRequest: fc.Arbitrary<SymbolicRequest> = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(...teamRequests) },
  { weight: 4, arbitrary: fc.oneof(...mergeRequests) },
  { weight: 1, arbitrary: fc.oneof(...others) },
  { weight: 1, arbitrary: fc.oneof(...resoRequests) },
  { weight: 1, arbitrary: fc.oneof(...mcpRequests) },
);

import type { Job } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ended, errorsOf, imported, rowsOf, written } from '../../support/file-imports.ts';
import { startTestServer, type TestServer } from '../../support/index.ts';

interface Member {
  agentId: string;
  role: string;
  title: string | null;
  since: string | null;
  until: string | null;
}

interface Team {
  id: string;
  version: number;
  name: string;
  members: Member[];
}

let server: TestServer;
let agents: { id: string; email: string; source: { name: string; key: string } }[];
beforeAll(async () => {
  server = await startTestServer();
  agents = await Promise.all(
    ['ana', 'rui', 'eva'].map(async (name, index) => {
      const email = `${name}@members.example`;
      const source = { name: 'MLS Members', key: `A-${index}` };
      const agent = { firstName: name, lastName: 'Reis', email, source };
      const { id } = await post<{ id: string }>('/agents', agent);
      return { id, email, source };
    }),
  );
});
afterAll(() => server[Symbol.asyncDispose]());

async function post<Body>(path: string, body: object): Promise<Body> {
  return (await (await server.request('POST', path, body)).json()) as Body;
}

async function get<Body>(path: string): Promise<Body> {
  return (await (await server.request('GET', path)).json()) as Body;
}

const path = (query = '') => ({ path: `/imports/teams/file${query}` });
const csv = (...lines: (string | undefined)[][]) => `${lines.map((cells) => cells.join(',')).join('\n')}\n`;
const agentAt = (index: number) => () => agents[index] as (typeof agents)[number];
const [ana, rui, eva] = [agentAt(0), agentAt(1), agentAt(2)] as const;

/** The roles of the members of a team by the ids of their agents. */
async function rolesIn(id: string): Promise<Record<string, string>> {
  const { members } = await get<Team>(`/teams/${id}`);
  return Object.fromEntries(members.map(({ agentId, role }) => [agentId, role]));
}

async function teamNamed(name: string): Promise<Team> {
  const { items } = await get<{ items: Team[] }>(`/teams?q=${name}`);
  return items[0] as Team;
}

describe('a file with a row for each member', () => {
  it('makes each team once, with one event, and names agents by e-mail address, id or source', async () => {
    const file = csv(
      [
        'Team',
        'Agent email',
        'members.agentId',
        'members.agentSource.name',
        'members.agentSource.key',
        'Role',
        'Since',
      ],
      ['Ribeira', ana().email.toUpperCase(), '', '', '', 'lead', '2026-03-01'],
      ['Foz', eva().email, '', '', '', '', ''],
      ['Ribeira', '', rui().id, '', '', 'Buyer agent', ''],
      ['Ribeira', '', '', eva().source.name, eva().source.key, '', ''],
    );
    const { id, ...result } = await imported(server, file, path('?mode=write'));
    expect(result).toMatchObject({ status: 'completed', total: 2, created: 2, errors: 0 });
    const team = await teamNamed('Ribeira');
    expect(team.version).toBe(1);
    expect(await rolesIn(team.id)).toEqual({
      [ana().id]: 'lead',
      [rui().id]: 'buyer_agent',
      [eva().id]: 'member',
    });
    expect(team.members.map(({ agentId }) => agentId)).toEqual(agents.map((one) => one.id).sort());
    expect((await rowsOf(server, id)).map(({ row }) => row)).toEqual([2, 3]);
  });

  it('adds members to those that a team has, changes the ones it names, says so before, and is undone', async () => {
    const { id } = await post<Team>('/teams', {
      name: 'Douro',
      members: [{ agentId: ana().id, role: 'lead' }, { agentId: rui().id }],
    });
    const file = csv(
      ['id', 'members.agentEmail', 'members.role', 'members.until'],
      [id, ana().email, 'lead', '2026-02-28'],
      [id, eva().email, 'member', ''],
    );
    const check = await imported(server, file, path());
    expect(check).toMatchObject({ updated: 1, errors: 0 });
    const [row] = await rowsOf(server, check.id);
    expect(row?.changes.map(({ field }) => field)).toEqual(['members']);
    expect(row?.changes[0]?.from).toHaveLength(2);
    expect(row?.changes[0]?.to).toHaveLength(3);
    expect((await get<Team>(`/teams/${id}`)).version).toBe(1);
    await written(server, check.id, {});
    const { members, version } = await get<Team>(`/teams/${id}`);
    expect(version).toBe(2);
    expect(members.find(({ agentId }) => agentId === ana().id)).toMatchObject({ until: '2026-02-28' });
    expect(members).toHaveLength(3);
    const undo = (await (await server.request('PUT', `/imports/${check.id}/undo`, {})).json()) as Job;
    expect(await ended<Job>(server, `/jobs/${undo.id}`)).toMatchObject({ status: 'completed', changed: 1 });
    expect(await rolesIn(id)).toEqual({ [ana().id]: 'lead', [rui().id]: 'member' });
  });

  it('finds a team by its name if one alone has it, and changes nothing if it is imported again', async () => {
    const { id } = await post<Team>('/teams', { name: 'Cais do Sodré' });
    const file = csv(['name', 'members.agentId'], ['Cais do Sodré', ana().id], ['Cais do Sodré', rui().id]);
    const first = await imported(server, file, path('?mode=write'));
    expect(first).toMatchObject({ created: 0, updated: 1 });
    expect(await rowsOf(server, first.id)).toMatchObject([{ matchedBy: 'name', recordId: id }]);
    expect(await imported(server, file, path('?mode=write'))).toMatchObject({ updated: 0, unchanged: 1 });
    expect(Object.keys(await rolesIn(id))).toHaveLength(2);
  });

  it('takes the ids in it for keys of the source of the file, if it has one', async () => {
    const file = csv(
      ['TeamKey', 'TeamName', 'MemberKey', 'TeamMemberType'],
      ['T-1', 'Alfama', ana().source.key, 'lead'],
      ['T-1', 'Alfama', rui().source.key, ''],
    );
    const source = '&sourceName=MLS%20Members';
    expect(await imported(server, file, path(`?mode=write${source}`))).toMatchObject({ created: 1 });
    expect(await rolesIn((await teamNamed('Alfama')).id)).toEqual({
      [ana().id]: 'lead',
      [rui().id]: 'member',
    });
  });

  it('rejects a team with the row that is wrong: of an unknown agent, a second lead, an agent twice', async () => {
    const file = csv(
      ['name', 'members.agentEmail', 'members.role'],
      ['Unknown', ana().email, ''],
      ['Unknown', 'nobody@members.example', ''],
      ['Leads', ana().email, 'lead'],
      ['Leads', rui().email, 'lead'],
      ['Twice', ana().email, ''],
      ['Twice', ana().email, ''],
      ['Typed', rui().email, 'boss'],
    );
    const { id, created, errors } = await imported(server, file, path());
    expect({ created, errors }).toEqual({ created: 0, errors: 4 });
    const found = (await errorsOf(server, id)).map(({ row, column, value, code }) => [
      row,
      column,
      value,
      code,
    ]);
    expect(found).toEqual([
      [2, '', null, 'rejected'],
      [3, 'members.agentEmail', 'nobody@members.example', 'not_found'],
      [4, '', null, 'rejected'],
      [5, 'members.role', 'lead', 'second_lead'],
      [6, '', null, 'rejected'],
      [7, 'members.agentEmail', ana().email, 'repeated'],
      [8, 'members.role', 'boss', 'invalid_choice'],
    ]);
  });

  it('rejects a row that says of the team something else than an earlier one', async () => {
    const file = csv(
      ['source.name', 'source.key', 'name', 'phone', 'members.agentEmail'],
      ['Lists', '1', 'Graça', '+351210000001', ana().email],
      ['Lists', '1', 'Graça', '', rui().email],
      ['Lists', '1', 'Penha', '+351210000001', eva().email],
    );
    const { id } = await imported(server, file, path());
    expect(await errorsOf(server, id)).toMatchObject([
      {
        row: 4,
        column: 'name',
        value: 'Penha',
        code: 'contradicts',
        detail: 'differs from row 2 for the same record',
      },
    ]);
    expect(await written(server, id, { skip: ['errors'] })).toMatchObject({ created: 1, errors: 1 });
    expect(Object.keys(await rolesIn((await teamNamed('Graça')).id))).toHaveLength(2);
  });

  it('gives each such row one error, also if several of them contradict the first', async () => {
    const file = csv(
      ['source.name', 'source.key', 'name', 'members.agentEmail'],
      ['Lists', '2', 'Estrela', ana().email],
      ['Lists', '2', 'Lapa', rui().email],
      ['Lists', '2', 'Chiado', eva().email],
    );
    const { id } = await imported(server, file, path());
    expect((await errorsOf(server, id)).map(({ row, column, detail }) => [row, column, detail])).toEqual([
      [3, 'name', 'differs from row 2 for the same record'],
      [4, 'name', 'differs from row 2 for the same record'],
    ]);
  });
});

describe('an error of a row that is about another row', () => {
  it('names the row by its number in the file', async () => {
    const known = await post<{ id: string }>('/agents', {
      firstName: 'Ema',
      lastName: 'Sá',
      email: 'ema@members.example',
      source: { name: 'MLS Members', key: 'E-1' },
    });
    const file = csv(
      ['id', 'firstName', 'lastName', 'email', 'source.name', 'source.key'],
      ['', 'Rita', 'Paz', 'rita@members.example', '', ''],
      ['', 'Ema', 'Sá', '', 'MLS Members', 'E-1'],
      [known.id, 'Ema', 'Sá', '', '', ''],
    );
    const { id } = await imported(server, file, { path: '/imports/agents/file' });
    expect((await errorsOf(server, id)).map(({ row, detail }) => [row, detail])).toEqual([
      [4, 'refers to the same record as row 3'],
    ]);
  });
});

import type { Input } from '../../../../src/options/fields.ts';
import { idCases, type ParityCase, UNKNOWN } from '../case.ts';
import type { Fixtures } from '../isolated-service.ts';
import { anAgent, anOffice, aTeam } from './record-fixtures.ts';

/** A team with a lead, and another agent. */
async function aLedTeam(fixtures: Fixtures): Promise<{ id: string; lead: string; other: string }> {
  const [lead, other] = [await anAgent(fixtures), await anAgent(fixtures)];
  const { id } = await aTeam(fixtures, { members: [{ agentId: lead.id, role: 'lead' }] });
  return { id, lead: lead.id, other: other.id };
}

const restoring: ParityCase[] = [
  {
    title: 'a team whose office is now deleted',
    errorCode: 'reference_not_found',
    input: async (fixtures) => {
      const office = await anOffice(fixtures);
      const { id } = await aTeam(fixtures, { officeId: office.id });
      await fixtures.client.teams.delete.mutate({ id });
      await fixtures.client.offices.delete.mutate({ id: office.id });
      return { id };
    },
  },
];

/** A change of one member of a team with a lead. */
const ofMember = (change: (team: { lead: string; other: string }) => Input): ParityCase['input'] => {
  return async (fixtures) => {
    const { id, ...agents } = await aLedTeam(fixtures);
    return { id, ...change(agents) };
  };
};

const versionCase: ParityCase = {
  title: 'an outdated version',
  errorCode: 'version_conflict',
  input: async (fixtures) => {
    const { id, other } = await aLedTeam(fixtures);
    await fixtures.client.teams.putMember.mutate({ id, agentId: other });
    const { id: agentId } = await anAgent(fixtures);
    await fixtures.client.teams.putMember.mutate({ id, agentId });
    return { id, agentId: other, role: 'coordinator', ifVersion: 1 };
  },
};

/** The cases that teams do not share with other resources. */
export const teamCases: Record<string, ParityCase[]> = {
  list: [
    {
      title: 'the teams of an agent, with the agents',
      input: async (fixtures) => {
        const { lead } = await aLedTeam(fixtures);
        return { agentId: [lead], expand: 'members', sort: '-name', includeTotal: true };
      },
    },
  ],
  get: [
    {
      title: 'a team with its agents',
      input: async (fixtures) => ({ id: (await aLedTeam(fixtures)).id, expand: 'members' }),
    },
    {
      title: 'agents with a key that may not read them',
      errorCode: 'insufficient_scope',
      scopes: ['teams:read'],
      input: async (fixtures) => ({ id: (await aLedTeam(fixtures)).id, expand: 'members' }),
    },
  ],
  create: [
    {
      title: 'members',
      input: async (fixtures) => {
        const { id: agentId } = await anAgent(fixtures);
        const member = { agentId, role: 'lead', title: 'Broker', since: '2026-03-01', until: null };
        return { name: 'Ribeira', members: [member], socialLinks: ['https://social.example/ribeira'] };
      },
    },
    {
      title: 'two leads, and an agent twice',
      errorCode: 'validation_failed',
      input: async (fixtures) => {
        const { id: agentId } = await anAgent(fixtures);
        return {
          name: 'Ribeira',
          members: [
            { agentId, role: 'lead' },
            { agentId, role: 'lead' },
          ],
        };
      },
    },
    {
      title: 'an unknown agent',
      errorCode: 'reference_not_found',
      input: () => ({ name: 'Ribeira', members: [{ agentId: UNKNOWN }] }),
    },
  ],
  update: [
    {
      title: 'an unknown office',
      errorCode: 'reference_not_found',
      input: async (fixtures) => ({ id: (await aTeam(fixtures)).id, officeId: UNKNOWN }),
    },
  ],
  restore: restoring,
  revert: [
    {
      title: 'to an office that is now deleted',
      errorCode: 'reference_not_found',
      input: async (fixtures) => {
        const office = await anOffice(fixtures);
        const { id } = await aTeam(fixtures, { officeId: office.id });
        await fixtures.client.teams.update.mutate({ id, officeId: null });
        await fixtures.client.offices.delete.mutate({ id: office.id });
        await fixtures.logged(id, 2);
        return { id, toVersion: 1 };
      },
    },
  ],
  putMember: [
    {
      title: 'another member',
      input: ofMember(({ other }) => ({ agentId: other, role: 'coordinator', since: '2026-03-01' })),
    },
    {
      title: 'the member as it is',
      input: ofMember(({ lead }) => ({ agentId: lead, role: 'lead' })),
    },
    {
      title: 'a second lead',
      errorCode: 'validation_failed',
      input: ofMember(({ other }) => ({ agentId: other, role: 'lead' })),
    },
    {
      title: 'an unknown agent',
      errorCode: 'reference_not_found',
      input: ofMember(() => ({ agentId: UNKNOWN })),
    },
    versionCase,
    {
      title: 'an unknown team',
      errorCode: 'not_found',
      input: async (fixtures) => ({ id: UNKNOWN, agentId: (await anAgent(fixtures)).id }),
    },
  ],
  removeMember: [
    { title: 'the lead', input: ofMember(({ lead }) => ({ agentId: lead })) },
    { title: 'an agent who is no member', input: ofMember(({ other }) => ({ agentId: other })) },
    {
      title: 'an outdated version',
      errorCode: 'version_conflict',
      input: async (fixtures) => {
        const { id, lead, other } = await aLedTeam(fixtures);
        await fixtures.client.teams.putMember.mutate({ id, agentId: other });
        return { id, agentId: lead, ifVersion: 1 };
      },
    },
    ...idCases({ agentId: UNKNOWN }),
  ],
};

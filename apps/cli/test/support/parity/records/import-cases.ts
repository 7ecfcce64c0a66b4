import { type CasesOf, type ParityCase, UNKNOWN } from '../case.ts';
import type { Fixtures } from '../isolated-service.ts';
import { anAgent, anOffice, aTeam } from './record-fixtures.ts';

/** A unique source. */
const sourceOf = ({ unique }: Fixtures) => ({ name: 'MLS', key: `K${unique()}` });

const wrong: ParityCase[] = [
  { title: 'no records', errorCode: 'validation_failed', input: () => ({ records: [] }) },
  {
    title: 'an invalid record among others',
    errorCode: 'validation_failed',
    input: () => ({ records: [{ mlsId: 'x' }, { mlsId: 1 }] }),
  },
  {
    title: 'an unknown field',
    errorCode: 'validation_failed',
    input: () => ({ records: [{}], sort: 'x' }),
  },
];

/** The cases of imports. */
export const importCases: CasesOf = {
  offices: [
    {
      title: 'a branch and its main office',
      input: (fixtures) => {
        const source = sourceOf(fixtures);
        const branch = { name: 'Branch', source: sourceOf(fixtures), mainOfficeSource: source };
        return { records: [branch, { name: 'Main', source }] };
      },
    },
    {
      title: 'a dry run with existing records',
      input: async (fixtures) => {
        const source = sourceOf(fixtures);
        const { name } = await anOffice(fixtures, { source });
        const changed = { name, source, bio: 'Known better' };
        return { records: [changed], mode: 'upsert', isAtomic: false, dryRun: true };
      },
    },
    ...wrong,
    {
      title: 'a source that another office has',
      errorCode: 'source_taken',
      input: async (fixtures) => {
        const source = sourceOf(fixtures);
        await anOffice(fixtures, { source });
        return { records: [{ name: 'Another', source }] };
      },
    },
    {
      title: 'an unknown main office',
      errorCode: 'reference_not_found',
      input: () => ({ records: [{ name: 'Branch', mainOfficeId: UNKNOWN }] }),
    },
    {
      title: 'two offices that are main offices of each other',
      errorCode: 'office_cycle',
      input: (fixtures) => {
        const [one, other] = [sourceOf(fixtures), sourceOf(fixtures)];
        return {
          records: [
            { name: 'One', source: one, mainOfficeSource: other },
            { name: 'Other', source: other, mainOfficeSource: one },
          ],
        };
      },
    },
  ],
  agents: [
    {
      title: 'two agents of an office',
      input: async (fixtures) => {
        const source = sourceOf(fixtures);
        await anOffice(fixtures, { source });
        const agent = { firstName: 'Ana', lastName: 'Reis', officeSource: source };
        return { records: [agent, { ...agent, firstName: 'Rui' }] };
      },
    },
    {
      title: 'an existing agent with a new field',
      input: async (fixtures) => {
        const source = sourceOf(fixtures);
        const { firstName, lastName } = await anAgent(fixtures, { source });
        return { records: [{ firstName, lastName, source, bio: 'Known better' }], mode: 'upsert' };
      },
    },
    ...wrong,
    {
      title: 'a source that another agent has',
      errorCode: 'source_taken',
      input: async (fixtures) => {
        const source = sourceOf(fixtures);
        await anAgent(fixtures, { source });
        return { records: [{ firstName: 'Ana', lastName: 'Reis', source }] };
      },
    },
    {
      title: 'an unknown office',
      errorCode: 'reference_not_found',
      input: () => ({ records: [{ firstName: 'Ana', lastName: 'Reis', officeId: UNKNOWN }] }),
    },
    {
      title: 'an inactive office',
      errorCode: 'office_inactive',
      input: async (fixtures) => {
        const { id } = await anOffice(fixtures);
        await fixtures.client.offices.deactivate.mutate({ id });
        return { records: [{ firstName: 'Ana', lastName: 'Reis', officeId: id }] };
      },
    },
    {
      title: 'an e-mail address that another agent has',
      errorCode: 'email_taken',
      input: async (fixtures) => {
        const email = `ana${fixtures.unique()}@roster.example`;
        await anAgent(fixtures, { email });
        return { records: [{ firstName: 'Ana', lastName: 'Reis', email }] };
      },
    },
  ],
  teams: [
    {
      title: 'a team of an office with a member',
      input: async (fixtures) => {
        const { id: officeId } = await anOffice(fixtures);
        const { id: agentId } = await anAgent(fixtures);
        return { records: [{ name: 'Ribeira', officeId, members: [{ agentId, role: 'lead' }] }] };
      },
    },
    ...wrong,
    {
      title: 'a source that another team has',
      errorCode: 'source_taken',
      input: async (fixtures) => {
        const source = sourceOf(fixtures);
        await aTeam(fixtures, { source });
        return { records: [{ name: 'Another', source }] };
      },
    },
    {
      title: 'an unknown member',
      errorCode: 'reference_not_found',
      input: () => ({ records: [{ name: 'Ribeira', members: [{ agentId: UNKNOWN }] }] }),
    },
  ],
};

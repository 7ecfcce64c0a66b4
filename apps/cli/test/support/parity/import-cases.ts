import { type CasesOf, type DoorCase, UNKNOWN } from './case.ts';
import type { Stage } from './isolated-service.ts';
import { anAgent, anOffice } from './staged-records.ts';

/** A source nobody else has. */
const sourceOf = ({ unique }: Stage) => ({ name: 'MLS', key: `K${unique()}` });

const wrong: DoorCase[] = [
  { title: 'no records', refusal: 'validation_failed', input: () => ({ records: [] }) },
  {
    title: 'a record that is none, among others',
    refusal: 'validation_failed',
    input: () => ({ records: [{ bio: 'x' }, { bio: 1 }] }),
  },
  {
    title: 'a field that is none',
    refusal: 'validation_failed',
    input: () => ({ records: [{}], sort: 'x' }),
  },
];

/** Everything about importing. */
export const importCases: CasesOf = {
  offices: [
    {
      title: 'a branch and its main office',
      input: (stage) => {
        const source = sourceOf(stage);
        const branch = { name: 'Branch', source: sourceOf(stage), mainOfficeSource: source };
        return { records: [branch, { name: 'Main', source }] };
      },
    },
    {
      title: 'what is there already, and would become of it',
      input: async (stage) => {
        const source = sourceOf(stage);
        const { name } = await anOffice(stage, { source });
        const changed = { name, source, bio: 'Known better' };
        return { records: [changed], mode: 'upsert', isAtomic: false, dryRun: true };
      },
    },
    ...wrong,
    {
      title: 'a source that another office has',
      refusal: 'source_taken',
      input: async (stage) => {
        const source = sourceOf(stage);
        await anOffice(stage, { source });
        return { records: [{ name: 'Another', source }] };
      },
    },
    {
      title: 'a main office that is none',
      refusal: 'reference_not_found',
      input: () => ({ records: [{ name: 'Branch', mainOfficeId: UNKNOWN }] }),
    },
    {
      title: 'two offices above each other',
      refusal: 'office_cycle',
      input: (stage) => {
        const [one, other] = [sourceOf(stage), sourceOf(stage)];
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
      input: async (stage) => {
        const source = sourceOf(stage);
        await anOffice(stage, { source });
        const agent = { firstName: 'Ana', lastName: 'Reis', officeSource: source };
        return { records: [agent, { ...agent, firstName: 'Rui' }] };
      },
    },
    {
      title: 'one who is there already, with more',
      input: async (stage) => {
        const source = sourceOf(stage);
        const { firstName, lastName } = await anAgent(stage, { source });
        return { records: [{ firstName, lastName, source, bio: 'Known better' }], mode: 'upsert' };
      },
    },
    ...wrong,
    {
      title: 'a source that another agent has',
      refusal: 'source_taken',
      input: async (stage) => {
        const source = sourceOf(stage);
        await anAgent(stage, { source });
        return { records: [{ firstName: 'Ana', lastName: 'Reis', source }] };
      },
    },
    {
      title: 'an office that is none',
      refusal: 'reference_not_found',
      input: () => ({ records: [{ firstName: 'Ana', lastName: 'Reis', officeId: UNKNOWN }] }),
    },
    {
      title: 'an inactive office',
      refusal: 'office_inactive',
      input: async (stage) => {
        const { id } = await anOffice(stage);
        await stage.client.offices.deactivate.mutate({ id });
        return { records: [{ firstName: 'Ana', lastName: 'Reis', officeId: id }] };
      },
    },
    {
      title: 'an e-mail address that another agent has',
      refusal: 'email_taken',
      input: async (stage) => {
        const email = `ana${stage.unique()}@roster.example`;
        await anAgent(stage, { email });
        return { records: [{ firstName: 'Ana', lastName: 'Reis', email }] };
      },
    },
  ],
};

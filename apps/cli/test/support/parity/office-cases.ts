import { type CasesOf, type DoorCase, UNKNOWN } from './case.ts';
import { anAgent, anOffice } from './staged-records.ts';

const dangling = { mainOfficeId: UNKNOWN, brokerAgentId: null };

const restoreWithout: DoorCase = {
  title: 'a branch whose main office is gone',
  refusal: 'reference_not_found',
  input: async (stage) => {
    const main = await anOffice(stage);
    const branch = await anOffice(stage, { mainOfficeId: main.id });
    for (const { id } of [branch, main]) await stage.client.offices.delete.mutate({ id });
    return { id: branch.id };
  },
};

/** What is the offices' own, beside what they share with agents. */
export const officeCases: Record<string, DoorCase[]> = {
  list: [
    {
      title: 'the branches of an office',
      input: async (stage) => {
        const { id } = await anOffice(stage);
        await anOffice(stage, { mainOfficeId: id, address: { city: 'Porto', country: 'PT' } });
        return { mainOfficeId: [id], country: ['PT'], sort: 'name', includeTotal: true };
      },
    },
  ],
  create: [
    {
      title: 'a main office that is none',
      refusal: 'reference_not_found',
      input: () => ({ name: 'Branch', ...dangling }),
    },
    {
      title: 'a branch type that is none',
      refusal: 'validation_failed',
      input: () => ({ name: 'Branch', branchType: 'twig' }),
    },
  ],
  update: [
    {
      title: 'a manager who is none',
      refusal: 'reference_not_found',
      input: async (stage) => ({ id: (await anOffice(stage)).id, managerAgentId: UNKNOWN }),
    },
    {
      title: 'a main office that is its branch',
      refusal: 'office_cycle',
      input: async (stage) => {
        const { id } = await anOffice(stage);
        const branch = await anOffice(stage, { mainOfficeId: id });
        return { id, mainOfficeId: branch.id };
      },
    },
    {
      title: 'itself as its main office',
      refusal: 'office_cycle',
      input: async (stage) => {
        const { id } = await anOffice(stage);
        return { id, mainOfficeId: id };
      },
    },
  ],
  delete: [
    {
      title: 'an office with agents and a branch',
      refusal: 'has_dependents',
      input: async (stage) => {
        const { id } = await anOffice(stage);
        await anOffice(stage, { mainOfficeId: id });
        for (const _ of [1, 2]) await anAgent(stage, { officeId: id });
        return { id };
      },
    },
  ],
  deactivate: [
    {
      title: 'an office with its agents',
      input: async (stage) => {
        const { id } = await anOffice(stage);
        await anAgent(stage, { officeId: id });
        return { id, cascade: true };
      },
    },
    {
      title: 'a switch that is neither',
      refusal: 'validation_failed',
      input: async (stage) => ({ id: (await anOffice(stage)).id, cascade: 'maybe' }),
      except: { cli: 'a switch takes no value' },
    },
  ],
  restore: [restoreWithout],
} satisfies Partial<CasesOf>;

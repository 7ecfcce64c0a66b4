import { type CasesOf, idCases, type ParityCase, UNKNOWN } from '../case.ts';
import { anAgent, anOffice, resourceFixtures } from './record-fixtures.ts';
import { transferCases } from './transfer-cases.ts';

const dangling = { mainOfficeId: UNKNOWN, brokerAgentId: null };

const restoreWithout: ParityCase = {
  title: 'a branch whose main office is deleted',
  errorCode: 'reference_not_found',
  input: async (fixtures) => {
    const main = await anOffice(fixtures);
    const branch = await anOffice(fixtures, { mainOfficeId: main.id });
    for (const { id } of [branch, main]) await fixtures.client.offices.delete.mutate({ id });
    return { id: branch.id };
  },
};

/** The cases that offices do not share with agents. */
export const officeCases: Record<string, ParityCase[]> = {
  list: [
    {
      title: 'the branches of an office',
      input: async (fixtures) => {
        const { id } = await anOffice(fixtures);
        await anOffice(fixtures, { mainOfficeId: id, address: { city: 'Porto', country: 'PT' } });
        return { mainOfficeId: [id], country: ['PT'], sort: 'name', includeTotal: true };
      },
    },
    {
      title: 'offices with their counts',
      input: async (fixtures) => {
        const { id } = await anOffice(fixtures);
        await anAgent(fixtures, { officeId: id });
        return { ids: [id], expand: 'counts' };
      },
    },
  ],
  get: [
    {
      title: 'an office with its counts',
      input: async (fixtures) => {
        const { id } = await anOffice(fixtures);
        await anOffice(fixtures, { mainOfficeId: id });
        return { id, expand: 'counts' };
      },
    },
    {
      title: 'counts with a key that may not read agents',
      errorCode: 'insufficient_scope',
      scopes: ['offices:read'],
      input: async (fixtures) => ({ id: (await anOffice(fixtures)).id, expand: 'counts' }),
    },
  ],
  create: [
    {
      title: 'an unknown main office',
      errorCode: 'reference_not_found',
      input: () => ({ name: 'Branch', ...dangling }),
    },
    {
      title: 'an invalid branch type',
      errorCode: 'validation_failed',
      input: () => ({ name: 'Branch', branchType: 'twig' }),
    },
  ],
  update: [
    {
      title: 'an unknown manager',
      errorCode: 'reference_not_found',
      input: async (fixtures) => ({ id: (await anOffice(fixtures)).id, managerAgentId: UNKNOWN }),
    },
    {
      title: 'a main office that is its branch',
      errorCode: 'office_cycle',
      input: async (fixtures) => {
        const { id } = await anOffice(fixtures);
        const branch = await anOffice(fixtures, { mainOfficeId: id });
        return { id, mainOfficeId: branch.id };
      },
    },
    {
      title: 'itself as its main office',
      errorCode: 'office_cycle',
      input: async (fixtures) => {
        const { id } = await anOffice(fixtures);
        return { id, mainOfficeId: id };
      },
    },
  ],
  delete: [
    {
      title: 'an office with agents and a branch',
      errorCode: 'has_dependents',
      input: async (fixtures) => {
        const { id } = await anOffice(fixtures);
        await anOffice(fixtures, { mainOfficeId: id });
        for (const _ of [1, 2]) await anAgent(fixtures, { officeId: id });
        await anAgent(fixtures, { affiliations: [{ officeId: id }] });
        return { id };
      },
    },
  ],
  deactivate: [
    {
      title: 'an office with its agents',
      input: async (fixtures) => {
        const { id } = await anOffice(fixtures);
        await anAgent(fixtures, { officeId: id });
        await anAgent(fixtures, { affiliations: [{ officeId: id }] });
        return { id, cascade: true };
      },
    },
    {
      title: 'an invalid boolean',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ id: (await anOffice(fixtures)).id, cascade: 'maybe' }),
      except: { cli: 'a switch takes no value' },
    },
  ],
  previewReactivate: [
    {
      title: 'an office that was deactivated with its agents',
      input: async (fixtures) => {
        const { id } = await anOffice(fixtures);
        await anAgent(fixtures, { officeId: id });
        await fixtures.client.offices.deactivate.mutate({ id, cascade: true });
        return { id };
      },
    },
    ...idCases().filter(({ except }) => except === undefined),
  ],
  reactivate: [
    {
      title: 'an office with its agents, of whom one was changed since',
      input: async (fixtures) => {
        const { id } = await anOffice(fixtures);
        await anAgent(fixtures, { officeId: id });
        const changed = await anAgent(fixtures, { officeId: id });
        await anAgent(fixtures, { affiliations: [{ officeId: id }] });
        await fixtures.client.offices.deactivate.mutate({ id, cascade: true });
        await fixtures.client.agents.update.mutate({ id: changed.id, title: 'Broker' });
        return { id, cascade: true };
      },
    },
    {
      title: 'an office with its agents at a time',
      errorCode: 'validation_failed',
      input: async (fixtures) => {
        const { id } = await anOffice(fixtures);
        return { id, cascade: true, effectiveOn: '2099-01-01' };
      },
    },
  ],
  transferAgents: [
    {
      title: 'an office with an active and an inactive agent',
      input: async (fixtures) => {
        const { id } = await anOffice(fixtures);
        await anAgent(fixtures, { officeId: id });
        const inactive = await anAgent(fixtures, { officeId: id });
        await fixtures.client.agents.deactivate.mutate({ id: inactive.id });
        return { id, toOfficeId: (await anOffice(fixtures)).id, reason: 'The office closes', ifVersion: 1 };
      },
    },
    ...transferCases(resourceFixtures.offices, 'toOfficeId'),
  ],
  merge: [
    {
      title: 'an office with an active agent into an inactive one',
      errorCode: 'office_inactive',
      input: async (fixtures) => {
        const [{ id }, { id: duplicateId }] = [await anOffice(fixtures), await anOffice(fixtures)];
        await anAgent(fixtures, { officeId: duplicateId });
        await fixtures.client.offices.deactivate.mutate({ id });
        return { id, duplicateId };
      },
    },
    {
      title: 'an office into one that is two steps below it',
      errorCode: 'office_cycle',
      input: async (fixtures) => {
        const duplicate = await anOffice(fixtures);
        const between = await anOffice(fixtures, { mainOfficeId: duplicate.id });
        const { id } = await anOffice(fixtures, { mainOfficeId: between.id });
        return { id, duplicateId: duplicate.id };
      },
    },
  ],
  restore: [restoreWithout],
  revert: [
    {
      title: 'to a manager who is now deleted',
      errorCode: 'reference_not_found',
      input: async (fixtures) => {
        const manager = await anAgent(fixtures);
        const { id } = await anOffice(fixtures, { managerAgentId: manager.id });
        await fixtures.client.offices.update.mutate({ id, managerAgentId: null });
        await fixtures.client.agents.delete.mutate({ id: manager.id });
        await fixtures.logged(id, 2);
        return { id, toVersion: 1 };
      },
    },
    {
      title: 'to a main office that is now its branch',
      errorCode: 'office_cycle',
      input: async (fixtures) => {
        const main = await anOffice(fixtures);
        const { id } = await anOffice(fixtures, { mainOfficeId: main.id });
        await fixtures.client.offices.update.mutate({ id, mainOfficeId: null });
        await fixtures.client.offices.update.mutate({ id: main.id, mainOfficeId: id });
        await fixtures.logged(id, 2);
        return { id, toVersion: 1 };
      },
    },
  ],
} satisfies Partial<CasesOf>;

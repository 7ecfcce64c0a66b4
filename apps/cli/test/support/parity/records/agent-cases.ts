import type { Input } from '../../../../src/options/fields.ts';
import { fewChoices, type ParityCase, UNKNOWN } from '../case.ts';
import type { Fixtures } from '../isolated-service.ts';
import { anAgent, anOffice, resourceFixtures } from './record-fixtures.ts';
import { transferCases } from './transfer-cases.ts';

const names = { firstName: 'Ana', lastName: 'Reis' };

/** The e-mail of an existing agent, in another letter case. */
async function takenEmail(fixtures: Fixtures): Promise<string> {
  const email = `taken${fixtures.unique()}@a.example`;
  await anAgent(fixtures, { email });
  return email.toUpperCase();
}

async function inactiveOffice(fixtures: Fixtures): Promise<string> {
  const { id } = await anOffice(fixtures);
  await fixtures.client.offices.deactivate.mutate({ id });
  return id;
}

/** A deleted agent, after further operations. */
function deletedThen(fields: Input, then: (fixtures: Fixtures, officeId: string) => Promise<unknown>) {
  return async (fixtures: Fixtures): Promise<Input> => {
    const office = await anOffice(fixtures);
    const { id } = await anAgent(fixtures, { officeId: office.id, ...fields });
    await fixtures.client.agents.delete.mutate({ id });
    await then(fixtures, office.id);
    return { id };
  };
}

/** A revert to the version of an agent that had these fields, which were cleared, after a further operation. */
function revertedTo(
  fieldsOf: (fixtures: Fixtures) => Input | Promise<Input>,
  then: (fixtures: Fixtures, fields: Input) => Promise<unknown>,
) {
  return async (fixtures: Fixtures): Promise<Input> => {
    const fields = await fieldsOf(fixtures);
    const { id } = await anAgent(fixtures, fields);
    const cleared = Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
    await fixtures.client.agents.update.mutate({ id, ...cleared });
    await then(fixtures, fields);
    await fixtures.logged(id, 2);
    return { id, toVersion: 1 };
  };
}

const restoring: ParityCase[] = [
  {
    title: 'an agent whose e-mail is now taken',
    errorCode: 'email_taken',
    input: deletedThen({ email: 'late@a.example' }, (fixtures) =>
      anAgent(fixtures, { email: 'late@a.example' }),
    ),
  },
  {
    title: 'an agent whose office is now inactive',
    errorCode: 'office_inactive',
    input: deletedThen({}, ({ client }, id) => client.offices.deactivate.mutate({ id })),
  },
  {
    title: 'an agent whose office is now deleted',
    errorCode: 'reference_not_found',
    input: deletedThen({}, ({ client }, id) => client.offices.delete.mutate({ id })),
  },
];

/** The cases that agents do not share with offices. */
export const agentCases: Record<string, ParityCase[]> = {
  merge: [
    {
      title: 'an agent of an inactive office into an active one without an office',
      errorCode: 'office_inactive',
      input: async (fixtures) => {
        const office = await anOffice(fixtures);
        const [{ id }, duplicate] = [
          await anAgent(fixtures),
          await anAgent(fixtures, { officeId: office.id }),
        ];
        await fixtures.client.offices.deactivate.mutate({ id: office.id });
        return { id, duplicateId: duplicate.id };
      },
    },
  ],
  list: [
    {
      title: 'the agents of an office, with it',
      input: async (fixtures) => {
        const { id } = await anOffice(fixtures);
        for (const _ of [1, 2]) await anAgent(fixtures, { officeId: id });
        return { officeId: [id], expand: 'office', sort: '-lastName' };
      },
    },
    {
      title: 'the agents whose primary office it is',
      input: async (fixtures) => {
        const { id } = await anOffice(fixtures);
        await anAgent(fixtures, { officeId: id });
        await anAgent(fixtures, { affiliations: [{ officeId: id }] });
        return { officeId: [id], affiliation: 'primary' };
      },
    },
    {
      title: 'an invalid expansion',
      errorCode: 'invalid_parameter',
      input: () => ({ expand: 'home' }),
      except: fewChoices,
    },
  ],
  create: [
    {
      title: 'languages and designations',
      input: () => ({ ...names, languages: ['pt-pt', 'en'], designations: ['GRI', 'A, B'] }),
    },
    {
      title: 'affiliations',
      input: async (fixtures) => {
        const [first, second] = [await anOffice(fixtures), await anOffice(fixtures)];
        const affiliation = { officeId: first.id, title: 'Broker', isVisible: false, since: '2026-03-01' };
        return { ...names, affiliations: [affiliation, { officeId: second.id }] };
      },
    },
    {
      title: 'invalid affiliations',
      errorCode: 'validation_failed',
      input: () => ({ ...names, affiliations: [{ officeId: 'x', since: '2026-02-30' }, {}] }),
    },
    {
      title: 'an affiliation with an unknown office',
      errorCode: 'reference_not_found',
      input: () => ({ ...names, affiliations: [{ officeId: UNKNOWN }] }),
    },
    {
      title: 'invalid languages',
      errorCode: 'validation_failed',
      input: () => ({ ...names, languages: ['en', 'no such'], designations: [''] }),
    },
    {
      title: 'an e-mail that is taken',
      errorCode: 'email_taken',
      input: async (fixtures) => ({ ...names, email: await takenEmail(fixtures) }),
    },
    {
      title: 'an office that is inactive',
      errorCode: 'office_inactive',
      input: async (fixtures) => ({ ...names, officeId: await inactiveOffice(fixtures) }),
    },
    {
      title: 'an unknown office',
      errorCode: 'reference_not_found',
      input: () => ({ ...names, officeId: UNKNOWN }),
    },
  ],
  update: [
    {
      title: 'an e-mail that is taken',
      errorCode: 'email_taken',
      input: async (fixtures) => ({ id: (await anAgent(fixtures)).id, email: await takenEmail(fixtures) }),
    },
    {
      title: 'an office that is inactive',
      errorCode: 'office_inactive',
      input: async (fixtures) => ({
        id: (await anAgent(fixtures)).id,
        officeId: await inactiveOffice(fixtures),
      }),
    },
    {
      title: 'an unknown agent to assist',
      errorCode: 'reference_not_found',
      input: async (fixtures) => ({ id: (await anAgent(fixtures)).id, assistantToAgentId: UNKNOWN }),
    },
    {
      title: 'themselves to assist',
      errorCode: 'validation_failed',
      input: async (fixtures) => {
        const { id } = await anAgent(fixtures);
        return { id, assistantToAgentId: id };
      },
    },
  ],
  delete: [
    {
      title: 'an agent who is a broker',
      errorCode: 'has_dependents',
      input: async (fixtures) => {
        const { id } = await anAgent(fixtures);
        await anOffice(fixtures, { brokerAgentId: id });
        return { id };
      },
    },
  ],
  reactivate: [
    {
      title: 'an agent of an inactive office',
      errorCode: 'office_inactive',
      input: async (fixtures) => {
        const office = await anOffice(fixtures);
        const { id } = await anAgent(fixtures, { officeId: office.id });
        await fixtures.client.offices.deactivate.mutate({ id: office.id, cascade: true });
        return { id };
      },
    },
  ],
  transfer: [
    {
      title: 'an agent without an office, with a reason',
      input: async (fixtures) => ({
        id: (await anAgent(fixtures)).id,
        officeId: (await anOffice(fixtures)).id,
        reason: 'Joins Porto',
        ifVersion: 1,
      }),
    },
    {
      title: 'an agent of that office, with any version',
      input: async (fixtures) => {
        const { id: officeId } = await anOffice(fixtures);
        const { id } = await anAgent(fixtures, { officeId });
        await fixtures.client.agents.update.mutate({ id, phone: '+351210000001' });
        return { id, officeId, ifVersion: 1 };
      },
    },
    ...transferCases(resourceFixtures.agents, 'officeId'),
  ],
  restore: restoring,
  revert: [
    {
      title: 'to an e-mail that is now taken',
      errorCode: 'email_taken',
      input: revertedTo(
        (fixtures) => ({ email: `late${fixtures.unique()}@a.example` }),
        (fixtures, { email }) => anAgent(fixtures, { email: String(email) }),
      ),
    },
    {
      title: 'to an office that is now inactive',
      errorCode: 'office_inactive',
      input: revertedTo(
        async (fixtures) => ({ officeId: (await anOffice(fixtures)).id }),
        ({ client }, { officeId }) => client.offices.deactivate.mutate({ id: String(officeId) }),
      ),
    },
    {
      title: 'to an office that is now deleted',
      errorCode: 'reference_not_found',
      input: revertedTo(
        async (fixtures) => ({ officeId: (await anOffice(fixtures)).id }),
        ({ client }, { officeId }) => client.offices.delete.mutate({ id: String(officeId) }),
      ),
    },
  ],
};

import type { Input } from '../../../src/input/fields.ts';
import { type DoorCase, fewChoices, UNKNOWN } from './case.ts';
import type { Stage } from './isolated-service.ts';
import { anAgent, anOffice } from './staged-records.ts';

const names = { firstName: 'Ana', lastName: 'Reis' };

/** The e-mail of an agent that is there, in another letter case. */
async function takenEmail(stage: Stage): Promise<string> {
  const email = `taken${stage.unique()}@a.example`;
  await anAgent(stage, { email });
  return email.toUpperCase();
}

async function inactiveOffice(stage: Stage): Promise<string> {
  const { id } = await anOffice(stage);
  await stage.client.offices.deactivate.mutate({ id });
  return id;
}

/** An agent who was deleted, and what happened since. */
function deletedThen(fields: Input, then: (stage: Stage, officeId: string) => Promise<unknown>) {
  return async (stage: Stage): Promise<Input> => {
    const office = await anOffice(stage);
    const { id } = await anAgent(stage, { officeId: office.id, ...fields });
    await stage.client.agents.delete.mutate({ id });
    await then(stage, office.id);
    return { id };
  };
}

const restoring: DoorCase[] = [
  {
    title: 'an agent whose e-mail was taken meanwhile',
    refusal: 'email_taken',
    input: deletedThen({ email: 'late@a.example' }, (stage) => anAgent(stage, { email: 'late@a.example' })),
  },
  {
    title: 'an agent whose office is inactive by now',
    refusal: 'office_inactive',
    input: deletedThen({}, ({ client }, id) => client.offices.deactivate.mutate({ id })),
  },
  {
    title: 'an agent whose office is gone by now',
    refusal: 'reference_not_found',
    input: deletedThen({}, ({ client }, id) => client.offices.delete.mutate({ id })),
  },
];

/** What is the agents' own, beside what they share with offices. */
export const agentCases: Record<string, DoorCase[]> = {
  list: [
    {
      title: 'the agents of an office, with it',
      input: async (stage) => {
        const { id } = await anOffice(stage);
        for (const _ of [1, 2]) await anAgent(stage, { officeId: id });
        return { officeId: [id], expand: 'office', sort: '-lastName' };
      },
    },
    {
      title: 'an expansion that is none',
      refusal: 'invalid_parameter',
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
      title: 'languages that are none',
      refusal: 'validation_failed',
      input: () => ({ ...names, languages: ['en', 'no such'], designations: [''] }),
    },
    {
      title: 'an e-mail that is taken',
      refusal: 'email_taken',
      input: async (stage) => ({ ...names, email: await takenEmail(stage) }),
    },
    {
      title: 'an office that is inactive',
      refusal: 'office_inactive',
      input: async (stage) => ({ ...names, officeId: await inactiveOffice(stage) }),
    },
    {
      title: 'an office that is none',
      refusal: 'reference_not_found',
      input: () => ({ ...names, officeId: UNKNOWN }),
    },
  ],
  update: [
    {
      title: 'an e-mail that is taken',
      refusal: 'email_taken',
      input: async (stage) => ({ id: (await anAgent(stage)).id, email: await takenEmail(stage) }),
    },
    {
      title: 'an office that is inactive',
      refusal: 'office_inactive',
      input: async (stage) => ({ id: (await anAgent(stage)).id, officeId: await inactiveOffice(stage) }),
    },
    {
      title: 'an agent to assist who is none',
      refusal: 'reference_not_found',
      input: async (stage) => ({ id: (await anAgent(stage)).id, assistantToAgentId: UNKNOWN }),
    },
    {
      title: 'themselves to assist',
      refusal: 'validation_failed',
      input: async (stage) => {
        const { id } = await anAgent(stage);
        return { id, assistantToAgentId: id };
      },
    },
  ],
  delete: [
    {
      title: 'an agent who is a broker',
      refusal: 'has_dependents',
      input: async (stage) => {
        const { id } = await anAgent(stage);
        await anOffice(stage, { brokerAgentId: id });
        return { id };
      },
    },
  ],
  reactivate: [
    {
      title: 'an agent of an inactive office',
      refusal: 'office_inactive',
      input: async (stage) => {
        const office = await anOffice(stage);
        const { id } = await anAgent(stage, { officeId: office.id });
        await stage.client.offices.deactivate.mutate({ id: office.id, cascade: true });
        return { id };
      },
    },
  ],
  restore: restoring,
};

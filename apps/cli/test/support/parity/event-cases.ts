import { type CasesOf, type DoorCase, fewChoices, onlyKnown } from './case.ts';
import type { Stage } from './isolated-service.ts';
import { anOffice } from './staged-records.ts';

/** An office with two events, which are in the log. */
async function changedOffice(stage: Stage): Promise<string> {
  const { id } = await anOffice(stage);
  await stage.client.offices.update.mutate({ id, phone: '1', address: { city: 'Porto' } });
  await stage.logged(id, 2);
  return id;
}

function refused(title: string, input: DoorCase['input'], except?: DoorCase['except']): DoorCase {
  return { title, refusal: 'invalid_parameter', input, ...(except && { except }) };
}

/** Everything about the log. */
export const eventCases: CasesOf = {
  list: [
    {
      title: 'the history of a record',
      input: async (stage) => ({ subject: await changedOffice(stage) }),
    },
    {
      title: 'some types of events of a record, and no more than one',
      input: async (stage) => ({
        subject: await changedOffice(stage),
        types: ['office.updated', 'office.created'],
        limit: 1,
      }),
    },
    { title: 'the end of the log', input: () => ({ after: 'latest' }) },
    { title: 'the first events of all', input: () => ({ after: '0', limit: 3 }) },
    {
      title: 'a place beyond the end of the log',
      refusal: 'cursor_expired',
      input: () => ({ after: '999999' }),
    },
    refused('a place that is none', () => ({ after: 'yesterday' })),
    refused('a type that is none', () => ({ types: ['office.moved'] }), fewChoices),
    refused('a record that is none', () => ({ subject: 'x' })),
    refused('a limit of nothing', () => ({ limit: 0 })),
    refused('a parameter that is none', () => ({ cursor: 'x' }), onlyKnown),
  ],
};

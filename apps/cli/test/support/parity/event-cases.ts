import { type CasesOf, fewChoices, onlyKnown, type ParityCase } from './case.ts';
import type { Fixtures } from './isolated-service.ts';
import { anOffice } from './records/record-fixtures.ts';

/** An office with two events, which are in the log. */
async function changedOffice(fixtures: Fixtures): Promise<string> {
  const { id } = await anOffice(fixtures);
  await fixtures.client.offices.update.mutate({ id, phone: '+351210000001', address: { city: 'Porto' } });
  await fixtures.logged(id, 2);
  return id;
}

function rejected(title: string, input: ParityCase['input'], except?: ParityCase['except']): ParityCase {
  return { title, errorCode: 'invalid_parameter', input, ...(except && { except }) };
}

/** The cases of the log. */
export const eventCases: CasesOf = {
  list: [
    {
      title: 'the history of a record',
      input: async (fixtures) => ({ subject: await changedOffice(fixtures) }),
    },
    {
      title: 'some types of events of a record, and no more than one',
      input: async (fixtures) => ({
        subject: await changedOffice(fixtures),
        types: ['office.updated', 'office.created'],
        limit: 1,
      }),
    },
    { title: 'the end of the log', input: () => ({ after: 'latest' }) },
    { title: 'the first events of all', input: () => ({ after: '0', limit: 3 }) },
    {
      title: 'a cursor beyond the end of the log',
      errorCode: 'cursor_expired',
      input: () => ({ after: '999999' }),
    },
    rejected('an invalid cursor', () => ({ after: 'yesterday' })),
    rejected('an unknown type', () => ({ types: ['office.moved'] }), fewChoices),
    rejected('an invalid subject', () => ({ subject: 'x' })),
    rejected('a limit of zero', () => ({ limit: 0 })),
    rejected('an unknown parameter', () => ({ cursor: 'x' }), onlyKnown),
  ],
};

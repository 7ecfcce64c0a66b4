import { type CasesOf, fewChoices } from '../case.ts';
import type { Fixtures } from '../isolated-service.ts';

async function twoDeleted({ client }: Fixtures) {
  const office = await client.offices.create.mutate({ name: 'Closed' });
  const agent = await client.agents.create.mutate({ firstName: 'Ana', lastName: 'Reis' });
  await client.offices.delete.mutate({ id: office.id });
  await client.agents.delete.mutate({ id: agent.id });
  // Who deleted them is in the log, whatever the position.
  return (await client.deletedRecords.list.query({ limit: 1 })).nextCursor;
}

/** The cases of deleted records. */
export const deletedRecordCases: CasesOf = {
  list: [
    {
      title: 'the second page',
      input: async (fixtures) => ({ limit: 1, cursor: await twoDeleted(fixtures) }),
    },
    {
      title: 'those of a resource that the caller may not change',
      errorCode: 'insufficient_scope',
      scopes: ['offices:write'],
      input: () => ({ resource: ['agents'] }),
    },
    {
      title: 'an invalid sort',
      errorCode: 'invalid_parameter',
      input: () => ({ sort: 'name' }),
      except: fewChoices,
    },
    { title: 'an invalid cursor', errorCode: 'invalid_cursor', input: () => ({ cursor: 'x' }) },
    {
      title: 'a cursor of another list',
      errorCode: 'cursor_mismatch',
      input: async (fixtures) => ({ cursor: await twoDeleted(fixtures), sort: 'deletedAt' }),
    },
  ],
};

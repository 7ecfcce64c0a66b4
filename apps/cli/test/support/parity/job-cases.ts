import { type CasesOf, fewChoices, idCases, onlyKnown, type ParityCase } from './case.ts';
import type { Fixtures } from './isolated-service.ts';

/** A filter that selects no record: such a job ends when it is accepted, on every interface alike. */
const none = { mlsId: ['none'] };

/** The cases of changing all records of a resource that a filter selects. */
export function bulkCases(): [ParityCase, ...ParityCase[]] {
  const change = { type: 'deactivate' };
  return [
    { title: 'no records', input: () => ({ filter: none, change, expectedCount: 0, reason: 'Closing' }) },
    {
      title: 'a dry run',
      input: () => ({ filter: none, change: { type: 'update', patch: { mlsId: 'x' } }, dryRun: true }),
    },
    {
      title: 'another number',
      errorCode: 'count_mismatch',
      input: () => ({ filter: none, change, expectedCount: 3 }),
    },
    { title: 'no number', errorCode: 'validation_failed', input: () => ({ filter: none, change }) },
    {
      title: 'no filter',
      errorCode: 'validation_failed',
      input: () => ({ filter: {}, change, dryRun: true }),
    },
    {
      title: 'an unknown filter',
      errorCode: 'validation_failed',
      input: () => ({ filter: { ...none, limit: 1 }, change, dryRun: true }),
    },
    {
      title: 'an unknown change',
      errorCode: 'validation_failed',
      input: () => ({ filter: none, change: { type: 'rename' }, dryRun: true }),
    },
  ];
}

/** A job that has ended. */
async function aJob({ client, unique }: Fixtures): Promise<{ id: string }> {
  const filter = { mlsId: [`none ${unique()}`] };
  const answer = await client.agents.bulk.mutate({ filter, change: { type: 'delete' }, expectedCount: 0 });
  if (!('id' in answer)) throw new Error('a dry run was not asked for');
  return { id: answer.id };
}

const badCursor: ParityCase = {
  title: 'an invalid cursor',
  errorCode: 'invalid_cursor',
  input: async (fixtures) => ({ ...(await aJob(fixtures)), cursor: 'x' }),
};

/** The cursor of another list. */
async function otherCursor({ client }: Fixtures): Promise<string> {
  for (const name of ['A', 'B']) await client.offices.create.mutate({ name });
  return (await client.offices.list.query({ limit: 1 })).nextCursor ?? '';
}

export const jobCases: CasesOf = {
  list: [
    {
      title: 'jobs of a resource',
      input: async (fixtures) => {
        await aJob(fixtures);
        return { resource: ['agents'], sort: 'createdAt' };
      },
    },
    { title: 'jobs of a status', input: () => ({ status: ['completed', 'failed'], limit: 2 }) },
    {
      title: 'the resource that the key may read',
      input: () => ({}),
      scopes: ['offices:read'],
    },
    {
      title: 'a resource that the key may not read',
      errorCode: 'insufficient_scope',
      input: () => ({ resource: ['agents'] }),
      scopes: ['offices:read'],
    },
    {
      title: 'an unknown status',
      errorCode: 'invalid_parameter',
      input: () => ({ status: ['done'] }),
      except: fewChoices,
    },
    { title: 'an invalid cursor', errorCode: 'invalid_cursor', input: () => ({ cursor: 'x' }) },
    {
      title: 'the cursor of another list',
      errorCode: 'cursor_mismatch',
      input: async (fixtures) => ({ cursor: await otherCursor(fixtures) }),
    },
  ],
  get: [
    { title: 'a job', input: aJob },
    {
      title: 'a job of a resource that the key may not read',
      errorCode: 'insufficient_scope',
      input: aJob,
      scopes: ['offices:read', 'offices:write'],
    },
    ...idCases(),
  ],
  errors: [
    { title: 'a job', input: aJob },
    badCursor,
    {
      title: 'the cursor of another list',
      errorCode: 'cursor_mismatch',
      input: async (fixtures) => ({ ...(await aJob(fixtures)), cursor: await otherCursor(fixtures) }),
    },
    ...idCases(),
  ],
  cancel: [
    { title: 'a job that has ended', input: aJob },
    {
      title: 'a job of a resource that the key may not change',
      errorCode: 'insufficient_scope',
      input: aJob,
      scopes: ['offices:read', 'offices:write', 'agents:read'],
    },
    {
      title: 'an unknown field',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ ...(await aJob(fixtures)), nothing: 'x' }),
      except: onlyKnown,
    },
    ...idCases(),
  ],
  // By `api`, which takes the id as a part of the input.
  previewUndo: [{ title: 'a job', input: aJob }, ...idCases().filter(({ except }) => except === undefined)],
  undo: [
    {
      title: 'a job, with a reason',
      input: async (fixtures) => ({ ...(await aJob(fixtures)), reason: 'Wrong' }),
    },
    {
      title: 'a reason that is too long',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ ...(await aJob(fixtures)), reason: 'x'.repeat(501) }),
    },
    ...idCases(),
  ],
};

import type { View } from '@roster/client';
import { type CasesOf, fewChoices, idCases, noVersion, type ParityCase } from './case.ts';
import type { Fixtures } from './isolated-service.ts';

/** Saves a view of agents. */
function aView({ client, unique }: Fixtures): Promise<View> {
  return client.views.create.mutate({
    name: `View ${unique()}`,
    resource: 'agents',
    isShared: true,
    query: { status: ['active'], sort: '-lastName' },
    columns: [{ name: 'displayName', width: 240 }, { name: 'email' }],
  });
}

const idOf = async (fixtures: Fixtures) => ({ id: (await aView(fixtures)).id });

async function aCursor(fixtures: Fixtures): Promise<string | undefined> {
  for (const _ of [1, 2]) await aView(fixtures);
  return (await fixtures.client.views.list.query({ limit: 1, sort: 'name' })).nextCursor;
}

const ofAnother: Pick<ParityCase, 'errorCode' | 'scopes'> = {
  errorCode: 'insufficient_scope',
  scopes: ['agents:read'],
};
const oldVersion = {
  title: 'another version',
  errorCode: 'version_conflict',
  input: async (fixtures: Fixtures) => ({ ...(await idOf(fixtures)), ifVersion: 7 }),
} as const;
const ofOffices: ParityCase = {
  title: 'a view of a list that the caller may not read',
  errorCode: 'not_found',
  scopes: ['offices:read'],
  input: idOf,
};

/** The cases of views. */
export const viewCases: CasesOf = {
  list: [
    {
      title: 'a page',
      input: async (fixtures) => ({ limit: 3, sort: 'name', cursor: await aCursor(fixtures) }),
    },
    { title: 'shared ones of agents', input: () => ({ resource: ['agents'], isShared: true }) },
    {
      title: 'an invalid sort',
      errorCode: 'invalid_parameter',
      input: () => ({ sort: 'x' }),
      except: fewChoices,
    },
    { title: 'an invalid cursor', errorCode: 'invalid_cursor', input: () => ({ cursor: 'x' }) },
    {
      title: 'a cursor of another list',
      errorCode: 'cursor_mismatch',
      input: async (fixtures) => ({ cursor: await aCursor(fixtures), sort: '-name' }),
    },
    {
      title: 'those of a list that the caller may not read',
      errorCode: 'insufficient_scope',
      scopes: ['offices:read'],
      input: () => ({ resource: ['agents'] }),
    },
  ],
  create: [
    {
      title: 'every field',
      input: () => ({
        name: 'Lisbon',
        resource: 'offices',
        isShared: true,
        query: { q: 'lisboa', country: 'PT' },
        columns: [{ name: 'name', width: 300, isHidden: false }, { name: 'address.city' }],
      }),
    },
    { title: 'only what is required', input: () => ({ name: 'All', resource: 'agents' }) },
    { title: 'an empty body', errorCode: 'validation_failed', input: () => ({}) },
    {
      title: 'parameters that the list rejects',
      errorCode: 'validation_failed',
      input: () => ({ name: 'x', resource: 'offices', query: { officeId: 'x', status: 'gone', limit: '3' } }),
    },
    {
      title: 'a column twice',
      errorCode: 'validation_failed',
      input: () => ({ name: 'x', resource: 'offices', columns: [{ name: 'name' }, { name: 'name' }] }),
    },
    {
      title: 'a list that the caller may not read',
      errorCode: 'insufficient_scope',
      scopes: ['offices:read'],
      input: () => ({ name: 'x', resource: 'agents' }),
    },
  ],
  get: [{ title: 'a view', input: idOf }, ofOffices, ...idCases()],
  delete: [
    { title: 'a view', input: idOf },
    { title: 'a shared view of another', ...ofAnother, input: idOf },
    oldVersion,
    ofOffices,
    ...idCases(),
  ],
  update: [
    {
      title: 'every field',
      input: async (fixtures) => ({
        ...(await idOf(fixtures)),
        ifVersion: 1,
        name: 'Renamed',
        isShared: true,
        query: { status: null, q: 'ana' },
        columns: [{ name: 'email', width: 80 }],
      }),
    },
    {
      title: 'what changes nothing',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), isShared: true }),
    },
    {
      title: 'a resource, which cannot be changed',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), resource: 'offices' }),
    },
    {
      title: 'parameters that the list rejects',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), query: { sort: 'name' } }),
    },
    {
      title: 'a shared view of another',
      ...ofAnother,
      input: async (fixtures) => ({ ...(await idOf(fixtures)), name: 'x' }),
    },
    { ...oldVersion, input: async (fixtures) => ({ ...(await oldVersion.input(fixtures)), name: 'x' }) },
    {
      title: 'an invalid version',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), ifVersion: 0, name: 'x' }),
      except: noVersion,
    },
    { ...ofOffices, input: async (fixtures) => ({ ...(await idOf(fixtures)), name: 'x' }) },
    ...idCases({ name: 'x' }),
  ],
};

import type { Person } from '@roster/client';
import { type CasesOf, fewChoices, idCases, onlyKnown, type ParityCase } from './case.ts';
import type { Fixtures } from './isolated-service.ts';

const viewer = [{ role: 'viewer' as const }];

/** Invites a person. */
export function aPerson({ client, unique }: Fixtures): Promise<Person> {
  const number = unique();
  const email = `person-${number}@atlantico.example`;
  return client.people.invite.mutate({ name: `Person ${number}`, email, grants: viewer });
}

async function anInactivePerson(fixtures: Fixtures): Promise<{ id: string }> {
  const { id } = await aPerson(fixtures);
  await fixtures.client.people.deactivate.mutate({ id });
  return { id };
}

async function aCursor(fixtures: Fixtures): Promise<string | undefined> {
  for (const _ of [1, 2]) await aPerson(fixtures);
  return (await fixtures.client.people.list.query({ limit: 1, sort: 'name' })).nextCursor;
}

const idOf = async (fixtures: Fixtures) => ({ id: (await aPerson(fixtures)).id });

/** A key with fewer scopes than the person has roles. */
const weaker: Pick<ParityCase, 'errorCode' | 'scopes'> = {
  errorCode: 'insufficient_scope',
  scopes: ['people:manage'],
};

const unknownField = {
  title: 'an unknown field',
  errorCode: 'validation_failed',
  input: async (fixtures: Fixtures) => ({ ...(await idOf(fixtures)), reason: 'Left' }),
  except: onlyKnown,
} as const;

/** The cases of people. */
export const peopleCases: CasesOf = {
  list: [
    {
      title: 'a page',
      input: async (fixtures) => ({ limit: 3, sort: 'name', cursor: await aCursor(fixtures) }),
    },
    { title: 'those of a status', input: () => ({ status: ['inactive', 'active'] }) },
    {
      title: 'an invalid sort',
      errorCode: 'invalid_parameter',
      input: () => ({ sort: 'email' }),
      except: fewChoices,
    },
    { title: 'an invalid cursor', errorCode: 'invalid_cursor', input: () => ({ cursor: 'x' }) },
    {
      title: 'a cursor of another list',
      errorCode: 'cursor_mismatch',
      input: async (fixtures) => ({ cursor: await aCursor(fixtures), sort: '-name' }),
    },
  ],
  invite: [
    {
      title: 'a person with roles',
      input: async (fixtures) => ({
        name: 'Ana Martins',
        email: `ana-${fixtures.unique()}@atlantico.example`,
        grants: [
          { role: 'viewer', officeIds: null },
          {
            role: 'manager',
            officeIds: [(await fixtures.client.offices.create.mutate({ name: 'Porto' })).id],
          },
        ],
      }),
    },
    { title: 'an empty body', errorCode: 'validation_failed', input: () => ({}) },
    {
      title: 'wrong types and values',
      errorCode: 'validation_failed',
      input: () => ({ name: '', email: 'ana', grants: [{ role: 'owner', officeIds: [] }] }),
    },
    {
      title: 'no grants',
      errorCode: 'validation_failed',
      input: () => ({ name: 'x', email: 'x@atlantico.example', grants: [] }),
    },
    {
      title: 'an e-mail address that another person has, in another letter case',
      errorCode: 'person_email_taken',
      input: async (fixtures) => ({
        name: 'x',
        email: (await aPerson(fixtures)).email.toUpperCase(),
        grants: viewer,
      }),
    },
    {
      title: 'an office that does not exist',
      errorCode: 'reference_not_found',
      input: () => ({
        name: 'x',
        email: 'office@atlantico.example',
        grants: [{ role: 'viewer', officeIds: ['01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11'] }],
      }),
    },
    {
      title: 'a role the caller does not have',
      ...weaker,
      input: () => ({ name: 'x', email: 'role@atlantico.example', grants: viewer }),
    },
  ],
  get: [{ title: 'a person', input: idOf }, ...idCases()],
  delete: [
    { title: 'a person', input: idOf },
    { title: 'a person with a role the caller does not have', ...weaker, input: idOf },
    ...idCases(),
  ],
  update: [
    {
      title: 'every field',
      input: async (fixtures) => ({
        ...(await idOf(fixtures)),
        name: 'Renamed',
        email: `renamed-${fixtures.unique()}@atlantico.example`,
        grants: [{ role: 'admin', officeIds: null }],
      }),
    },
    {
      title: 'wrong types and values',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), name: null, email: null, grants: null }),
    },
    {
      title: 'unknown fields',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), status: 'active' }),
    },
    {
      title: 'an e-mail address that another person has',
      errorCode: 'person_email_taken',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), email: (await aPerson(fixtures)).email }),
    },
    {
      title: 'an office that does not exist',
      errorCode: 'reference_not_found',
      input: async (fixtures) => ({
        ...(await idOf(fixtures)),
        grants: [{ role: 'viewer', officeIds: ['01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11'] }],
      }),
    },
    {
      title: 'a person with a role the caller does not have',
      ...weaker,
      input: async (fixtures) => ({ ...(await idOf(fixtures)), name: 'x' }),
    },
    ...idCases({ name: 'x' }),
  ],
  deactivate: [
    { title: 'a person', input: idOf },
    { title: 'an inactive person', input: anInactivePerson },
    unknownField,
    ...idCases(),
  ],
  reactivate: [
    { title: 'an inactive person', input: anInactivePerson },
    { title: 'a person who is not inactive', input: idOf },
    unknownField,
    ...idCases(),
  ],
  revokeSessions: [
    {
      title: 'a person with a session',
      input: async (fixtures) => {
        const { id } = await aPerson(fixtures);
        await fixtures.session({ personId: id });
        return { id };
      },
    },
    {
      title: 'another person, by a key without the scope',
      errorCode: 'insufficient_scope',
      scopes: ['agents:read'],
      input: idOf,
    },
    unknownField,
    ...idCases(),
  ],
};

async function aSession(fixtures: Fixtures): Promise<{ id: string }> {
  return { id: await fixtures.session({ personId: (await aPerson(fixtures)).id }) };
}

async function anEndedSession(fixtures: Fixtures): Promise<{ id: string }> {
  const { id } = await aSession(fixtures);
  await fixtures.client.sessions.revoke.mutate({ id });
  return { id };
}

async function aCursorOfSessions(fixtures: Fixtures) {
  const personId = (await aPerson(fixtures)).id;
  for (const _ of [1, 2]) await fixtures.session({ personId });
  const { nextCursor } = await fixtures.client.sessions.list.query({ personId, limit: 1 });
  return { personId, cursor: nextCursor };
}

/** The cases of sessions. */
export const sessionCases: CasesOf = {
  list: [
    { title: 'the second page of a person', input: aCursorOfSessions },
    { title: 'your own, of which there are none', input: () => ({}) },
    {
      title: 'those of a person, by a key without the scope',
      errorCode: 'insufficient_scope',
      scopes: ['agents:read'],
      input: async (fixtures) => ({ personId: (await aPerson(fixtures)).id }),
    },
    { title: 'an invalid cursor', errorCode: 'invalid_cursor', input: () => ({ cursor: 'x' }) },
    {
      title: 'a cursor of another list',
      errorCode: 'cursor_mismatch',
      input: async (fixtures) => ({ ...(await aCursorOfSessions(fixtures)), sort: 'createdAt' }),
    },
  ],
  current: [
    { title: 'a key with all scopes', input: () => ({}) },
    { title: 'a key with one scope', scopes: ['agents:read'], input: () => ({}) },
    {
      title: 'an unknown parameter',
      errorCode: 'invalid_parameter',
      input: () => ({ id: 'x' }),
      except: { cli: 'an unknown argument is a usage error' },
    },
  ],
  get: [
    { title: 'a session', input: aSession },
    { title: 'an ended session', input: anEndedSession },
    { title: 'one of someone else', errorCode: 'not_found', scopes: ['agents:read'], input: aSession },
    ...idCases(),
  ],
  revoke: [
    { title: 'a session', input: aSession },
    { title: 'an ended session', input: anEndedSession },
    { title: 'one of someone else', errorCode: 'not_found', scopes: ['agents:read'], input: aSession },
    { title: 'one of a person with more rights', ...weaker, input: aSession },
    ...idCases(),
  ],
};

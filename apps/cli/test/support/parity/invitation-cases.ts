import { type CasesOf, fewChoices, idCases, type ParityCase, UNKNOWN } from './case.ts';
import type { Fixtures } from './isolated-service.ts';
import { aPerson } from './people-cases.ts';

async function anInvitation(fixtures: Fixtures): Promise<{ id: string; personId: string }> {
  const personId = (await aPerson(fixtures)).id;
  return { id: (await fixtures.client.invitations.create.mutate({ personId })).id, personId };
}

const idOf = async (fixtures: Fixtures) => ({ id: (await anInvitation(fixtures)).id });

/** A key with fewer scopes than the person has roles. */
const weaker: Pick<ParityCase, 'errorCode' | 'scopes'> = {
  errorCode: 'insufficient_scope',
  scopes: ['people:manage'],
};

/** The cases of invitations. */
export const invitationCases: CasesOf = {
  list: [
    {
      title: 'those of a person, open and ended',
      input: async (fixtures) => {
        const { personId } = await anInvitation(fixtures);
        await fixtures.client.invitations.create.mutate({ personId, days: 30 });
        return { personId, sort: '-createdAt' };
      },
    },
    { title: 'those that are open', input: () => ({ isOpen: true, limit: 1, sort: 'createdAt' }) },
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
      input: async (fixtures) => {
        for (const _ of [1, 2]) await anInvitation(fixtures);
        const { nextCursor } = await fixtures.client.invitations.list.query({ limit: 1 });
        return { cursor: nextCursor, isOpen: true };
      },
    },
  ],
  create: [
    { title: 'a link', input: async (fixtures) => ({ personId: (await aPerson(fixtures)).id, days: 2 }) },
    {
      title: 'wrong types and values',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ personId: (await aPerson(fixtures)).id, days: 31 }),
    },
    {
      title: 'an e-mail without a mail server',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ personId: (await aPerson(fixtures)).id, isMailed: true }),
    },
    { title: 'an unknown person', errorCode: 'not_found', input: () => ({ personId: UNKNOWN }) },
    {
      title: 'an inactive person',
      errorCode: 'link_unavailable',
      input: async (fixtures) => {
        const { id: personId } = await aPerson(fixtures);
        await fixtures.client.people.deactivate.mutate({ id: personId });
        return { personId };
      },
    },
    {
      title: 'a person with a role the caller does not have',
      ...weaker,
      input: async (fixtures) => ({ personId: (await aPerson(fixtures)).id }),
    },
  ],
  get: [{ title: 'an invitation', input: idOf }, ...idCases()],
  revoke: [
    { title: 'an open invitation', input: idOf },
    {
      title: 'one that has ended',
      input: async (fixtures) => {
        const { id } = await idOf(fixtures);
        await fixtures.client.invitations.revoke.mutate({ id });
        return { id };
      },
    },
    { title: 'that of a person with a role the caller does not have', ...weaker, input: idOf },
    ...idCases(),
  ],
};

async function aPasskey(fixtures: Fixtures): Promise<{ id: string }> {
  return { id: await fixtures.passkey((await aPerson(fixtures)).id) };
}

async function aCursor(fixtures: Fixtures) {
  const personId = (await aPerson(fixtures)).id;
  for (const _ of [1, 2]) await fixtures.passkey(personId);
  const { nextCursor } = await fixtures.client.passkeys.list.query({ personId, limit: 1 });
  return { personId, cursor: nextCursor };
}

/** The cases of passkeys. */
export const passkeyCases: CasesOf = {
  list: [
    { title: 'the second page of a person', input: aCursor },
    { title: 'your own, of which a key has none', input: () => ({}) },
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
      input: async (fixtures) => ({ ...(await aCursor(fixtures)), sort: 'name' }),
    },
  ],
  update: [
    {
      title: 'a name',
      input: async (fixtures) => ({ ...(await aPasskey(fixtures)), name: 'Work laptop' }),
    },
    {
      title: 'a name that is too long',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ ...(await aPasskey(fixtures)), name: 'x'.repeat(101) }),
    },
    {
      title: 'an unknown field',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ ...(await aPasskey(fixtures)), isSynced: true }),
    },
    {
      title: 'one of someone else',
      errorCode: 'not_found',
      scopes: ['agents:read'],
      input: async (fixtures) => ({ ...(await aPasskey(fixtures)), name: 'x' }),
    },
    {
      title: 'one of a person with more rights',
      ...weaker,
      input: async (fixtures) => ({ ...(await aPasskey(fixtures)), name: 'x' }),
    },
    ...idCases({ name: 'x' }),
  ],
  delete: [
    { title: 'a passkey', input: aPasskey },
    { title: 'one of someone else', errorCode: 'not_found', scopes: ['agents:read'], input: aPasskey },
    { title: 'one of a person with more rights', ...weaker, input: aPasskey },
    ...idCases(),
  ],
};

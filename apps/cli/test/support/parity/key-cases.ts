import type { KeyWithSecret } from '@roster/client';
import { type CasesOf, fewChoices, idCases, onlyKnown, UNKNOWN } from './case.ts';
import type { Fixtures } from './isolated-service.ts';

/** Creates a unique key. */
function aKey({ client, unique }: Fixtures): Promise<KeyWithSecret> {
  return client.keys.create.mutate({ name: `Key ${unique()}`, scopes: ['offices:read'] });
}

async function aRevokedKey(fixtures: Fixtures): Promise<{ id: string }> {
  const { id } = await aKey(fixtures);
  await fixtures.client.keys.revoke.mutate({ id });
  return { id };
}

async function aCursor(fixtures: Fixtures): Promise<string | undefined> {
  for (const _ of [1, 2]) await aKey(fixtures);
  return (await fixtures.client.keys.list.query({ limit: 1, sort: 'name' })).nextCursor;
}

const unknownField = {
  title: 'an unknown field',
  errorCode: 'validation_failed',
  except: onlyKnown,
} as const;

/** The cases of keys. */
export const keyCases: CasesOf = {
  list: [
    {
      title: 'a page',
      input: async (fixtures) => ({ limit: 3, sort: 'name', cursor: await aCursor(fixtures) }),
    },
    { title: 'a limit that is not a number', errorCode: 'invalid_parameter', input: () => ({ limit: 'x' }) },
    {
      title: 'an invalid sort',
      errorCode: 'invalid_parameter',
      input: () => ({ sort: 'hint' }),
      except: fewChoices,
    },
    {
      title: 'an unknown parameter',
      errorCode: 'invalid_parameter',
      input: () => ({ status: 'active' }),
      except: onlyKnown,
    },
    { title: 'an invalid cursor', errorCode: 'invalid_cursor', input: () => ({ cursor: 'x' }) },
    {
      title: 'a cursor of another list',
      errorCode: 'cursor_mismatch',
      input: async (fixtures) => ({ cursor: await aCursor(fixtures), sort: '-name' }),
    },
  ],
  create: [
    {
      title: 'a key with all fields',
      input: () => ({
        name: 'Website',
        scopes: ['offices:read', 'agents:read'],
        expiresAt: '2099-01-31T08:00:00Z',
      }),
    },
    { title: 'an empty body', errorCode: 'validation_failed', input: () => ({}) },
    {
      title: 'wrong types and values',
      errorCode: 'validation_failed',
      input: () => ({ name: 7, scopes: ['all', 'offices:read'], expiresAt: 'soon' }),
    },
    {
      title: 'an office that does not exist',
      errorCode: 'reference_not_found',
      input: () => ({ name: 'x', scopes: ['offices:read'], officeIds: [UNKNOWN] }),
    },
    { title: 'no scopes', errorCode: 'validation_failed', input: () => ({ name: 'x', scopes: [] }) },
    {
      title: 'unknown fields',
      errorCode: 'validation_failed',
      input: () => ({ name: 'x', scopes: ['offices:read'], secret: 'rst_mine', revokedAt: null }),
    },
    {
      title: 'scopes the caller does not have',
      errorCode: 'insufficient_scope',
      scopes: ['keys:manage'],
      input: () => ({ name: 'x', scopes: ['keys:manage', 'offices:write', 'agents:read'] }),
    },
  ],
  get: [
    { title: 'a key', input: async (fixtures) => ({ id: (await aKey(fixtures)).id }) },
    { title: 'a revoked key', input: aRevokedKey },
    {
      title: 'an unknown parameter',
      errorCode: 'invalid_parameter',
      input: async (fixtures) => ({ id: (await aKey(fixtures)).id, secret: 'true' }),
      except: onlyKnown,
    },
    ...idCases(),
  ],
  update: [
    {
      title: 'every field',
      input: async (fixtures) => ({
        id: (await aKey(fixtures)).id,
        name: 'Renamed',
        scopes: ['agents:write'],
        expiresAt: '2099-01-31T08:00:00+01:00',
      }),
    },
    {
      title: 'an office that does not exist',
      errorCode: 'reference_not_found',
      input: async (fixtures) => ({ id: (await aKey(fixtures)).id, officeIds: [UNKNOWN] }),
    },
    {
      title: 'an expiry that is removed',
      input: async (fixtures) => ({ id: (await aKey(fixtures)).id, expiresAt: null }),
    },
    {
      title: 'wrong types and values',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({
        id: (await aKey(fixtures)).id,
        name: null,
        scopes: 'offices:read',
        expiresAt: 7,
      }),
    },
    {
      title: 'unknown fields',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ id: (await aKey(fixtures)).id, hint: 'rst_' }),
    },
    {
      title: 'scopes the caller does not have',
      errorCode: 'insufficient_scope',
      scopes: ['keys:manage'],
      input: async (fixtures) => ({ id: (await aKey(fixtures)).id, scopes: ['offices:write'] }),
    },
    ...idCases({ name: 'x' }),
  ],
  revoke: [
    { title: 'a key', input: async (fixtures) => ({ id: (await aKey(fixtures)).id }) },
    { title: 'a revoked key', input: aRevokedKey },
    {
      ...unknownField,
      input: async (fixtures) => ({ id: (await aKey(fixtures)).id, reason: 'Lost' }),
    },
    ...idCases(),
  ],
  rotate: [
    { title: 'a key', input: async (fixtures) => ({ id: (await aKey(fixtures)).id, overlapSeconds: 60 }) },
    {
      title: 'a key, with the usual overlap',
      input: async (fixtures) => ({ id: (await aKey(fixtures)).id }),
    },
    { title: 'a revoked key', errorCode: 'key_revoked', input: aRevokedKey },
    {
      title: 'an overlap out of bounds',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ id: (await aKey(fixtures)).id, overlapSeconds: -1 }),
    },
    {
      title: 'an overlap that is not a number',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ id: (await aKey(fixtures)).id, overlapSeconds: 'a day' }),
    },
    {
      ...unknownField,
      input: async (fixtures) => ({ id: (await aKey(fixtures)).id, scopes: 'offices:read' }),
    },
    ...idCases(),
  ],
};

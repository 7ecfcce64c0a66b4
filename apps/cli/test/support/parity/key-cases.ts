import type { KeyWithSecret } from '@roster/client';
import { type CasesOf, fewChoices, idCases, onlyKnown } from './case.ts';
import type { Stage } from './isolated-service.ts';

/** A new key, like no other. */
function aKey({ client, unique }: Stage): Promise<KeyWithSecret> {
  return client.keys.create.mutate({ name: `Key ${unique()}`, scopes: ['offices:read'] });
}

async function aRevokedKey(stage: Stage): Promise<{ id: string }> {
  const { id } = await aKey(stage);
  await stage.client.keys.revoke.mutate({ id });
  return { id };
}

async function aCursor(stage: Stage): Promise<string | undefined> {
  for (const _ of [1, 2]) await aKey(stage);
  return (await stage.client.keys.list.query({ limit: 1, sort: 'name' })).nextCursor;
}

const unknownField = {
  title: 'a field that is none',
  refusal: 'validation_failed',
  except: onlyKnown,
} as const;

/** Everything about keys. */
export const keyCases: CasesOf = {
  list: [
    { title: 'a page', input: async (stage) => ({ limit: 3, sort: 'name', cursor: await aCursor(stage) }) },
    { title: 'a limit that is no number', refusal: 'invalid_parameter', input: () => ({ limit: 'x' }) },
    {
      title: 'a sort that is none',
      refusal: 'invalid_parameter',
      input: () => ({ sort: 'hint' }),
      except: fewChoices,
    },
    {
      title: 'a parameter that is none',
      refusal: 'invalid_parameter',
      input: () => ({ status: 'active' }),
      except: onlyKnown,
    },
    { title: 'a cursor that is none', refusal: 'invalid_cursor', input: () => ({ cursor: 'x' }) },
    {
      title: 'a cursor of another list',
      refusal: 'cursor_mismatch',
      input: async (stage) => ({ cursor: await aCursor(stage), sort: '-name' }),
    },
  ],
  create: [
    {
      title: 'a key with all there is to say',
      input: () => ({
        name: 'Website',
        scopes: ['offices:read', 'agents:read'],
        expiresAt: '2099-01-31T08:00:00Z',
      }),
    },
    { title: 'nothing at all', refusal: 'validation_failed', input: () => ({}) },
    {
      title: 'wrong types and values',
      refusal: 'validation_failed',
      input: () => ({ name: 7, scopes: ['all', 'offices:read'], expiresAt: 'soon' }),
    },
    { title: 'no scopes', refusal: 'validation_failed', input: () => ({ name: 'x', scopes: [] }) },
    {
      title: 'fields that are none',
      refusal: 'validation_failed',
      input: () => ({ name: 'x', scopes: ['offices:read'], secret: 'rst_mine', revokedAt: null }),
    },
    {
      title: 'scopes the caller does not have',
      refusal: 'insufficient_scope',
      scopes: ['keys:manage'],
      input: () => ({ name: 'x', scopes: ['keys:manage', 'offices:write', 'agents:read'] }),
    },
  ],
  get: [
    { title: 'a key', input: async (stage) => ({ id: (await aKey(stage)).id }) },
    { title: 'a revoked key', input: aRevokedKey },
    {
      title: 'a parameter that is none',
      refusal: 'invalid_parameter',
      input: async (stage) => ({ id: (await aKey(stage)).id, secret: 'true' }),
      except: onlyKnown,
    },
    ...idCases(),
  ],
  update: [
    {
      title: 'every field',
      input: async (stage) => ({
        id: (await aKey(stage)).id,
        name: 'Renamed',
        scopes: ['agents:write'],
        expiresAt: '2099-01-31T08:00:00+01:00',
      }),
    },
    {
      title: 'an end that is taken away',
      input: async (stage) => ({ id: (await aKey(stage)).id, expiresAt: null }),
    },
    {
      title: 'wrong types and values',
      refusal: 'validation_failed',
      input: async (stage) => ({
        id: (await aKey(stage)).id,
        name: null,
        scopes: 'offices:read',
        expiresAt: 7,
      }),
    },
    {
      title: 'fields that are none',
      refusal: 'validation_failed',
      input: async (stage) => ({ id: (await aKey(stage)).id, hint: 'rst_' }),
    },
    {
      title: 'scopes the caller does not have',
      refusal: 'insufficient_scope',
      scopes: ['keys:manage'],
      input: async (stage) => ({ id: (await aKey(stage)).id, scopes: ['offices:write'] }),
    },
    ...idCases({ name: 'x' }),
  ],
  revoke: [
    { title: 'a key', input: async (stage) => ({ id: (await aKey(stage)).id }) },
    { title: 'a revoked key', input: aRevokedKey },
    {
      ...unknownField,
      input: async (stage) => ({ id: (await aKey(stage)).id, reason: 'Lost' }),
    },
    ...idCases(),
  ],
  rotate: [
    { title: 'a key', input: async (stage) => ({ id: (await aKey(stage)).id, overlapSeconds: 60 }) },
    { title: 'a key, with the usual overlap', input: async (stage) => ({ id: (await aKey(stage)).id }) },
    { title: 'a revoked key', refusal: 'key_revoked', input: aRevokedKey },
    {
      title: 'an overlap out of bounds',
      refusal: 'validation_failed',
      input: async (stage) => ({ id: (await aKey(stage)).id, overlapSeconds: -1 }),
    },
    {
      title: 'an overlap that is no number',
      refusal: 'validation_failed',
      input: async (stage) => ({ id: (await aKey(stage)).id, overlapSeconds: 'a day' }),
    },
    {
      ...unknownField,
      input: async (stage) => ({ id: (await aKey(stage)).id, scopes: 'offices:read' }),
    },
    ...idCases(),
  ],
};

import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { readPage } from '../resources/list/list-records.ts';
import { RecordId } from '../resources/schemas.ts';
import { procedureFor } from '../trpc/procedure.ts';
import { keys } from './repository.ts';
import { Key, KeyPage, KeyPatch, KeyQuery, KeyRotation, KeyWithSecret, NewKey } from './schemas.ts';
import { createKey, getKey, revokeKey, rotateKey, updateKey } from './service.ts';

const tags = ['Keys'];
const OneKey = z.strictObject({ id: RecordId });
const manageProcedure = procedureFor('keys:manage');

export const keysRouter = {
  list: manageProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/keys',
        tags,
        summary: 'List keys',
        description: 'One page of the keys, revoked and expired ones too. No secret is ever shown again.',
      },
      errors: ['invalid_cursor', 'cursor_mismatch'],
    })
    .input(KeyQuery)
    .output(KeyPage)
    .query(async ({ ctx, input }) => (await readPage(ctx.db, { collection: keys, input })).decode()),

  create: manageProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/keys',
        tags,
        summary: 'Make a key',
        description:
          'Answers the secret, this once. A key cannot give scopes it does not have itself, nor an end later than its own.',
      },
      status: 201,
      isSecret: true,
    })
    .input(NewKey)
    .output(KeyWithSecret)
    .mutation(({ ctx, input }) => createKey(ctx, input)),

  get: manageProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/keys/{id}',
        tags,
        summary: 'Read one key',
        description: 'The key with the beginning of its secret, and when it was last used.',
      },
      errors: ['not_found'],
    })
    .input(OneKey)
    .output(Key)
    .query(({ ctx, input }) => getKey(ctx.db, input.id)),

  update: manageProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/keys/{id}',
        tags,
        summary: 'Change a key',
        description:
          'JSON Merge Patch. Holds on every server within a second. A key cannot change one with scopes it does not have ' +
          'itself, nor give an end later than its own.',
        contentTypes: ['application/merge-patch+json', 'application/json'],
      },
      errors: ['idempotency_in_progress', 'idempotency_key_reused', 'not_found'],
    })
    .input(KeyPatch)
    .output(Key)
    .mutation(({ ctx, input }) => updateKey(ctx, input)),

  revoke: manageProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/keys/{id}/revoke',
        tags,
        summary: 'Revoke a key',
        description:
          'For good, on every server within a second. Repeated, it answers the unchanged key. A key cannot revoke one ' +
          'with scopes it does not have itself.',
      },
      errors: ['not_found'],
    })
    .input(OneKey)
    .output(Key)
    .mutation(({ ctx, input }) => revokeKey(ctx, input.id)),

  rotate: manageProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/keys/{id}/rotate',
        tags,
        summary: 'Rotate a key',
        description:
          'Answers a new secret, this once; the one before goes on being valid for the overlap, and can itself rotate ' +
          'nothing. A key cannot rotate one with scopes it does not have itself, or with a later end.',
      },
      errors: ['not_found', 'key_revoked'],
      isSecret: true,
    })
    .input(KeyRotation)
    .output(KeyWithSecret)
    .mutation(({ ctx, input }) => rotateKey(ctx, input)),
} satisfies TRPCRouterRecord;

import type { TRPCRouterRecord } from '@trpc/server';
import { OneRecord } from '../../engine/fields/schemas.ts';
import { requireRecord } from '../../engine/list/find-record.ts';
import { listPage } from '../../engine/list/list-records.ts';
import { operationsOf } from '../../trpc/meta.ts';
import { keyChangeProcedureFor, procedureFor } from '../../trpc/procedure.ts';
import { ignoreUnchanged } from '../../trpc/unchanged-fields.ts';
import { readScopes } from '../access/scopes.ts';
import { keys } from './repository.ts';
import { Key, KeyPage, KeyPatch, KeyQuery, KeyRotation, KeyWithSecret, NewKey } from './schemas.ts';
import { createKey, revokeKey, rotateKey, updateKey } from './service.ts';

const operation = operationsOf('Keys');
const manageProcedure = procedureFor('keys:manage').meta({ isLimited: true });
const changeProcedure = keyChangeProcedureFor('keys:manage').meta({ isLimited: true });

export const keysRouter = {
  list: manageProcedure
    .meta(
      operation('GET /keys', {
        summary: 'List keys',
        description: 'One page of the keys, including revoked and expired ones, without their secrets.',
      }),
    )
    .input(KeyQuery)
    .output(KeyPage)
    .query(({ ctx, input }) => listPage(ctx.db, { resource: keys, input, limit: ctx.limit })),

  create: manageProcedure
    .meta(
      operation('POST /keys', {
        summary: 'Create a key',
        description:
          'The response has the secret, which is shown only once. Nobody can give scopes or offices that they do not have, ' +
          'or a key an expiry later than its own.',
        status: 201,
        isSecret: true,
        errors: ['reference_not_found', 'limit_reached'],
        example: {
          requests: [
            {
              method: 'POST',
              path: '/keys',
              body: { name: 'Example key', scopes: [readScopes[0]], expiresAt: '{inAnHour}' },
            },
          ],
        },
      }),
    )
    .input(NewKey)
    .output(KeyWithSecret)
    .mutation(({ ctx, input }) => createKey(ctx, input)),

  get: manageProcedure
    .meta(
      operation('GET /keys/{id}', {
        summary: 'Read one key',
        description: 'The key, with the prefix of its secret and the time when it was last used.',
      }),
    )
    .input(OneRecord)
    .output(Key)
    .query(({ ctx, input }) => requireRecord(ctx.db, keys, { id: input.id, limit: ctx.limit })),

  update: changeProcedure
    .meta(
      operation('PATCH /keys/{id}', {
        summary: 'Change a key',
        description:
          'JSON Merge Patch. Takes effect on all servers within a second. A key cannot change a key with scopes that it does ' +
          'not have, or give an expiry later than its own.',
        errors: ['reference_not_found'],
      }),
    )
    .use((call) =>
      ignoreUnchanged(call, KeyPatch, ({ db, limit }, id) => requireRecord(db, keys, { id, limit })),
    )
    .input(KeyPatch)
    .output(Key)
    .mutation(({ ctx, input }) => updateKey(ctx, input)),

  revoke: changeProcedure
    .meta(
      operation('PUT /keys/{id}/revoke', {
        summary: 'Revoke a key',
        description:
          'Permanent; takes effect on all servers within a second. Revoking a revoked key returns it unchanged. A key cannot ' +
          'revoke a key with scopes that it does not have.',
      }),
    )
    .input(OneRecord)
    .output(Key)
    .mutation(({ ctx, input }) => revokeKey(ctx, input.id)),

  rotate: changeProcedure
    .meta(
      operation('PUT /keys/{id}/rotate', {
        summary: 'Rotate a key',
        description:
          'The response has the new secret, which is shown only once. The previous secret stays valid for the overlap, but ' +
          'cannot rotate keys. A key cannot rotate a key with scopes that it does not have, or with a later expiry.',
        errors: ['key_revoked'],
        isSecret: true,
      }),
    )
    .input(KeyRotation)
    .output(KeyWithSecret)
    .mutation(({ ctx, input }) => rotateKey(ctx, input)),
} satisfies TRPCRouterRecord;

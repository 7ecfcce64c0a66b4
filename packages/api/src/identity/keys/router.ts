import type { TRPCRouterRecord } from '@trpc/server';
import { readScopes } from '../../access/scopes.ts';
import { OneRecord } from '../../engine/fields/schemas.ts';
import { requireRecord } from '../../engine/list/find-record.ts';
import { listPage } from '../../engine/list/list-records.ts';
import { ignoreUnchanged } from '../../records/unchanged-fields.ts';
import { operationsOf } from '../../trpc/init.ts';
import { proceduresOf } from '../../trpc/procedure.ts';
import { shownRecord } from '../../trpc/replay-authorization.ts';
import { keys } from './repository.ts';
import { Key, KeyPage, KeyPatch, KeyQuery, KeyRotation, KeyWithSecret, NewKey } from './schemas.ts';
import { createKey, revokeKey, rotateKey, updateKey } from './service.ts';

const operation = operationsOf('Keys');
const { keyChangeProcedureFor, procedureFor } = proceduresOf({ shownIn: shownRecord(keys) });
const manageProcedure = procedureFor('keys:manage').meta({ isLimited: true });
const changeProcedure = keyChangeProcedureFor('keys:manage').meta({ isLimited: true });

export const keysRouter = {
  list: manageProcedure
    .meta(
      operation('GET /keys', {
        summary: 'List keys',
        description: 'Lists API keys, including revoked and expired keys, without their secrets.',
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
          'Creates an API key. The secret is returned once; store it securely. You can only grant scopes and offices that ' +
          "you have, with an expiry no later than your own key's.",
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
        description: 'Retrieves an API key, with the prefix of its secret and the time it was last used.',
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
          'Updates the fields you send (JSON Merge Patch). Takes effect on all servers within a second. You cannot change a ' +
          "key with scopes you do not have, or set an expiry later than your own key's.",
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
          'Revokes an API key permanently, on all servers within a second. Has no effect if already revoked. You cannot ' +
          'revoke a key with scopes you do not have.',
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
          'Creates a new secret for a key. The new secret is returned once. The previous one works during the overlap, but ' +
          'cannot rotate keys. You cannot rotate a key with scopes you do not have or a later expiry.',
        errors: ['key_revoked'],
        isSecret: true,
      }),
    )
    .input(KeyRotation)
    .output(KeyWithSecret)
    .mutation(({ ctx, input }) => rotateKey(ctx, input)),
} satisfies TRPCRouterRecord;

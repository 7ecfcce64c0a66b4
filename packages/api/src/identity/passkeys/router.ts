import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { OneRecord } from '../../engine/fields/schemas.ts';
import { ignoreUnchanged } from '../../records/unchanged-fields.ts';
import { operationsOf } from '../../trpc/init.ts';
import { proceduresOf } from '../../trpc/procedure.ts';
import { Passkey, PasskeyPage, PasskeyPatch, PasskeyQuery } from './schemas.ts';
import { deletePasskey, listPasskeys, readPasskeyToChange, updatePasskey } from './service.ts';

const operation = operationsOf('Passkeys');

const example = { reason: 'Passkeys can only be created by a person in a browser.' };

/** The responses show the caller's own. */
const { everyCallerProcedure, everyCallerChangeProcedure } = proceduresOf({ shownIn: () => [] });

export const passkeysRouter = {
  list: everyCallerProcedure
    .meta(
      operation('GET /passkeys', {
        summary: 'List passkeys',
        description:
          'Lists your passkeys or, with the scope `people:manage`, those of a different person. Passkeys are created in a ' +
          'browser, with an invitation or while signed in.',
        errors: ['insufficient_scope'],
      }),
    )
    .input(PasskeyQuery)
    .output(PasskeyPage)
    .query(({ ctx, input }) => listPasskeys(ctx, input)),

  update: everyCallerProcedure
    .meta(
      operation('PATCH /passkeys/{id}', {
        summary: 'Rename a passkey',
        description:
          'Renames a passkey (JSON Merge Patch): your own or, with the scope `people:manage`, that of a person whose ' +
          'rights you have.',
        errors: ['insufficient_scope'],
        example,
      }),
    )
    .use((call) => ignoreUnchanged(call, PasskeyPatch, readPasskeyToChange))
    .input(PasskeyPatch)
    .output(Passkey)
    .mutation(({ ctx, input }) => updatePasskey(ctx, input)),

  delete: everyCallerChangeProcedure
    .meta(
      operation('DELETE /passkeys/{id}', {
        summary: 'Remove a passkey',
        description:
          'Removes a passkey and ends the sessions that used it, on all servers within a second. You can remove your own ' +
          'passkeys or, with `people:manage`, those of a person whose rights you have.',
        status: 204,
        errors: ['insufficient_scope'],
        example,
      }),
    )
    .input(OneRecord)
    .output(z.void())
    .mutation(({ ctx, input }) => deletePasskey(ctx, input.id)),
} satisfies TRPCRouterRecord;

import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { checkScopes, scopesOfAll } from '../access/scopes.ts';
import { procedureFor } from '../procedures/procedure.ts';
import { RecordId } from '../resources/fields/schemas.ts';
import { ScheduledChange, ScheduledChangePage, ScheduledChangeQuery } from '../scheduled-changes/schemas.ts';
import {
  cancelScheduledChange,
  getScheduledChange,
  listScheduledChanges,
} from '../scheduled-changes/service.ts';

const [readScope, ...readScopes] = scopesOfAll('read');
const [writeScope, ...writeScopes] = scopesOfAll('write');
const readProcedure = procedureFor(readScope).meta({ isLimited: true });
const writeProcedure = procedureFor(writeScope).meta({ isManaged: true, isLimited: true });

/** The sentence that names the scopes which a procedure checks beside that of its builder. */
const needsToo = (scopes: readonly string[]) =>
  `Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(' and ')} too.`;
const tags = ['Scheduled changes'];
const OneScheduledChange = z.strictObject({ id: RecordId });

export const scheduledChangesRouter = {
  list: readProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/scheduled-changes',
        tags,
        summary: 'List scheduled changes',
        description:
          'One page of the changes that are scheduled, and of those that happened, failed or were cancelled within the ' +
          `retention, in the order of their times. ${needsToo(readScopes)}`,
      },
      errors: ['invalid_cursor', 'cursor_mismatch'],
    })
    .input(ScheduledChangeQuery)
    .output(ScheduledChangePage)
    .query(async ({ ctx, input }) => {
      checkScopes(ctx.caller, readScopes);
      return listScheduledChanges(ctx, input);
    }),

  get: readProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/scheduled-changes/{id}',
        tags,
        summary: 'Read one scheduled change',
        description: `The change, pending or not, and why it failed. ${needsToo(readScopes)}`,
      },
      errors: ['not_found'],
    })
    .input(OneScheduledChange)
    .output(ScheduledChange)
    .query(({ ctx, input }) => {
      checkScopes(ctx.caller, readScopes);
      return getScheduledChange(ctx, input.id);
    }),

  cancel: writeProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/scheduled-changes/{id}',
        tags,
        summary: 'Cancel a scheduled change',
        description:
          'A pending change no longer happens; it stays in the list as cancelled. Repeated, it answers the cancelled change. ' +
          needsToo(writeScopes),
      },
      errors: ['not_found', 'change_finished'],
    })
    .input(OneScheduledChange)
    .output(ScheduledChange)
    .mutation(({ ctx, input }) => {
      checkScopes(ctx.caller, writeScopes);
      return cancelScheduledChange(ctx, input.id);
    }),
} satisfies TRPCRouterRecord;

import type { TRPCRouterRecord } from '@trpc/server';
import { checkScopes, readScopes, writeScopes } from '../access/scopes.ts';
import { exampleAgent } from '../directory/agents/schemas.ts';
import { OneRecord } from '../engine/fields/schemas.ts';
import { type OperationExample, operationsOf } from '../trpc/init.ts';
import { procedureFor } from '../trpc/procedure.ts';
import { ScheduledChange, ScheduledChangePage, ScheduledChangeQuery } from './schemas.ts';
import { cancelScheduledChange, getScheduledChange, listScheduledChanges } from './service.ts';

const [readScope, ...otherReadScopes] = readScopes;
const [writeScope, ...otherWriteScopes] = writeScopes;
const example: OperationExample = {
  requests: [
    { method: 'POST', path: '/agents', body: exampleAgent },
    { method: 'PUT', path: '/agents/{1/id}/deactivate', body: { effectiveAt: '{inAnHour}' } },
  ],
  path: { id: '{2/scheduledChanges/0/id}' },
};
const readProcedure = procedureFor(readScope).meta({ isLimited: true, example });
const writeProcedure = procedureFor(writeScope).meta({ isManaged: true, isLimited: true, example });

const needsToo = (scopes: readonly string[]) =>
  `Also needs ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.`;
const operation = operationsOf('Scheduled changes');

export const scheduledChangesRouter = {
  list: readProcedure
    .meta(
      operation('GET /scheduled-changes', {
        summary: 'List scheduled changes',
        description:
          'Lists scheduled changes in order of their times: pending changes, and finished ones until their retention ' +
          `period ends. ${needsToo(otherReadScopes)}`,
      }),
    )
    .input(ScheduledChangeQuery)
    .output(ScheduledChangePage)
    .query(async ({ ctx, input }) => {
      checkScopes(ctx.caller, otherReadScopes);
      return listScheduledChanges(ctx, input);
    }),

  get: readProcedure
    .meta(
      operation('GET /scheduled-changes/{id}', {
        summary: 'Read one scheduled change',
        description: `Retrieves a scheduled change, with the reason if it failed. ${needsToo(otherReadScopes)}`,
      }),
    )
    .input(OneRecord)
    .output(ScheduledChange)
    .query(({ ctx, input }) => {
      checkScopes(ctx.caller, otherReadScopes);
      return getScheduledChange(ctx, input.id);
    }),

  cancel: writeProcedure
    .meta(
      operation('DELETE /scheduled-changes/{id}', {
        summary: 'Cancel a scheduled change',
        description:
          'Cancels a pending change, which stays in the list as cancelled. Has no effect if the change is already cancelled. ' +
          needsToo(otherWriteScopes),
        errors: ['change_finished'],
      }),
    )
    .input(OneRecord)
    .output(ScheduledChange)
    .mutation(({ ctx, input }) => {
      checkScopes(ctx.caller, otherWriteScopes);
      return cancelScheduledChange(ctx, input.id);
    }),
} satisfies TRPCRouterRecord;

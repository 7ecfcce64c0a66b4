import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { checkScopes } from '../access/scopes.ts';
import { procedureFor } from '../procedures/procedure.ts';
import { RecordId } from '../resources/fields/schemas.ts';
import { ScheduledChange, ScheduledChangePage, ScheduledChangeQuery } from '../scheduled-changes/schemas.ts';
import {
  cancelScheduledChange,
  getScheduledChange,
  listScheduledChanges,
} from '../scheduled-changes/service.ts';

const readProcedure = procedureFor('agents:read').meta({ isLimited: true });
const writeProcedure = procedureFor('agents:write').meta({ isManaged: true, isLimited: true });
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
          'retention, in the order of their times. Needs the scope `offices:read` too.',
      },
      errors: ['invalid_cursor', 'cursor_mismatch'],
    })
    .input(ScheduledChangeQuery)
    .output(ScheduledChangePage)
    .query(async ({ ctx, input }) => {
      checkScopes(ctx.caller, ['offices:read']);
      return listScheduledChanges(ctx, input);
    }),

  get: readProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/scheduled-changes/{id}',
        tags,
        summary: 'Read one scheduled change',
        description: 'The change, pending or not, and why it failed. Needs the scope `offices:read` too.',
      },
      errors: ['not_found'],
    })
    .input(OneScheduledChange)
    .output(ScheduledChange)
    .query(({ ctx, input }) => {
      checkScopes(ctx.caller, ['offices:read']);
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
          'Needs the scope `offices:write` too.',
      },
      errors: ['not_found', 'change_finished'],
    })
    .input(OneScheduledChange)
    .output(ScheduledChange)
    .mutation(({ ctx, input }) => cancelScheduledChange(ctx, input.id)),
} satisfies TRPCRouterRecord;

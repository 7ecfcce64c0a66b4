import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { checkScopes } from '../access/scopes.ts';
import { agents } from '../agents/definition.ts';
import type { DirectoryResource } from '../directory.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { offices } from '../offices/definition.ts';
import { RecordId } from '../resources/schemas.ts';
import { procedureFor, treeChangeProcedureFor } from '../trpc/procedure.ts';
import { revertRecord } from './revert.ts';
import { BlameAnswer, HistoryPage, HistoryQuery, Revert, RevertedAgent, RevertedOffice } from './schemas.ts';
import { blameFields, listHistory } from './service.ts';

const OneRecord = z.strictObject({ id: RecordId });

const historyText =
  'Every change that the log still has, newest first: who, when, why, and what was before and after; also of a deleted record. ' +
  'A caller who is limited to some offices gets those that are within them. Also needs the scope `events:read`.';
const blameText =
  'For each field that has a value or once had one, the change that set it last; also of a deleted record. Also needs the scope ' +
  '`events:read`.';
const revertText =
  'Gives the record, or the `fields` that are named, the values of an earlier version, as an update with its rules; with `dryRun` ' +
  'answers what that would change. The status does not change: deactivate and reactivate do that. Repeated, it changes nothing. ' +
  'Also needs the scopes to read the record and `events:read`.';

const historyErrors: ErrorCode[] = ['not_found', 'invalid_cursor', 'cursor_mismatch'];
const revertErrors: ErrorCode[] = [
  'version_conflict',
  'version_required',
  'not_found',
  'source_taken',
  'reference_not_found',
];

/** The operations that read the history of one record. */
function readsOf<Row extends { id: string }>(
  resource: DirectoryResource<Row>,
  { tag, one }: { tag: string; one: string },
) {
  const procedure = procedureFor(`${resource.name}:read`).meta({ isLimited: true });
  return {
    history: procedure
      .meta({
        openapi: {
          method: 'GET',
          path: `/${resource.name}/{id}/history`,
          tags: [tag],
          summary: `List the changes of ${one}`,
          description: historyText,
        },
        errors: historyErrors,
      })
      .input(HistoryQuery)
      .output(HistoryPage)
      .query(({ ctx, input }) => {
        checkScopes(ctx.caller, ['events:read']);
        return listHistory(ctx, resource, input);
      }),

    blame: procedure
      .meta({
        openapi: {
          method: 'GET',
          path: `/${resource.name}/{id}/blame`,
          tags: [tag],
          summary: `Find who set each field of ${one}`,
          description: blameText,
        },
        errors: ['not_found'],
      })
      .input(OneRecord)
      .output(BlameAnswer)
      .query(({ ctx, input }) => {
        checkScopes(ctx.caller, ['events:read']);
        return blameFields(ctx, resource, input.id);
      }),
  };
}

export const officeHistory = {
  ...readsOf(offices, { tag: 'Offices', one: 'an office' }),

  revert: treeChangeProcedureFor('offices:write')
    .meta({
      isLimited: true,
      openapi: {
        method: 'PUT',
        path: '/offices/{id}/revert',
        tags: ['Offices'],
        summary: 'Revert an office to an earlier version',
        description: revertText,
      },
      errors: [...revertErrors, 'office_cycle'],
    })
    .input(Revert)
    .output(RevertedOffice)
    .mutation(({ ctx, input }) => {
      checkScopes(ctx.caller, ['offices:read', 'events:read']);
      return revertRecord(ctx, offices, input);
    }),
} satisfies TRPCRouterRecord;

export const agentHistory = {
  ...readsOf(agents, { tag: 'Agents', one: 'an agent' }),

  revert: procedureFor('agents:write')
    .meta({
      isLimited: true,
      openapi: {
        method: 'PUT',
        path: '/agents/{id}/revert',
        tags: ['Agents'],
        summary: 'Revert an agent to an earlier version',
        description: revertText,
      },
      errors: [...revertErrors, 'email_taken', 'office_inactive'],
    })
    .input(Revert)
    .output(RevertedAgent)
    .mutation(({ ctx, input }) => {
      checkScopes(ctx.caller, ['agents:read', 'events:read']);
      return revertRecord(ctx, agents, input);
    }),
} satisfies TRPCRouterRecord;

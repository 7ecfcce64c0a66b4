import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { checkScopes } from '../access/scopes.ts';
import { agentHistory } from '../history/router.ts';
import { BulkAnswer, bulkErrors, bulkSchemas, changeByFilterDocs } from '../jobs/bulk-schemas.ts';
import { changeByFilter } from '../jobs/service.ts';
import { orRawJson, rawIfAccepted } from '../resources/json/raw-json.ts';
import { readPage } from '../resources/list/list-records.ts';
import { searchPageOf } from '../resources/list/parameters.ts';
import { RecordId, Transition, versioned } from '../resources/schemas.ts';
import { createRecord, readRecord, removeRecord, restoreRecord, updateRecord } from '../resources/service.ts';
import { StatusChange } from '../scheduled-changes/effective-input.ts';
import { procedureFor } from '../trpc/procedure.ts';
import { agentFilters, agents, agentWithOffice } from './definition.ts';
import { Agent, AgentPatch, AgentQuery, AgentTransfer, ListedAgent, NewAgent } from './schemas.ts';
import { deactivateAgent, reactivateAgent, transferAgent } from './service.ts';

const readProcedure = procedureFor('agents:read').meta({ isLimited: true });
const writeProcedure = procedureFor('agents:write').meta({ isLimited: true });
const tags = ['Agents'];
const OneAgent = z.strictObject({ id: RecordId });
const OneAgentOfVersion = z.strictObject(versioned);
const AgentPage = searchPageOf(ListedAgent, 'AgentPage');

export const agentsRouter = {
  list: readProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/agents',
        tags,
        summary: 'List agents',
        description:
          'One page of the agents that match every filter, active and inactive alike. `expand=office` needs the scope ' +
          '`offices:read` too. A caller who is limited to some offices gets the agents whose primary office is one of them, here ' +
          'as everywhere; others do not exist for the caller.',
      },
      errors: ['invalid_cursor', 'cursor_mismatch'],
    })
    .input(AgentQuery)
    .output(orRawJson(AgentPage))
    .query(async ({ ctx, input: { expand, ...query } }) => {
      if (expand !== undefined) checkScopes(ctx.caller, ['offices:read']);
      const expanded = expand && { name: expand, shape: agentWithOffice };
      const input = agentFilters(query);
      return rawIfAccepted(
        ctx,
        await readPage(ctx.db, { resource: agents, expanded, input, limit: ctx.limit }),
      );
    }),

  create: writeProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/agents',
        tags,
        summary: 'Create an agent',
        description:
          'Creates an active agent of version 1 and answers it with its id. A caller who is limited to some offices names one ' +
          'of them; without `officeId` the response is 403.',
      },
      status: 201,
      errors: [
        'idempotency_in_progress',
        'idempotency_key_reused',
        'not_found',
        'email_taken',
        'source_taken',
        'office_inactive',
        'reference_not_found',
      ],
    })
    .input(NewAgent)
    .output(Agent)
    .mutation(({ ctx, input }) => createRecord(ctx, agents, input)),

  get: readProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/agents/{id}',
        tags,
        summary: 'Read one agent',
        description:
          'The agent as they are now, active or inactive. With If-None-Match: 304 where unchanged.',
      },
      errors: ['not_found', 'version_conflict'],
    })
    .input(OneAgent)
    .output(orRawJson(Agent))
    .query(async ({ ctx, input }) => rawIfAccepted(ctx, await readRecord(ctx, agents, input.id))),

  delete: writeProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/agents/{id}',
        tags,
        summary: 'Delete an agent',
        description:
          'Rejected if the agent is a broker, is a manager or has an assistant. The last state is kept for restore for a time.',
      },
      status: 204,
      errors: ['version_conflict', 'version_required', 'not_found', 'has_dependents'],
    })
    .input(OneAgentOfVersion)
    .output(z.void())
    .mutation(({ ctx, input }) => removeRecord(ctx, agents, input)),

  update: writeProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/agents/{id}',
        tags,
        summary: 'Change an agent',
        description: 'JSON Merge Patch: absent leaves, null clears, lists are replaced whole.',
        contentTypes: ['application/merge-patch+json', 'application/json'],
      },
      errors: [
        'idempotency_in_progress',
        'idempotency_key_reused',
        'version_conflict',
        'version_required',
        'not_found',
        'email_taken',
        'source_taken',
        'office_inactive',
        'reference_not_found',
      ],
    })
    .input(AgentPatch)
    .output(Agent)
    .mutation(({ ctx, input }) => updateRecord(ctx, agents, input)),

  deactivate: writeProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/agents/{id}/deactivate',
        tags,
        summary: 'Deactivate an agent',
        description:
          'They stay readable, listable and editable. Repeated, it answers the unchanged agent. With `effectiveAt` or ' +
          '`effectiveOn` in the future it is scheduled: the agent has one more of `scheduledChanges`.',
      },
      errors: ['version_conflict', 'version_required', 'not_found', 'limit_reached'],
    })
    .input(StatusChange)
    .output(Agent)
    .mutation(({ ctx, input }) => deactivateAgent(ctx, input)),

  reactivate: writeProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/agents/{id}/reactivate',
        tags,
        summary: 'Reactivate an agent',
        description:
          'Rejected if the office is inactive. Repeated, it answers the unchanged agent. With `effectiveAt` or `effectiveOn` in ' +
          'the future it is scheduled, and the office counts then.',
      },
      errors: ['version_conflict', 'version_required', 'not_found', 'office_inactive', 'limit_reached'],
    })
    .input(StatusChange)
    .output(Agent)
    .mutation(({ ctx, input }) => reactivateAgent(ctx, input)),

  transfer: writeProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/agents/{id}/transfer',
        tags,
        summary: 'Transfer an agent to another office',
        description:
          'Sets the office and `transferredAt`, with one event `agent.transferred` that names both offices. An agent of that ' +
          'office is answered unchanged. With `effectiveAt` or `effectiveOn` in the future it is scheduled; a day begins in the ' +
          'time zone of the new office, which must exist now and be active then.',
      },
      errors: [
        'version_conflict',
        'version_required',
        'not_found',
        'office_inactive',
        'reference_not_found',
        'limit_reached',
      ],
    })
    .input(AgentTransfer)
    .output(Agent)
    .mutation(({ ctx, input }) => transferAgent(ctx, input)),

  restore: writeProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/agents/{id}/restore',
        tags,
        summary: 'Restore a deleted agent',
        description: 'Brings them back under their id, in their last state, while that is kept (30 days).',
      },
      errors: [
        'version_conflict',
        'not_found',
        'email_taken',
        'source_taken',
        'office_inactive',
        'reference_not_found',
      ],
    })
    .input(Transition)
    .output(Agent)
    .mutation(({ ctx, input }) => restoreRecord(ctx, agents, input)),

  ...agentHistory,

  bulk: writeProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/agents/bulk',
        tags,
        summary: 'Change many agents',
        description: changeByFilterDocs,
      },
      status: 202,
      isManaged: true,
      errors: bulkErrors,
    })
    .input(bulkSchemas.agents)
    .output(BulkAnswer)
    .mutation(({ ctx, input }) =>
      changeByFilter(ctx, agents, { ...input, selects: agentFilters(input.filter) }),
    ),
} satisfies TRPCRouterRecord;

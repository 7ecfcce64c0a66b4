import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { readPage } from '../records/pages.ts';
import { pageOf } from '../records/parameters.ts';
import {
  createRecord,
  deactivateRecord,
  getRecord,
  reactivateRecord,
  removeRecord,
  restoreRecord,
  updateRecord,
} from '../records/rules.ts';
import { RecordId } from '../records/schemas.ts';
import { procedure } from '../trpc.ts';
import { agents, agentWithOffice } from './queries.ts';
import { Agent, AgentDeactivation, AgentPatch, AgentQuery, ListedAgent, NewAgent } from './schemas.ts';

const tags = ['Agents'];
const OneAgent = z.strictObject({ id: RecordId });
export const AgentPage = pageOf(ListedAgent, 'AgentPage');

export const agentsRouter = {
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/agents',
        tags,
        summary: 'List agents',
        description: 'One page of the agents that match every filter, active and inactive alike.',
      },
      refusals: ['invalid_cursor', 'cursor_mismatch'],
    })
    .input(AgentQuery)
    .output(AgentPage)
    .query(({ ctx, input: { expand, ...input } }) => {
      const item = expand === 'office' ? agentWithOffice : agents.record;
      return readPage<ListedAgent>(ctx.db, { collection: agents, item, input });
    }),

  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/agents',
        tags,
        summary: 'Create an agent',
        description: 'Creates an active agent of version 1 and answers it with its id.',
      },
      status: 201,
      refusals: ['email_taken', 'source_taken', 'office_inactive', 'reference_not_found'],
    })
    .input(NewAgent)
    .output(Agent)
    .mutation(({ ctx, input }) => createRecord(ctx, agents, input)),

  get: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/agents/{id}',
        tags,
        summary: 'Read one agent',
        description:
          'The agent as they are now, active or inactive. With If-None-Match: 304 where unchanged.',
      },
      refusals: ['not_found'],
    })
    .input(OneAgent)
    .output(Agent)
    .query(({ ctx, input }) => getRecord(ctx, agents, input.id)),

  delete: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/agents/{id}',
        tags,
        summary: 'Delete an agent',
        description:
          'Refused for a broker, a manager or one who has an assistant. The last state is kept for restore for a time.',
      },
      status: 204,
      refusals: ['not_found', 'has_dependents'],
    })
    .input(OneAgent)
    .output(z.void())
    .mutation(({ ctx, input }) => removeRecord(ctx, agents, input.id)),

  update: procedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/agents/{id}',
        tags,
        summary: 'Change an agent',
        description: 'JSON Merge Patch: absent leaves, null clears, lists are replaced whole.',
        contentTypes: ['application/merge-patch+json', 'application/json'],
      },
      refusals: ['not_found', 'email_taken', 'source_taken', 'office_inactive', 'reference_not_found'],
    })
    .input(AgentPatch)
    .output(Agent)
    .mutation(({ ctx, input }) => updateRecord(ctx, agents, input)),

  deactivate: procedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/agents/{id}/deactivate',
        tags,
        summary: 'Deactivate an agent',
        description: 'They stay readable, listable and editable. Repeated, it answers the unchanged agent.',
      },
      refusals: ['not_found'],
    })
    .input(AgentDeactivation)
    .output(Agent)
    .mutation(({ ctx, input }) => deactivateRecord(ctx, agents, input)),

  reactivate: procedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/agents/{id}/reactivate',
        tags,
        summary: 'Reactivate an agent',
        description: 'Refused in an inactive office. Repeated, it answers the unchanged agent.',
      },
      refusals: ['not_found', 'office_inactive'],
    })
    .input(OneAgent)
    .output(Agent)
    .mutation(({ ctx, input }) => reactivateRecord(ctx, agents, input.id)),

  restore: procedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/agents/{id}/restore',
        tags,
        summary: 'Restore a deleted agent',
        description: 'Brings them back under their id, in their last state, while that is kept (30 days).',
      },
      refusals: ['not_found', 'email_taken', 'source_taken', 'office_inactive', 'reference_not_found'],
    })
    .input(OneAgent)
    .output(Agent)
    .mutation(({ ctx, input }) => restoreRecord(ctx, agents, input.id)),
} satisfies TRPCRouterRecord;

import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { checkScopes } from '../access/scopes.ts';
import { officeHistory } from '../history/router.ts';
import { BulkAnswer, bulkErrors, bulkSchemas, changeByFilterDocs } from '../jobs/bulk-schemas.ts';
import { changeByFilter } from '../jobs/service.ts';
import { orRawJson, rawIfAccepted } from '../resources/json/raw-json.ts';
import { readPage } from '../resources/list/list-records.ts';
import { searchPageOf } from '../resources/list/parameters.ts';
import { RecordId, Transition, versioned } from '../resources/schemas.ts';
import { createRecord, readRecord, removeRecord, restoreRecord, updateRecord } from '../resources/service.ts';
import { procedureFor, treeChangeProcedureFor } from '../trpc/procedure.ts';
import {
  OfficeDeactivated,
  OfficeDeactivation,
  OfficeReactivated,
  OfficeReactivation,
} from './cascade-schemas.ts';
import { countedOffices, offices, officeWithCounts } from './definition.ts';
import {
  AgentsTransfer,
  AgentsTransferResult,
  ListedOffice,
  NewOffice,
  Office,
  OfficePatch,
  OfficeQuery,
  officeExpansion,
} from './schemas.ts';
import { deactivateOffice, reactivateOffice } from './service.ts';
import { transferAgents } from './transfer.ts';

const readProcedure = procedureFor('offices:read').meta({ isLimited: true });
const writeProcedure = procedureFor('offices:write').meta({ isLimited: true });
const treeProcedure = treeChangeProcedureFor('offices:write').meta({ isLimited: true });
const tags = ['Offices'];
const OneOffice = z.strictObject({ id: RecordId });
const OneOfficeOfVersion = z.strictObject(versioned);
const OfficePage = searchPageOf(ListedOffice, 'OfficePage');

export const officesRouter = {
  list: readProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/offices',
        tags,
        summary: 'List offices',
        description:
          'One page of the offices that match every filter, active and inactive alike. `expand=counts` needs the scope ' +
          '`agents:read` too. A caller who is limited to some offices gets those and their branches, here as everywhere; others do ' +
          'not exist for the caller.',
      },
      errors: ['invalid_cursor', 'cursor_mismatch'],
    })
    .input(OfficeQuery)
    .output(orRawJson(OfficePage))
    .query(async ({ ctx, input: { expand, ...input } }) => {
      if (expand !== undefined) checkScopes(ctx.caller, ['agents:read']);
      const expanded = expand && { name: expand, shape: officeWithCounts };
      return rawIfAccepted(
        ctx,
        await readPage(ctx.db, { resource: offices, expanded, input, limit: ctx.limit }),
      );
    }),

  create: treeProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/offices',
        tags,
        summary: 'Create an office',
        description:
          'Creates an active office of version 1 and answers it with its id. A caller who is limited to some offices names one of ' +
          'them as `mainOfficeId`; without it the response is 403.',
      },
      status: 201,
      errors: [
        'idempotency_in_progress',
        'idempotency_key_reused',
        'not_found',
        'source_taken',
        'reference_not_found',
      ],
    })
    .input(NewOffice)
    .output(Office)
    .mutation(({ ctx, input }) => createRecord(ctx, offices, input)),

  get: readProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/offices/{id}',
        tags,
        summary: 'Read one office',
        description:
          'The office as it is now, active or inactive. With If-None-Match: 304 where it is unchanged. With `expand=counts` ' +
          'there is no ETag, as the counts change without a new version; that needs the scope `agents:read` too.',
      },
      errors: ['not_found', 'version_conflict'],
    })
    .input(OneOffice.extend({ expand: officeExpansion }))
    .output(orRawJson(ListedOffice))
    .query(async ({ ctx, input: { id, expand } }) => {
      if (expand === undefined) return rawIfAccepted(ctx, await readRecord(ctx, offices, id));
      checkScopes(ctx.caller, ['agents:read']);
      return rawIfAccepted(ctx, await readRecord(ctx, countedOffices, id));
    }),

  delete: treeProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/offices/{id}',
        tags,
        summary: 'Delete an office',
        description:
          'Rejected while it has agents, affiliated agents or branch offices. Its last state is kept for restore for a time.',
      },
      status: 204,
      errors: ['version_conflict', 'version_required', 'not_found', 'has_dependents'],
    })
    .input(OneOfficeOfVersion)
    .output(z.void())
    .mutation(({ ctx, input }) => removeRecord(ctx, offices, input)),

  update: treeProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/offices/{id}',
        tags,
        summary: 'Change an office',
        description: 'JSON Merge Patch: absent leaves, null clears, lists are replaced whole.',
        contentTypes: ['application/merge-patch+json', 'application/json'],
      },
      errors: [
        'idempotency_in_progress',
        'idempotency_key_reused',
        'version_conflict',
        'version_required',
        'not_found',
        'source_taken',
        'office_cycle',
        'reference_not_found',
      ],
    })
    .input(OfficePatch)
    .output(Office)
    .mutation(({ ctx, input }) => updateRecord(ctx, offices, input)),

  deactivate: writeProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/offices/{id}/deactivate',
        tags,
        summary: 'Deactivate an office',
        description:
          'It stays readable and takes no more agents. Repeated, it answers the unchanged office. With `cascade` the ' +
          'office and up to 500 of its agents are deactivated in one transaction, more agents 500 at a time in further ' +
          'ones: meanwhile the office is inactive and some agents are not. It is removed from the `affiliations` of other ' +
          'agents, each with an event `agent.updated`; without `cascade` they stay, and so do those of agents that a limit hides. A call that ends early, with 503 after 20 ' +
          'seconds, is repeated to go on. `cascaded` has the numbers of both. `cascade` needs the scope `agents:write` too. With `effectiveAt` or `effectiveOn` in ' +
          'the future it is scheduled: the office has one more of `scheduledChanges`, and then up to 100,000 agents, with the ' +
          'affiliated ones, are changed with it in one transaction.',
      },
      errors: ['version_conflict', 'version_required', 'not_found', 'limit_reached'],
    })
    .input(OfficeDeactivation)
    .output(OfficeDeactivated)
    .mutation(({ ctx, input }) => deactivateOffice(ctx, input)),

  reactivate: writeProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/offices/{id}/reactivate',
        tags,
        summary: 'Reactivate an office',
        description:
          'Its agents stay as they are. Repeated, it answers the unchanged office. With `cascade` it takes back what its latest ' +
          'deactivation did to agents, 500 at a time: exactly those that were changed by it are as they were before, unless they ' +
          'were changed since. `cascaded` says how many, and which could not be brought back. Agents that a limit hides stay as ' +
          'they are. A call that ends early, with 503 after 20 seconds, is repeated to go on. `cascade` needs the scope ' +
          '`agents:write` too. With `effectiveAt` or `effectiveOn` in the future it is scheduled, without `cascade`.',
      },
      errors: ['version_conflict', 'version_required', 'not_found', 'limit_reached'],
    })
    .input(OfficeReactivation)
    .output(OfficeReactivated)
    .mutation(({ ctx, input }) => reactivateOffice(ctx, input)),

  transferAgents: writeProcedure
    .meta({
      isManaged: true,
      openapi: {
        method: 'PUT',
        path: '/offices/{id}/transfer-agents',
        tags,
        summary: 'Transfer all agents of an office to another one',
        description:
          'Moves its active and inactive agents in one transaction, at most 100,000, each with an event ' +
          '`agent.transferred`: readers see all of them in the one office or in the other. With `effectiveAt` or `effectiveOn` in the future it is ' +
          'scheduled, and none has moved yet. Needs the scope `agents:write` too, and of people the role of a manager.',
      },
      errors: [
        'version_conflict',
        'version_required',
        'not_found',
        'office_inactive',
        'reference_not_found',
        'too_many_agents',
        'limit_reached',
      ],
    })
    .input(AgentsTransfer)
    .output(AgentsTransferResult)
    .mutation(({ ctx, input }) => transferAgents(ctx, input)),

  restore: treeProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/offices/{id}/restore',
        tags,
        summary: 'Restore a deleted office',
        description: 'Brings it back under its id, in its last state, while that is kept (30 days).',
      },
      errors: ['version_conflict', 'not_found', 'source_taken', 'office_cycle', 'reference_not_found'],
    })
    .input(Transition)
    .output(Office)
    .mutation(({ ctx, input }) => restoreRecord(ctx, offices, input)),

  ...officeHistory,

  bulk: writeProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/offices/bulk',
        tags,
        summary: 'Change many offices',
        description: changeByFilterDocs,
      },
      status: 202,
      isManaged: true,
      errors: bulkErrors,
    })
    .input(bulkSchemas.offices)
    .output(BulkAnswer)
    .mutation(({ ctx, input }) => changeByFilter(ctx, offices, input)),
} satisfies TRPCRouterRecord;

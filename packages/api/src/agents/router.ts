import { constant } from '@roster/db';
import { z } from 'zod';
import { checkScopes } from '../access/scopes.ts';
import { agentFilters, agents } from '../directory/agents/definition.ts';
import {
  Agent,
  AgentPatch,
  AgentQuery,
  AgentTransfer,
  agentExpansion,
  exampleAgent,
  ListedAgent,
  NewAgent,
} from '../directory/agents/schemas.ts';
import { exampleOffice } from '../directory/offices/schemas.ts';
import { Merge, mergedOf, Unmerge, unmergedOf } from '../duplicates/merges/schemas.ts';
import { mergeRecord, unmergeRecord } from '../duplicates/merges/service.ts';
import {
  Dismissal,
  DuplicateQuery,
  duplicatePageOf,
  duplicatePairOf,
  lookAlikesOf,
  OnePair,
} from '../duplicates/schemas.ts';
import { checkDuplicates, decidePair, listDuplicates, pairsOf } from '../duplicates/service.ts';
import { OneRecordOfVersion, RecordId, StatusChange, Transition } from '../engine/fields/schemas.ts';
import { orRawJson, rawIfAccepted } from '../engine/json/raw-json.ts';
import { searchPageOf } from '../engine/list/parameters.ts';
import { HistoryPage, HistoryQuery, Revert, revertedOf } from '../history/schemas.ts';
import { listHistory } from '../history/service.ts';
import { revertRecord } from '../history/undo/service.ts';
import { BulkResponse, bulkErrors, bulkSchemas } from '../jobs/bulk/schemas.ts';
import { changeByFilter, jobs } from '../jobs/service.ts';
import { dependentErrors } from '../records/dependents.ts';
import {
  creationOf,
  deletedExample,
  mergedExample,
  mergeExample,
  operationTexts,
  pairExample,
  versionErrors,
} from '../records/operation-texts.ts';
import { type RecordCollaborators, recordProceduresOf } from '../records/procedure.ts';
import { listRecords, readOne } from '../records/read.ts';
import { createRecord, getRecord, removeRecord, restoreRecord, updateRecord } from '../records/service.ts';
import { ignoreUnchanged, ignoreUnchangedInAll } from '../records/unchanged-fields.ts';
import { changeStatus } from '../schedule/service.ts';
import { type Given, operationsOf } from '../trpc/init.ts';
import { transferAgent } from './service.ts';

const operation = operationsOf('Agents');
const texts = operationTexts('an agent', 'agents');
const example = { name: 'agents', record: exampleAgent };
const { ruleErrors } = agents;

const { procedureFor } = recordProceduresOf(agents, jobs);
const read = procedureFor('agents:read').meta({ isLimited: true });
const write = procedureFor('agents:write').meta({ isLimited: true });

const AgentId = z.strictObject({ id: RecordId, expand: agentExpansion });
const AgentPage = searchPageOf(ListedAgent, 'AgentPage');
const Duplicate = duplicatePairOf(Agent, agents);
const pairs = { resource: agents, listable: constant(pairsOf(agents)) };

export const agentsRouter = (settings: Given<RecordCollaborators>) => ({
  list: read
    .meta(
      operation('GET /agents', {
        summary: 'List agents',
        description:
          'Returns a paginated list of agents, active and inactive. If your access is restricted to certain offices, only ' +
          'agents whose primary office is one of them are returned. `expand=office` also needs the scope `offices:read`.',
      }),
    )
    .input(AgentQuery)
    .output(orRawJson(AgentPage))
    .query(async ({ ctx, input }) => rawIfAccepted(ctx, await listRecords(ctx, agents, agentFilters(input)))),

  create: write
    .use(settings)
    .meta(
      operation('POST /agents', {
        summary: 'Create an agent',
        description:
          'Creates an agent. If your access is restricted, set `officeId` to an office you can manage; otherwise the response is ' +
          '403.',
        status: 201,
        errors: [...ruleErrors.create],
        example: { requests: [creationOf(example)] },
      }),
    )
    .input(NewAgent)
    .output(orRawJson(Agent))
    .mutation(({ ctx, input }) => createRecord(ctx, agents, input)),

  get: read
    .meta(
      operation('GET /agents/{id}', {
        summary: 'Read one agent',
        description:
          'Retrieves an agent. Supports conditional requests with `If-None-Match`, except with `expand`.',
        errors: ['record_merged', 'version_conflict'],
      }),
    )
    .input(AgentId)
    .output(orRawJson(ListedAgent))
    .query(({ ctx, input }) => readOne(ctx, agents, input)),

  delete: write
    .meta(
      operation('DELETE /agents/{id}', {
        summary: 'Delete an agent',
        description:
          'Deletes an agent. Fails if the agent is a broker or manager of an office, or has an assistant. You can restore ' +
          'a deleted agent until its retention period ends.',
        status: 204,
        errors: [...versionErrors, ...dependentErrors(agents)],
      }),
    )
    .input(OneRecordOfVersion)
    .output(z.void())
    .mutation(({ ctx, input }) => removeRecord(ctx, agents, input)),

  update: write
    .use(settings)
    .meta(
      operation('PATCH /agents/{id}', {
        ...texts.update,
        errors: [...versionErrors, ...ruleErrors.change],
      }),
    )
    .use((call) => ignoreUnchanged(call, AgentPatch, (ctx, id) => getRecord(ctx, agents, id)))
    .input(AgentPatch)
    .output(orRawJson(Agent))
    .mutation(({ ctx, input }) => updateRecord(ctx, agents, input)),

  deactivate: write
    .meta(
      operation('PUT /agents/{id}/deactivate', {
        summary: 'Deactivate an agent',
        description:
          'Deactivates an agent. An inactive agent can still be read and changed. Has no effect if the agent is already inactive. ' +
          'With a future `effectiveAt` or `effectiveOn`, the change is scheduled.',
        errors: [...versionErrors, 'limit_reached'],
      }),
    )
    .input(StatusChange)
    .output(Agent)
    .mutation(({ ctx, input }) => changeStatus(ctx, agents, 'deactivate', input)),

  reactivate: write
    .meta(
      operation('PUT /agents/{id}/reactivate', {
        summary: 'Reactivate an agent',
        description:
          "Reactivates an agent. Fails if the agent's office is inactive. Has no effect if the agent is already active. With a " +
          'future `effectiveAt` or `effectiveOn`, the change is scheduled.',
        errors: [...versionErrors, ...ruleErrors.reactivate, 'limit_reached'],
      }),
    )
    .input(StatusChange)
    .output(Agent)
    .mutation(({ ctx, input }) => changeStatus(ctx, agents, 'reactivate', input)),

  duplicates: read
    .meta(operation('GET /agents/duplicates', texts.duplicates))
    .input(DuplicateQuery)
    .output(duplicatePageOf(Duplicate, agents))
    .query(({ ctx, input }) => listDuplicates(ctx, pairs, input)),

  checkDuplicates: read
    .use(settings)
    .meta(operation('PUT /agents/duplicates/check', texts.checkDuplicates))
    .input(NewAgent)
    .output(lookAlikesOf(Agent, agents))
    .mutation(({ ctx, input }) => checkDuplicates(ctx, agents, input)),

  dismissDuplicate: write
    .meta(
      operation('PUT /agents/duplicates/{id}/dismiss', {
        ...texts.dismissDuplicate,
        example: pairExample(example),
      }),
    )
    .input(Dismissal)
    .output(Duplicate)
    .mutation(({ ctx, input }) => decidePair(ctx, pairs, { ...input, isSame: false })),

  reopenDuplicate: write
    .meta(
      operation('PUT /agents/duplicates/{id}/reopen', {
        ...texts.reopenDuplicate,
        example: pairExample(example),
      }),
    )
    .input(OnePair)
    .output(Duplicate)
    .mutation(({ ctx, input }) => decidePair(ctx, pairs, { ...input, isSame: true })),

  merge: write
    .meta(
      operation('POST /agents/{id}/merge', {
        ...texts.merge,
        errors: [...versionErrors, ...ruleErrors.merge],
        example: mergeExample(example),
      }),
    )
    .input(Merge)
    .output(mergedOf(Agent, agents))
    .mutation(({ ctx, input }) => mergeRecord(ctx, agents, input)),

  unmerge: write
    .use(settings)
    .meta(
      operation('PUT /agents/{id}/unmerge', {
        ...texts.unmerge,
        errors: ['record_merged', ...ruleErrors.change],
        example: mergedExample(example),
      }),
    )
    .input(Unmerge)
    .output(unmergedOf(Agent, agents))
    .mutation(({ ctx, input }) => unmergeRecord(ctx, agents, input)),

  transfer: write
    .meta(
      operation('PUT /agents/{id}/transfer', {
        summary: 'Transfer an agent to a different office',
        description:
          'Moves an agent to a different office, which must be active. Has no effect if the agent already belongs to that ' +
          'office. With a future `effectiveAt` or `effectiveOn`, the transfer is scheduled, in the time zone of the new ' +
          'office.',
        errors: [...versionErrors, 'office_inactive', 'reference_not_found', 'limit_reached'],
        example: {
          requests: [creationOf(example), creationOf({ name: 'offices', record: exampleOffice })],
          body: { officeId: '{2/id}' },
        },
      }),
    )
    .input(AgentTransfer)
    .output(Agent)
    .mutation(({ ctx, input }) => transferAgent(ctx, input)),

  restore: write
    .use(settings)
    .meta(
      operation('PUT /agents/{id}/restore', {
        summary: 'Restore a deleted agent',
        description:
          'Restores a deleted agent with its ID and last values, until its retention period ends. Has no effect if the ' +
          'agent exists.',
        errors: ['version_conflict', 'record_merged', ...ruleErrors.change],
        example: deletedExample(example),
      }),
    )
    .input(Transition)
    .output(Agent)
    .mutation(({ ctx, input }) => restoreRecord(ctx, agents, input)),

  history: read
    .meta(operation('GET /agents/{id}/history', { ...texts.history, errors: ['record_merged'] }))
    .input(HistoryQuery)
    .output(HistoryPage)
    .query(({ ctx, input }) => {
      checkScopes(ctx.caller, ['events:read']);
      return listHistory(ctx, agents, input);
    }),

  revert: write
    .meta(
      operation('PUT /agents/{id}/revert', {
        ...texts.revert,
        errors: [...versionErrors, ...ruleErrors.change],
      }),
    )
    .input(Revert)
    .output(revertedOf(Agent, agents))
    .mutation(({ ctx, input }) => {
      checkScopes(ctx.caller, ['agents:read', 'events:read']);
      return revertRecord(ctx, agents, input);
    }),

  bulk: write
    .use(settings)
    .meta(operation('POST /agents/bulk', { ...texts.bulk, status: 202, isManaged: true, errors: bulkErrors }))
    .use((call) => ignoreUnchangedInAll(call, agents))
    .input(bulkSchemas.agents)
    .output(BulkResponse)
    .mutation(({ ctx, input }) =>
      changeByFilter(ctx, agents, { ...input, selects: agentFilters(input.filter) }),
    ),
});

import { constant } from '@roster/db';
import { z } from 'zod';
import { checkScopes } from '../access/scopes.ts';
import { offices } from '../directory/offices/definition.ts';
import {
  exampleOffice,
  ListedOffice,
  NewOffice,
  Office,
  OfficePatch,
  OfficeQuery,
  officeExpansion,
} from '../directory/offices/schemas.ts';
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
import { OneRecord, OneRecordOfVersion, RecordId, Transition } from '../engine/fields/schemas.ts';
import { orRawJson, rawIfAccepted } from '../engine/json/raw-json.ts';
import { searchPageOf } from '../engine/list/parameters.ts';
import { formatNumber } from '../errors/issue-text.ts';
import { HistoryPage, HistoryQuery, Revert, revertedOf } from '../history/schemas.ts';
import { listHistory } from '../history/service.ts';
import { revertRecord } from '../history/undo/service.ts';
import { BulkPreview, BulkResponse, bulkErrors, bulkSchemas } from '../jobs/bulk/schemas.ts';
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
import { CHECKED_MAX, SAMPLES_MAX } from '../records/try-change.ts';
import { ignoreUnchanged, ignoreUnchangedInAll } from '../records/unchanged-fields.ts';
import { type Given, operationsOf } from '../trpc/init.ts';
import {
  AGENTS_OF_TRANSACTION,
  AgentsTransfer,
  AgentsTransferResult,
  OfficeDeactivated,
  OfficeDeactivation,
  OfficeReactivated,
  OfficeReactivation,
} from './schemas.ts';
import { deactivateOffice, previewReactivation, reactivateOffice } from './service.ts';
import { AGENTS_MAX, transferAgents } from './transfer.ts';

const operation = operationsOf('Offices');
const texts = operationTexts('an office', 'offices');
const example = { name: 'offices', record: exampleOffice };
const { ruleErrors } = offices;

const { procedureFor, treeProcedureFor } = recordProceduresOf(offices, jobs);
const read = procedureFor('offices:read').meta({ isLimited: true });
const write = procedureFor('offices:write').meta({ isLimited: true });
const writeTree = treeProcedureFor('offices:write').meta({ isLimited: true });

const OfficeId = z.strictObject({ id: RecordId, expand: officeExpansion });
const OfficePage = searchPageOf(ListedOffice, 'OfficePage');
const Duplicate = duplicatePairOf(Office, offices);
const pairs = { resource: offices, listable: constant(pairsOf(offices)) };

export const officesRouter = (settings: Given<RecordCollaborators>) => ({
  list: read
    .meta(
      operation('GET /offices', {
        summary: 'List offices',
        description:
          'Returns a paginated list of offices, active and inactive. If your access is restricted to certain offices, only ' +
          'those offices and their branches are returned. `expand=counts` also needs the scope `agents:read`.',
      }),
    )
    .input(OfficeQuery)
    .output(orRawJson(OfficePage))
    .query(async ({ ctx, input }) => rawIfAccepted(ctx, await listRecords(ctx, offices, input))),

  create: writeTree
    .use(settings)
    .meta(
      operation('POST /offices', {
        summary: 'Create an office',
        description:
          'Creates an office. If your access is restricted, set `mainOfficeId` to an office you can manage; otherwise the ' +
          'response is 403.',
        status: 201,
        errors: [...ruleErrors.create],
        example: { requests: [creationOf(example)] },
      }),
    )
    .input(NewOffice)
    .output(orRawJson(Office))
    .mutation(({ ctx, input }) => createRecord(ctx, offices, input)),

  get: read
    .meta(
      operation('GET /offices/{id}', {
        summary: 'Read one office',
        description:
          'Retrieves an office. Supports conditional requests with `If-None-Match`, except with `expand=counts`, which ' +
          'also needs the scope `agents:read`.',
        errors: ['record_merged', 'version_conflict'],
      }),
    )
    .input(OfficeId)
    .output(orRawJson(ListedOffice))
    .query(({ ctx, input }) => readOne(ctx, offices, input)),

  delete: writeTree
    .meta(
      operation('DELETE /offices/{id}', {
        summary: 'Delete an office',
        description:
          'Deletes an office. Fails if agents, affiliated agents, teams or branches still refer to the office. You can ' +
          'restore a deleted office until its retention period ends.',
        status: 204,
        errors: [...versionErrors, ...dependentErrors(offices)],
      }),
    )
    .input(OneRecordOfVersion)
    .output(z.void())
    .mutation(({ ctx, input }) => removeRecord(ctx, offices, input)),

  update: writeTree
    .use(settings)
    .meta(
      operation('PATCH /offices/{id}', {
        ...texts.update,
        errors: [...versionErrors, ...ruleErrors.change],
      }),
    )
    .use((call) => ignoreUnchanged(call, OfficePatch, (ctx, id) => getRecord(ctx, offices, id)))
    .input(OfficePatch)
    .output(orRawJson(Office))
    .mutation(({ ctx, input }) => updateRecord(ctx, offices, input)),

  deactivate: write
    .meta(
      operation('PUT /offices/{id}/deactivate', {
        summary: 'Deactivate an office',
        description:
          'Deactivates an office, which then cannot take new agents. `cascade` also deactivates its agents and needs ' +
          '`agents:write`; on a 503, send the request again to continue. A future `effectiveAt` or `effectiveOn` schedules ' +
          'the change. Has no effect if already inactive.',
        errors: [...versionErrors, 'limit_reached'],
      }),
    )
    .input(OfficeDeactivation)
    .output(OfficeDeactivated)
    .mutation(({ ctx, input }) => deactivateOffice(ctx, input)),

  reactivate: write
    .use(settings)
    .meta(
      operation('PUT /offices/{id}/reactivate', {
        summary: 'Reactivate an office',
        description:
          'Reactivates an office. `cascade` also restores agents changed by its latest deactivation and needs ' +
          '`agents:write`; on a 503, send the request again to continue. A future `effectiveAt` or `effectiveOn` schedules ' +
          'the change. Has no effect if already active.',
        errors: [...versionErrors, ...ruleErrors.reactivate, 'limit_reached'],
      }),
    )
    .input(OfficeReactivation)
    .output(OfficeReactivated)
    .mutation(({ ctx, input }) => reactivateOffice(ctx, input)),

  duplicates: read
    .meta(operation('GET /offices/duplicates', texts.duplicates))
    .input(DuplicateQuery)
    .output(duplicatePageOf(Duplicate, offices))
    .query(({ ctx, input }) => listDuplicates(ctx, pairs, input)),

  checkDuplicates: read
    .use(settings)
    .meta(operation('PUT /offices/duplicates/check', texts.checkDuplicates))
    .input(NewOffice)
    .output(lookAlikesOf(Office, offices))
    .mutation(({ ctx, input }) => checkDuplicates(ctx, offices, input)),

  dismissDuplicate: write
    .meta(
      operation('PUT /offices/duplicates/{id}/dismiss', {
        ...texts.dismissDuplicate,
        example: pairExample(example),
      }),
    )
    .input(Dismissal)
    .output(Duplicate)
    .mutation(({ ctx, input }) => decidePair(ctx, pairs, { ...input, isSame: false })),

  reopenDuplicate: write
    .meta(
      operation('PUT /offices/duplicates/{id}/reopen', {
        ...texts.reopenDuplicate,
        example: pairExample(example),
      }),
    )
    .input(OnePair)
    .output(Duplicate)
    .mutation(({ ctx, input }) => decidePair(ctx, pairs, { ...input, isSame: true })),

  merge: writeTree
    .meta(
      operation('POST /offices/{id}/merge', {
        ...texts.merge,
        description: `${texts.merge.description} Requires equal rights over both offices.`,
        errors: [...versionErrors, ...ruleErrors.merge],
        example: mergeExample(example),
      }),
    )
    .input(Merge)
    .output(mergedOf(Office, offices))
    .mutation(({ ctx, input }) => mergeRecord(ctx, offices, input)),

  unmerge: writeTree
    .use(settings)
    .meta(
      operation('PUT /offices/{id}/unmerge', {
        ...texts.unmerge,
        errors: ['record_merged', ...ruleErrors.change],
        example: mergedExample(example),
      }),
    )
    .input(Unmerge)
    .output(unmergedOf(Office, offices))
    .mutation(({ ctx, input }) => unmergeRecord(ctx, offices, input)),

  transferAgents: write
    .meta(
      operation('PUT /offices/{id}/transfer-agents', {
        summary: 'Transfer all agents of an office',
        description:
          `Moves all agents of an office, at most ${formatNumber(AGENTS_MAX)}: in one transaction, or in a job beyond ` +
          `${formatNumber(AGENTS_OF_TRANSACTION)}. A future \`effectiveAt\` or \`effectiveOn\` schedules the transfer. Also needs ` +
          'the scope `agents:write`; people need the role of a manager.',
        isManaged: true,
        mayStartJob: true,
        errors: [
          ...versionErrors,
          'office_inactive',
          'reference_not_found',
          'too_many_agents',
          'limit_reached',
        ],
        example: { requests: [creationOf(example), creationOf(example)], body: { toOfficeId: '{2/id}' } },
      }),
    )
    .input(AgentsTransfer)
    .output(AgentsTransferResult)
    .mutation(({ ctx, input }) => transferAgents(ctx, input)),

  previewReactivate: write
    .use(settings)
    .meta(
      operation('PUT /offices/{id}/reactivate/preview', {
        summary: 'Preview the reactivation of an office with its agents',
        description:
          'Previews a reactivation with `cascade` without changing anything. Returns the number of agents to restore and ' +
          `the outcome for the first ${CHECKED_MAX}, with ${SAMPLES_MAX} samples. Also needs the scope \`agents:write\`.`,
        errors: ['record_merged'],
      }),
    )
    .input(OneRecord)
    .output(BulkPreview)
    .mutation(({ ctx, input }) => previewReactivation(ctx, input)),

  restore: writeTree
    .use(settings)
    .meta(
      operation('PUT /offices/{id}/restore', {
        summary: 'Restore a deleted office',
        description:
          'Restores a deleted office with its ID and last values, until its retention period ends. Has no effect if the ' +
          'office exists.',
        errors: ['version_conflict', 'record_merged', ...ruleErrors.change],
        example: deletedExample(example),
      }),
    )
    .input(Transition)
    .output(Office)
    .mutation(({ ctx, input }) => restoreRecord(ctx, offices, input)),

  history: read
    .meta(operation('GET /offices/{id}/history', { ...texts.history, errors: ['record_merged'] }))
    .input(HistoryQuery)
    .output(HistoryPage)
    .query(({ ctx, input }) => {
      checkScopes(ctx.caller, ['events:read']);
      return listHistory(ctx, offices, input);
    }),

  revert: writeTree
    .meta(
      operation('PUT /offices/{id}/revert', {
        ...texts.revert,
        errors: [...versionErrors, ...ruleErrors.change],
      }),
    )
    .input(Revert)
    .output(revertedOf(Office, offices))
    .mutation(({ ctx, input }) => {
      checkScopes(ctx.caller, ['offices:read', 'events:read']);
      return revertRecord(ctx, offices, input);
    }),

  bulk: write
    .use(settings)
    .meta(
      operation('POST /offices/bulk', { ...texts.bulk, status: 202, isManaged: true, errors: bulkErrors }),
    )
    .use((call) => ignoreUnchangedInAll(call, offices))
    .input(bulkSchemas.offices)
    .output(BulkResponse)
    .mutation(({ ctx, input }) => changeByFilter(ctx, offices, input)),
});

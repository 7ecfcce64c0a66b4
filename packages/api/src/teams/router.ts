import { constant } from '@roster/db';
import { z } from 'zod';
import { checkScopes } from '../access/scopes.ts';
import { exampleAgent } from '../directory/agents/schemas.ts';
import { teams } from '../directory/teams/definition.ts';
import {
  exampleTeam,
  ListedTeam,
  MemberChange,
  MemberKey,
  NewTeam,
  Team,
  TeamPatch,
  TeamQuery,
  teamExpansion,
} from '../directory/teams/schemas.ts';
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
import { putMember, removeMember } from './change-members.ts';

const operation = operationsOf('Teams');
const texts = operationTexts('a team', 'teams');
const example = { name: 'teams', record: exampleTeam };
const { ruleErrors } = teams;
const memberExample = {
  requests: [creationOf(example), creationOf({ name: 'agents', record: exampleAgent })],
  path: { agentId: '{2/id}' },
};

const { procedureFor } = recordProceduresOf(teams, jobs);
const read = procedureFor('teams:read').meta({ isLimited: true });
const write = procedureFor('teams:write').meta({ isLimited: true });

const TeamId = z.strictObject({ id: RecordId, expand: teamExpansion });
const TeamPage = searchPageOf(ListedTeam, 'TeamPage');
const Duplicate = duplicatePairOf(Team, teams);
const pairs = { resource: teams, listable: constant(pairsOf(teams)) };

export const teamsRouter = (settings: Given<RecordCollaborators>) => ({
  list: read
    .meta(
      operation('GET /teams', {
        summary: 'List teams',
        description:
          'Returns a paginated list of teams, active and inactive. If your access is restricted to certain offices, only ' +
          'teams and members you can see are returned. `expand=members` also needs the scope `agents:read`.',
      }),
    )
    .input(TeamQuery)
    .output(orRawJson(TeamPage))
    .query(async ({ ctx, input }) => rawIfAccepted(ctx, await listRecords(ctx, teams, input))),

  create: write
    .use(settings)
    .meta(
      operation('POST /teams', {
        summary: 'Create a team',
        description:
          'Creates a team. If your access is restricted, set `officeId` to an office you can manage; otherwise the response is ' +
          '403.',
        status: 201,
        errors: [...ruleErrors.create],
        example: { requests: [creationOf(example)] },
      }),
    )
    .input(NewTeam)
    .output(orRawJson(Team))
    .mutation(({ ctx, input }) => createRecord(ctx, teams, input)),

  get: read
    .meta(
      operation('GET /teams/{id}', {
        summary: 'Read one team',
        description:
          'Retrieves a team. Supports conditional requests with `If-None-Match`, except with `expand=members`, which also ' +
          'needs the scope `agents:read`.',
        errors: ['record_merged', 'version_conflict'],
      }),
    )
    .input(TeamId)
    .output(orRawJson(ListedTeam))
    .query(({ ctx, input }) => readOne(ctx, teams, input)),

  delete: write
    .meta(
      operation('DELETE /teams/{id}', {
        summary: 'Delete a team',
        description:
          'Deletes a team. The agents in the team are not changed. You can restore a deleted team until its retention ' +
          'period ends.',
        status: 204,
        errors: [...versionErrors, ...dependentErrors(teams)],
      }),
    )
    .input(OneRecordOfVersion)
    .output(z.void())
    .mutation(({ ctx, input }) => removeRecord(ctx, teams, input)),

  update: write
    .use(settings)
    .meta(
      operation('PATCH /teams/{id}', { ...texts.update, errors: [...versionErrors, ...ruleErrors.change] }),
    )
    .use((call) => ignoreUnchanged(call, TeamPatch, (ctx, id) => getRecord(ctx, teams, id)))
    .input(TeamPatch)
    .output(orRawJson(Team))
    .mutation(({ ctx, input }) => updateRecord(ctx, teams, input)),

  deactivate: write
    .meta(
      operation('PUT /teams/{id}/deactivate', {
        summary: 'Deactivate a team',
        description:
          'Deactivates a team. An inactive team can still be read and changed, and its agents are not changed. Has no ' +
          'effect if already inactive. A future `effectiveAt` or `effectiveOn` schedules the change.',
        errors: [...versionErrors, 'limit_reached'],
      }),
    )
    .input(StatusChange)
    .output(Team)
    .mutation(({ ctx, input }) => changeStatus(ctx, teams, 'deactivate', input)),

  reactivate: write
    .meta(
      operation('PUT /teams/{id}/reactivate', {
        summary: 'Reactivate a team',
        description:
          'Reactivates a team. Has no effect if the team is already active. With a future `effectiveAt` or `effectiveOn`, the ' +
          'change is scheduled.',
        errors: [...versionErrors, ...ruleErrors.reactivate, 'limit_reached'],
      }),
    )
    .input(StatusChange)
    .output(Team)
    .mutation(({ ctx, input }) => changeStatus(ctx, teams, 'reactivate', input)),

  duplicates: read
    .meta(operation('GET /teams/duplicates', texts.duplicates))
    .input(DuplicateQuery)
    .output(duplicatePageOf(Duplicate, teams))
    .query(({ ctx, input }) => listDuplicates(ctx, pairs, input)),

  checkDuplicates: read
    .use(settings)
    .meta(operation('PUT /teams/duplicates/check', texts.checkDuplicates))
    .input(NewTeam)
    .output(lookAlikesOf(Team, teams))
    .mutation(({ ctx, input }) => checkDuplicates(ctx, teams, input)),

  dismissDuplicate: write
    .meta(
      operation('PUT /teams/duplicates/{id}/dismiss', {
        ...texts.dismissDuplicate,
        example: pairExample(example),
      }),
    )
    .input(Dismissal)
    .output(Duplicate)
    .mutation(({ ctx, input }) => decidePair(ctx, pairs, { ...input, isSame: false })),

  reopenDuplicate: write
    .meta(
      operation('PUT /teams/duplicates/{id}/reopen', {
        ...texts.reopenDuplicate,
        example: pairExample(example),
      }),
    )
    .input(OnePair)
    .output(Duplicate)
    .mutation(({ ctx, input }) => decidePair(ctx, pairs, { ...input, isSame: true })),

  merge: write
    .meta(
      operation('POST /teams/{id}/merge', {
        ...texts.merge,
        errors: [...versionErrors, ...ruleErrors.merge],
        example: mergeExample(example),
      }),
    )
    .input(Merge)
    .output(mergedOf(Team, teams))
    .mutation(({ ctx, input }) => mergeRecord(ctx, teams, input)),

  unmerge: write
    .use(settings)
    .meta(
      operation('PUT /teams/{id}/unmerge', {
        ...texts.unmerge,
        errors: ['record_merged', ...ruleErrors.change],
        example: mergedExample(example),
      }),
    )
    .input(Unmerge)
    .output(unmergedOf(Team, teams))
    .mutation(({ ctx, input }) => unmergeRecord(ctx, teams, input)),

  putMember: write
    .meta(
      operation('PUT /teams/{id}/members/{agentId}', {
        summary: 'Add or change a member of a team',
        description:
          "Adds an agent to a team, or replaces the agent's membership. Has no effect if the membership is the same. A team can " +
          'have only one lead on any day.',
        errors: [...versionErrors, 'reference_not_found'],
        example: memberExample,
      }),
    )
    .input(MemberChange)
    .output(Team)
    .mutation(({ ctx, input }) => putMember(ctx, input)),

  removeMember: write
    .meta(
      operation('DELETE /teams/{id}/members/{agentId}', {
        summary: 'Remove an agent from a team',
        description:
          'Removes an agent from a team and returns the team. Has no effect if the agent is not a member.',
        errors: [...versionErrors],
        example: memberExample,
      }),
    )
    .input(MemberKey)
    .output(Team)
    .mutation(({ ctx, input }) => removeMember(ctx, input)),

  restore: write
    .use(settings)
    .meta(
      operation('PUT /teams/{id}/restore', {
        summary: 'Restore a deleted team',
        description:
          'Restores a deleted team with its ID and last values, until its retention period ends. Has no effect if the team ' +
          'exists. Fails if an agent in the team has been deleted since.',
        errors: ['version_conflict', 'record_merged', ...ruleErrors.change],
        example: deletedExample(example),
      }),
    )
    .input(Transition)
    .output(Team)
    .mutation(({ ctx, input }) => restoreRecord(ctx, teams, input)),

  history: read
    .meta(operation('GET /teams/{id}/history', { ...texts.history, errors: ['record_merged'] }))
    .input(HistoryQuery)
    .output(HistoryPage)
    .query(({ ctx, input }) => {
      checkScopes(ctx.caller, ['events:read']);
      return listHistory(ctx, teams, input);
    }),

  revert: write
    .meta(
      operation('PUT /teams/{id}/revert', {
        ...texts.revert,
        errors: [...versionErrors, ...ruleErrors.change],
      }),
    )
    .input(Revert)
    .output(revertedOf(Team, teams))
    .mutation(({ ctx, input }) => {
      checkScopes(ctx.caller, ['teams:read', 'events:read']);
      return revertRecord(ctx, teams, input);
    }),

  bulk: write
    .use(settings)
    .meta(operation('POST /teams/bulk', { ...texts.bulk, status: 202, isManaged: true, errors: bulkErrors }))
    .use((call) => ignoreUnchangedInAll(call, teams))
    .input(bulkSchemas.teams)
    .output(BulkResponse)
    .mutation(({ ctx, input }) => changeByFilter(ctx, teams, { ...input, selects: input.filter })),
});

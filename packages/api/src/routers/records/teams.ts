import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { agents } from '../../agents/definition.ts';
import { agentTexts } from '../../agents/texts.ts';
import { bulkSchemas } from '../../jobs/bulk-schemas.ts';
import { procedureFor } from '../../procedures/procedure.ts';
import { RecordId } from '../../resources/fields/schemas.ts';
import { searchPageOf } from '../../resources/list/parameters.ts';
import { teams } from '../../teams/definition.ts';
import { ListedTeam, MemberChange, MemberKey, Team, TeamPatch, teamExpansion } from '../../teams/schemas.ts';
import { teamTexts } from '../../teams/texts.ts';
import { putMember, removeMember } from '../../transitions/teams.ts';
import { operationsOf } from '../../trpc/meta.ts';
import { creationOf } from './examples.ts';
import { versionErrors } from './operation-texts.ts';
import { recordProcedures, schemasOf, statusTransitions } from './record-procedures.ts';

const { restore, history, revert, bulk, ...changes } = recordProcedures(teams, teamTexts, {
  schemas: {
    ...schemasOf(teams),
    page: searchPageOf(ListedTeam, 'TeamPage'),
    one: z.strictObject({ id: RecordId, expand: teamExpansion }),
    read: ListedTeam,
    patch: TeamPatch,
    bulk: bulkSchemas.teams,
  },
  ...statusTransitions(teams, Team),
});

const memberProcedure = procedureFor('teams:write').meta({
  isLimited: true,
  example: {
    requests: [creationOf(teams, teamTexts), creationOf(agents, agentTexts)],
    path: { agentId: '{2/id}' },
  },
});
const operation = operationsOf(teams.texts.title);

export const teamsRouter = {
  ...changes,

  putMember: memberProcedure
    .meta(
      operation('PUT /teams/{id}/members/{agentId}', {
        summary: 'Put an agent into a team',
        description:
          'Makes the agent a member, or replaces what the agent is there. Repeated, it answers the unchanged team. On one day a ' +
          'team has one lead at most: end or change the other one first.',
        errors: [...versionErrors, 'reference_not_found'],
      }),
    )
    .input(MemberChange)
    .output(Team)
    .mutation(({ ctx, input }) => putMember(ctx, input)),

  removeMember: memberProcedure
    .meta(
      operation('DELETE /teams/{id}/members/{agentId}', {
        summary: 'Take an agent out of a team',
        description:
          'Answers the team without the member. A team that the agent is not a member of is answered as it is.',
        errors: [...versionErrors],
      }),
    )
    .input(MemberKey)
    .output(Team)
    .mutation(({ ctx, input }) => removeMember(ctx, input)),

  restore,
  history,
  revert,
  bulk,
} satisfies TRPCRouterRecord;

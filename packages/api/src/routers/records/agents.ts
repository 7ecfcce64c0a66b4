import type { TRPCRouterRecord } from '@trpc/server';
import { agents } from '../../agents/definition.ts';
import { Agent, AgentPatch, AgentTransfer, ListedAgent } from '../../agents/schemas.ts';
import { agentTexts } from '../../agents/texts.ts';
import { bulkSchemas } from '../../jobs/bulk-schemas.ts';
import { offices } from '../../offices/definition.ts';
import { officeTexts } from '../../offices/texts.ts';
import { procedureFor } from '../../procedures/procedure.ts';
import { OneRecord } from '../../resources/fields/schemas.ts';
import { searchPageOf } from '../../resources/list/parameters.ts';
import { transferAgent } from '../../transitions/records.ts';
import { operationsOf } from '../../trpc/meta.ts';
import { creationOf } from './examples.ts';
import { versionErrors } from './operation-texts.ts';
import { recordProcedures, schemasOf, statusTransitions } from './record-procedures.ts';

const { restore, history, revert, bulk, ...changes } = recordProcedures(agents, agentTexts, {
  schemas: {
    ...schemasOf(agents),
    page: searchPageOf(ListedAgent, 'AgentPage'),
    one: OneRecord,
    read: Agent,
    patch: AgentPatch,
    bulk: bulkSchemas.agents,
  },
  ...statusTransitions(agents, Agent),
});

export const agentsRouter = {
  ...changes,

  transfer: procedureFor('agents:write')
    .meta(
      operationsOf(agents.texts.title)('PUT /agents/{id}/transfer', {
        summary: 'Transfer an agent to another office',
        description:
          'Sets the office and `transferredAt`, with one event `agent.transferred` that names both offices. An agent of that ' +
          'office is answered unchanged. With `effectiveAt` or `effectiveOn` in the future it is scheduled; a day begins in the ' +
          'time zone of the new office, which must exist now and be active then.',
        isLimited: true,
        errors: [...versionErrors, 'office_inactive', 'reference_not_found', 'limit_reached'],
        example: {
          requests: [creationOf(agents, agentTexts), creationOf(offices, officeTexts)],
          body: { officeId: '{2/id}' },
        },
      }),
    )
    .input(AgentTransfer)
    .output(Agent)
    .mutation(({ ctx, input }) => transferAgent(ctx, input)),

  restore,
  history,
  revert,
  bulk,
} satisfies TRPCRouterRecord;

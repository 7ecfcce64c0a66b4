import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { BulkPreview, bulkSchemas } from '../../jobs/bulk-schemas.ts';
import { offices } from '../../offices/definition.ts';
import {
  AgentsTransfer,
  AgentsTransferResult,
  ListedOffice,
  OfficePatch,
  officeExpansion,
} from '../../offices/schemas.ts';
import { officeTexts } from '../../offices/texts.ts';
import { procedureFor } from '../../procedures/procedure.ts';
import { CHECKED_MAX } from '../../records/try-change.ts';
import { OneRecord, RecordId } from '../../resources/fields/schemas.ts';
import { searchPageOf } from '../../resources/list/parameters.ts';
import {
  OfficeDeactivated,
  OfficeDeactivation,
  OfficeReactivated,
  OfficeReactivation,
} from '../../transitions/offices/cascade-schemas.ts';
import {
  deactivateOffice,
  previewReactivation,
  reactivateOffice,
} from '../../transitions/offices/service.ts';
import { transferAgents } from '../../transitions/offices/transfer.ts';
import { operationsOf } from '../../trpc/meta.ts';
import { creationOf } from './examples.ts';
import { versionErrors } from './operation-texts.ts';
import { recordProcedures, schemasOf } from './record-procedures.ts';

const operation = operationsOf(offices.texts.title);

const { restore, history, revert, bulk, ...changes } = recordProcedures(offices, officeTexts, {
  schemas: {
    ...schemasOf(offices),
    page: searchPageOf(ListedOffice, 'OfficePage'),
    one: z.strictObject({ id: RecordId, expand: officeExpansion }),
    read: ListedOffice,
    patch: OfficePatch,
    bulk: bulkSchemas.offices,
  },
  deactivate: { input: OfficeDeactivation, output: OfficeDeactivated, run: deactivateOffice },
  reactivate: { input: OfficeReactivation, output: OfficeReactivated, run: reactivateOffice },
});

export const officesRouter = {
  ...changes,

  transferAgents: procedureFor('offices:write')
    .meta(
      operation('PUT /offices/{id}/transfer-agents', {
        summary: 'Transfer all agents of an office to another one',
        description:
          'Moves its active and inactive agents in one transaction, at most 100,000, each with an event ' +
          '`agent.transferred`: readers see all of them in the one office or in the other. With `effectiveAt` or `effectiveOn` in the future it is ' +
          'scheduled, and none has moved yet. Needs the scope `agents:write` too, and of people the role of a manager.',
        isLimited: true,
        isManaged: true,
        errors: [
          ...versionErrors,
          'office_inactive',
          'reference_not_found',
          'too_many_agents',
          'limit_reached',
        ],
        example: {
          requests: [creationOf(offices, officeTexts), creationOf(offices, officeTexts)],
          body: { toOfficeId: '{2/id}' },
        },
      }),
    )
    .input(AgentsTransfer)
    .output(AgentsTransferResult)
    .mutation(({ ctx, input }) => transferAgents(ctx, input)),

  previewReactivate: procedureFor('offices:write')
    .meta(
      operation('PUT /offices/{id}/reactivate/preview', {
        summary: 'Try the reactivation of an office with its agents',
        description:
          'Changes nothing: answers how many agents a reactivation with `cascade` would bring back, and what would happen to the first ' +
          `${CHECKED_MAX} of them: what would change in the first five, and which could not be brought back, because they were changed ` +
          'since. Needs the scope `agents:write` too.',
        isLimited: true,
        errors: ['record_merged'],
      }),
    )
    .input(OneRecord)
    .output(BulkPreview)
    .mutation(({ ctx, input }) => previewReactivation(ctx, input)),

  restore,
  history,
  revert,
  bulk,
} satisfies TRPCRouterRecord;

import type { TRPCRouterRecord } from '@trpc/server';
import type { ErrorCode } from '../errors/error-codes.ts';
import { procedureFor, treeChangeProcedureFor } from '../trpc/procedure.ts';
import { importDefinitions } from './resources.ts';
import { ImportAnswer, importSchemas } from './schemas.ts';
import { importRecords } from './service.ts';

const tags = ['Imports'];
export const BODY_MAX_BYTES = 4 * 1024 * 1024;

/** What both have in common: managers import, the answer may be partial, and hundreds of records need room. */
const importing = { isPartial: true, bodyMaxBytes: BODY_MAX_BYTES, isManaged: true, isLimited: true };
const sharedErrorCodes: ErrorCode[] = [
  'idempotency_in_progress',
  'idempotency_key_reused',
  'not_found',
  'source_taken',
  'reference_not_found',
];

const description =
  'Creates, or with `upsert` changes by their sources, up to 500 records, each change with its event; with `match` those ' +
  'without a source by their e-mail addresses. All or nothing, ' +
  'or with `isAtomic: false` the valid ones: then 207 if some were rejected.';

export const importsRouter = {
  offices: treeChangeProcedureFor('offices:write')
    .meta({
      openapi: { method: 'POST', path: '/imports/offices', tags, summary: 'Import offices', description },
      ...importing,
      errors: [...sharedErrorCodes, 'office_cycle'],
    })
    .input(importSchemas.offices)
    .output(ImportAnswer)
    .mutation(({ ctx, input }) => importRecords(ctx, importDefinitions.offices, input)),

  agents: procedureFor('agents:write')
    .meta({
      openapi: { method: 'POST', path: '/imports/agents', tags, summary: 'Import agents', description },
      ...importing,
      errors: [...sharedErrorCodes, 'email_taken', 'office_inactive'],
    })
    .input(importSchemas.agents)
    .output(ImportAnswer)
    .mutation(({ ctx, input }) => importRecords(ctx, importDefinitions.agents, input)),
} satisfies TRPCRouterRecord;

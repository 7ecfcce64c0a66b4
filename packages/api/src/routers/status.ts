import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { procedureFor } from '../procedures/procedure.ts';
import { ServiceStatus } from '../status/schemas.ts';
import { operationsOf } from '../trpc/meta.ts';

const operation = operationsOf('Status');

/**
 * Not for callers that are limited to some offices: what waits and what runs is of the whole service, and would tell them of changes
 * elsewhere.
 */
export const statusRouter = {
  get: procedureFor('status:read')
    .meta(
      operation('GET /status', {
        summary: 'Read how the service is',
        description:
          'The servers that run, the database, and what waits: events without a position, deliveries, jobs and ' +
          'scheduled changes. Read at most once a second. For callers that are not limited to some offices.',
      }),
    )
    .input(z.strictObject({}))
    .output(ServiceStatus)
    .query(({ ctx }) => ctx.services.readStatus()),
} satisfies TRPCRouterRecord;

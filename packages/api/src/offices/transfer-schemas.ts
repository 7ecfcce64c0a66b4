import { z } from 'zod';
import { Office } from '../directory/offices/schemas.ts';
import { oneTime, scheduledInput } from '../engine/fields/effective-input.ts';
import { count, RecordId } from '../engine/fields/schemas.ts';
import { formatNumber } from '../errors/issue-text.ts';
import { Job } from '../jobs/schemas.ts';

/** More agents move in a job, because other changes of an agent wait for the transaction that moves it. */
export const AGENTS_OF_TRANSACTION = 1_000;

export const AgentsTransfer = z
  .strictObject({
    ...scheduledInput,
    toOfficeId: RecordId.meta({ description: 'ID of the office that all agents of this office move to' }),
  })
  .meta({
    ...oneTime,
    id: 'AgentsTransfer',
    description: 'The new office, with a reason and a time',
    example: { toOfficeId: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11', reason: 'The office closes' },
  });
export type AgentsTransfer = z.input<typeof AgentsTransfer>;

export const AgentsTransferResult = Office.extend({
  moved: count('Number of agents moved by this request, active and inactive; 0 with a job', 24),
  job: Job.optional().meta({
    description: `Job that moves the agents, if there are more than ${formatNumber(AGENTS_OF_TRANSACTION)}`,
  }),
}).meta({ id: 'AgentsTransferResult', description: 'An office whose agents moved, and their number' });
export type AgentsTransferResult = z.infer<typeof AgentsTransferResult>;

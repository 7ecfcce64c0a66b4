import { z } from 'zod';
import { answeredId } from './field.ts';

/** The maximum number of pending scheduled changes of one record. */
export const PENDING_MAX = 20;

const time = (description: string) =>
  z.string().meta({ description, example: '2026-02-01T00:00:00.000Z', format: 'date-time' });

export const ChangeKind = z.enum(['deactivate', 'reactivate', 'transfer', 'transfer_agents']).meta({
  id: 'ChangeKind',
  description: 'Which change: the operation of that name',
  example: 'transfer',
});
export type ChangeKind = z.infer<typeof ChangeKind>;

/** The fields of a scheduled change that a record and the list of scheduled changes share. */
export const scheduledChangeFields = {
  id: answeredId('The id of the scheduled change'),
  change: ChangeKind,
  effectiveAt: time('When it happens'),
  officeId: answeredId('Of a transfer: the new office; null of other changes').nullable(),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'The reason given with it', example: 'The office closes' }),
  scheduledBy: answeredId('The key that scheduled it'),
  scheduledAt: time('When it was scheduled'),
};

const PendingChange = z
  .strictObject(scheduledChangeFields)
  .meta({ id: 'PendingChange', description: 'A scheduled change that has not happened yet' });

/** The pending changes of a record: the server writes them. */
export const scheduledChanges = {
  output: z.array(PendingChange).meta({
    description: 'The changes that are scheduled, in the order of their times',
    maxItems: PENDING_MAX,
    example: [],
  }),
  storage: 'jsonb' as const,
};

import { z } from 'zod';
import { returnedId } from './field.ts';

export const PENDING_MAX = 20;

const time = (description: string) =>
  z.string().meta({ description, example: '2026-02-01T00:00:00.000Z', format: 'date-time' });

export const ChangeKind = z.enum(['deactivate', 'reactivate', 'transfer', 'transfer_agents', 'update']).meta({
  id: 'ChangeKind',
  description: 'Type of change: the operation with that name',
  example: 'transfer',
});
export type ChangeKind = z.infer<typeof ChangeKind>;

export const scheduledChangeFields = {
  id: returnedId('ID of the scheduled change'),
  change: ChangeKind,
  effectiveAt: time('When the change takes effect'),
  officeId: returnedId('ID of the new office for a transfer; otherwise `null`').nullable(),
  jobId: returnedId('ID of the bulk job that scheduled the change; `null` if there is none').nullable(),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'Reason given for the change', example: 'The office closes' }),
  scheduledBy: returnedId('ID of the key or person that scheduled the change'),
  scheduledAt: time('When the change was scheduled'),
};

const PendingChange = z
  .strictObject({
    ...scheduledChangeFields,
    fields: z.array(z.string()).meta({
      description: 'Names of the fields an update changes; otherwise empty',
      maxItems: 100,
      example: [],
    }),
  })
  .meta({ id: 'PendingChange', description: 'A pending scheduled change' });

export const scheduledChanges = {
  output: z.array(PendingChange).meta({
    description: 'Pending scheduled changes, earliest first',
    maxItems: PENDING_MAX,
    example: [],
  }),
  storage: 'jsonb' as const,
};

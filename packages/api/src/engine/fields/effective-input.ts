import { z } from 'zod';
import { Time, transitionInput } from './schemas.ts';

export const effectiveTime = {
  effectiveAt: Time.meta({
    description: 'When the change takes effect (RFC 3339). Defaults to now.',
    example: '2026-02-01T08:00:00Z',
  }).optional(),
  effectiveOn: z.iso
    .date()
    .meta({
      description:
        'Day on which the change takes effect, at 00:00 in the time zone of the office, or in UTC.',
      example: '2026-02-01',
    })
    .optional(),
};

export const scheduledInput = { ...transitionInput, ...effectiveTime };

export const oneTime = { dependentSchemas: { effectiveAt: { properties: { effectiveOn: false } } } };

export const StatusChange = z.strictObject(scheduledInput).meta({
  ...oneTime,
  id: 'StatusChange',
  description: 'Optional reason and time of the change',
  example: { reason: 'Moved to Porto' },
});

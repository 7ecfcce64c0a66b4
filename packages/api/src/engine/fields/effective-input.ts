import { z } from 'zod';
import { Time, transitionInput } from './schemas.ts';

/** When a change happens that can be scheduled. */
const effectiveTime = {
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

/** The input of every transition that can be scheduled. */
export const scheduledInput = { ...transitionInput, ...effectiveTime };

/** The rule of it for the document: one of the times. */
export const oneTime = { dependentSchemas: { effectiveAt: { properties: { effectiveOn: false } } } };

/** A change of the status, now or at a time. */
export const StatusChange = z.strictObject(scheduledInput).meta({
  ...oneTime,
  id: 'StatusChange',
  description: 'Optional reason and time of the change',
  example: { reason: 'Moved to Porto' },
});

import { z } from 'zod';
import { Time, transitionInput } from './schemas.ts';

/** When a change happens that can be scheduled. */
const effectiveTime = {
  effectiveAt: Time.meta({
    description: 'When it happens (RFC 3339); now unless given, and if the time has passed',
    example: '2026-02-01T08:00:00Z',
  }).optional(),
  effectiveOn: z.iso
    .date()
    .meta({
      description:
        'On which day it happens: at 00:00 in the time zone of the office concerned, or in UTC if there is none',
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
  description: 'Why, and when; may be left out',
  example: { reason: 'Moved to Porto' },
});

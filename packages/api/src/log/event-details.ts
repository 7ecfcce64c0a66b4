import { z } from 'zod';
import { license } from '../engine/fields/composite.ts';
import { returnedId } from '../engine/fields/field.ts';
import { returnedTime, versionNumber } from '../engine/fields/schemas.ts';

export const EventDetails = z
  .strictObject({
    fromOfficeId: returnedId(
      'For a transfer: ID of the previous office; `null` if the agent had none',
    ).nullable(),
    toOfficeId: returnedId(
      'For a transfer: ID of the new office; `null` if an undo leaves the agent without an office',
    ).nullable(),
    scheduledChangeId: returnedId('For a scheduled change: ID of the scheduled change'),
    scheduledBy: returnedId('For a scheduled change: ID of the key or person that scheduled it'),
    scheduledAt: returnedTime('For a scheduled change: when it was scheduled'),
    change: z.string().meta({
      description: 'For a scheduled change that failed: type of change',
      example: 'transfer',
    }),
    errorCode: z.string().meta({
      description: 'For a scheduled change that failed: error code',
      example: 'office_inactive',
    }),
    error: z.string().meta({
      description: 'For a scheduled change that failed: reason, as text',
      example: 'officeId is an inactive office.',
    }),
    revertedTo: versionNumber('For a revert: version whose values the record received', 1),
    bulkId: returnedId('For a bulk change: ID of the job'),
    cascadeOfficeId: returnedId('For a change by `cascade`: ID of the deactivated office'),
    cascadeVersion: versionNumber('For a change by `cascade`: version of the office at its deactivation', 2),
    undoesCascade: z.literal(true).meta({
      description: "Whether the change undoes the deactivation of the agent's office; otherwise absent",
      example: true,
    }),
    mergeId: returnedId('For a merge: ID of the merge, including for the references it moved'),
    mergedInto: returnedId(
      'For a merged record: ID of the record it was merged into. Absent if your access does not include it.',
    ),
    mergedFrom: returnedId(
      'For the remaining record: ID of the record merged into it. Absent if your access does not include it.',
    ),
    undoesMerge: z.literal(true).meta({
      description: 'Whether the change undoes a merge; otherwise absent',
      example: true,
    }),
    license: license.output.meta({ description: 'For an expiring licence: the licence' }),
    daysLeft: z.int().min(-365).max(365).meta({
      description: 'For an expiring licence: days until its last day, which is 0',
      example: 30,
    }),
  })
  .partial()
  .meta({
    id: 'EventDetails',
    description: 'Details of a change',
    example: { fromOfficeId: null, toOfficeId: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11' },
  });
export type EventDetails = z.infer<typeof EventDetails>;

import { z } from 'zod';
import { license } from '../fields/composite.ts';
import { answeredId } from '../fields/field.ts';
import { answeredTime, versionNumber } from '../fields/schemas.ts';

/** The details of an event beside the record; the kind of change decides which of them it has. */
export const EventDetails = z
  .strictObject({
    fromOfficeId: answeredId('Of a transfer: the previous office; null if the agent had none').nullable(),
    toOfficeId: answeredId(
      'Of a transfer: the new office; null if an undo leaves the agent without one',
    ).nullable(),
    scheduledChangeId: answeredId('Of a scheduled change: its id'),
    scheduledBy: answeredId('Of a scheduled change: the key that scheduled it'),
    scheduledAt: answeredTime('Of a scheduled change: when it was scheduled'),
    change: z.string().meta({
      description: 'Of a scheduled change that failed: which change',
      example: 'transfer',
    }),
    errorCode: z.string().meta({
      description: 'Of a scheduled change that failed: the error code',
      example: 'office_inactive',
    }),
    error: z.string().meta({
      description: 'Of a scheduled change that failed: why, in words',
      example: 'officeId names an inactive office.',
    }),
    revertedTo: versionNumber('Of a revert: the version whose values the record got', 1),
    bulkId: answeredId('Of a change of many records: the id of the job'),
    cascadeOfficeId: answeredId('Of a change of an agent by `cascade`: the office that was deactivated'),
    cascadeVersion: versionNumber(
      'Of a change of an agent by `cascade`: the version of the office by its deactivation',
      2,
    ),
    undoesCascade: z.literal(true).meta({
      description:
        'Of a change of an agent that takes back what the deactivation of the office did; else absent',
      example: true,
    }),
    mergeId: answeredId('Of a merge of two records, and of what moved with it: the id of the merge'),
    mergedInto: answeredId(
      'Of a record that was merged into another one: the ID of the survivor. Absent if your access does not include it',
    ),
    mergedFrom: answeredId(
      'Of the survivor of a merge: the ID of the record that was merged into it. Absent if your access does not include it',
    ),
    undoesMerge: z.literal(true).meta({
      description: 'Of a change that takes back what a merge did; else absent',
      example: true,
    }),
    license: license.output.meta({ description: 'Of a licence that expires soon: the licence' }),
    daysLeft: z.int().min(-365).max(365).meta({
      description: 'Of a licence that expires soon: the days until its last day, which is 0',
      example: 30,
    }),
  })
  .partial()
  .meta({
    id: 'EventDetails',
    description: 'What an event says of its change beside the record',
    example: { fromOfficeId: null, toOfficeId: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11' },
  });
export type EventDetails = z.infer<typeof EventDetails>;

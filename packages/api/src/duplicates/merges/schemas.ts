import { z } from 'zod';
import { resourceNames } from '../../directory.ts';
import type { ResourceTexts } from '../../engine/definition.ts';
import { count, RecordId, transitionInput, versioned } from '../../engine/fields/schemas.ts';

const FieldChoice = z.enum(['survivor', 'duplicate', 'both']).meta({
  id: 'MergeChoice',
  description:
    'Whose value stays. `both` unites lists and pairs, and adds to an address the parts that it lacks',
  example: 'duplicate',
});
export type FieldChoice = z.infer<typeof FieldChoice>;

export const Merge = z
  .strictObject({
    ...transitionInput,
    duplicateId: RecordId.meta({
      description: 'The record that is merged into this one, and then deleted',
      example: '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a',
    }),
    duplicateVersion: z
      .int32()
      .min(1)
      .meta({ description: 'Reject the merge if that record has another version', example: 2 })
      .optional(),
    fields: z
      .record(z.string().regex(/^\w{1,100}$/), FieldChoice)
      .meta({
        description:
          'Whose value stays, by field. In all other fields the survivor keeps its own value and gets the values that it lacks. Lists are ' +
          'united: an item that both have, such as a licence, is kept once with what both know of it. An address gets the parts that it lacks, ' +
          'unless the two addresses contradict each other',
        example: { phone: 'duplicate', metadata: 'both' },
      })
      .optional(),
    dryRun: z.boolean().default(false).meta({
      description: 'Check everything and answer the record that would result, but change nothing',
      example: true,
    }),
  })
  .meta({
    id: 'Merge',
    description: 'Which record is merged into this one, and whose values stay',
    example: { duplicateId: '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a', fields: { phone: 'duplicate' } },
  });
export type Merge = z.output<typeof Merge>;

const id = (description: string) =>
  z.string().meta({ description, example: '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a', format: 'uuid' });

/** The survivor of a merge. */
export function mergedOf<Shape extends z.ZodRawShape>(
  record: z.ZodObject<Shape, z.core.$strict>,
  { texts }: { texts: ResourceTexts },
) {
  return record
    .extend({
      mergeId: id('The id of the merge, which its events have too; of a dry run null').nullable(),
      duplicateId: id('The record that was merged into this one'),
      moved: z.record(z.string(), z.int32().min(0)).meta({
        description:
          'Number of records that referred to the duplicate and now refer to this one, by resource. Only records that you can see are counted',
        example: { agents: 3 },
      }),
    })
    .meta({ id: `Merged${texts.schema}`, description: 'The survivor of a merge' });
}

export const Unmerge = z
  .strictObject({
    id: versioned.id.meta({ description: 'The record that was merged into another one' }),
    reason: transitionInput.reason,
    dryRun: z.boolean().default(false).meta({
      description: 'Check everything and answer what would result, but change nothing',
      example: true,
    }),
  })
  .meta({ id: 'Unmerge', description: 'Why; may be left out', example: { reason: 'Two people' } });
export type Unmerge = z.output<typeof Unmerge>;

const MergeConflict = z
  .strictObject({
    resource: z.enum(resourceNames).meta({ description: 'The resource of the record', example: 'agents' }),
    id: id('The record that was changed since'),
    field: z
      .string()
      .nullable()
      .meta({ description: 'The field that stays as it is; null if the record is gone', example: 'phone' }),
  })
  .meta({ id: 'MergeConflict', description: 'What a merge has changed, and was changed again since' });
export type MergeConflict = z.infer<typeof MergeConflict>;

const NotReturned = z
  .strictObject({
    scheduledChanges: count(
      'How many scheduled changes stay where the merge has moved them: made or cancelled since',
      0,
    ),
    views: count('How many saved views go on with the id of the survivor: changed or deleted since', 0),
  })
  .meta({ id: 'NotReturned', description: 'What else a merge has moved, and stays where it is' });
export type NotReturned = z.infer<typeof NotReturned>;

/** A record that was merged into another one and is there again. */
export function unmergedOf<Shape extends z.ZodRawShape>(
  record: z.ZodObject<Shape, z.core.$strict>,
  { texts }: { texts: ResourceTexts },
) {
  return record
    .extend({
      survivorId: id('The record that it was merged into'),
      conflicts: z.array(MergeConflict).meta({
        description: 'What stays as it is, because it was changed since, in the records that you can see',
        maxItems: 100_000,
      }),
      notReturned: NotReturned,
    })
    .meta({ id: `Unmerged${texts.schema}`, description: 'A record whose merge was undone' });
}

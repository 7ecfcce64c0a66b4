import { z } from 'zod';
import { resourceNames } from '../../directory/registry.ts';
import type { ResourceTexts } from '../../engine/definition.ts';
import { count, RecordId, transitionInput, versioned } from '../../engine/fields/schemas.ts';

const FieldChoice = z.enum(['survivor', 'duplicate', 'both']).meta({
  id: 'MergeChoice',
  description:
    'Record whose value to keep. `both` combines lists and pairs, and fills in missing parts of an address',
  example: 'duplicate',
});
export type FieldChoice = z.infer<typeof FieldChoice>;

export const Merge = z
  .strictObject({
    ...transitionInput,
    duplicateId: RecordId.meta({
      description: 'ID of the record to merge into this one. That record is deleted.',
      example: '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a',
    }),
    duplicateVersion: z
      .int32()
      .min(1)
      .meta({
        description: 'Version of the duplicate you expect. The merge fails if the actual version differs.',
        example: 2,
      })
      .optional(),
    fields: z
      .record(z.string().regex(/^\w{1,100}$/), FieldChoice)
      .meta({
        description:
          'Record whose value to keep, by field. By default, this record keeps its values, fills gaps, and lists are combined.',
        example: { metadata: 'both' },
      })
      .optional(),
    dryRun: z.boolean().default(false).meta({
      description:
        'Set to `true` to preview the resulting record without changing anything. Defaults to `false`.',
      example: true,
    }),
  })
  .meta({
    id: 'Merge',
    description: 'The duplicate and the values to keep',
    example: { duplicateId: '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a', fields: { metadata: 'both' } },
  });
export type Merge = z.output<typeof Merge>;

const id = (description: string) =>
  z.string().meta({ description, example: '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a', format: 'uuid' });

export function mergedOf<Shape extends z.ZodRawShape>(
  record: z.ZodObject<Shape, z.core.$strict>,
  { texts }: { texts: ResourceTexts },
) {
  return record
    .extend({
      mergeId: id('ID of the merge, also used in its events; `null` for a preview').nullable(),
      duplicateId: id('ID of the record that was merged into this one'),
      moved: z.record(z.string(), z.int32().min(0)).meta({
        description:
          'Number of references moved from the duplicate to this record, by resource. Counts only records you can see.',
        example: { agents: 3 },
      }),
    })
    .meta({ id: `Merged${texts.schema}`, description: 'The record that remains after a merge' });
}

export const Unmerge = z
  .strictObject({
    id: versioned.id.meta({ description: 'ID of the record that was merged' }),
    reason: transitionInput.reason,
    dryRun: z.boolean().default(false).meta({
      description: 'Set to `true` to preview the result without changing anything. Defaults to `false`.',
      example: true,
    }),
  })
  .meta({ id: 'Unmerge', description: 'Optional reason for the change', example: { reason: 'Two people' } });
export type Unmerge = z.output<typeof Unmerge>;

const MergeConflict = z
  .strictObject({
    resource: z.enum(resourceNames).meta({ description: 'Resource of the record', example: 'agents' }),
    id: id('ID of the record that has changed since the merge'),
    field: z.string().nullable().meta({
      description: 'Field that keeps its current value; `null` if the record no longer exists',
      example: 'phone',
    }),
  })
  .meta({ id: 'MergeConflict', description: 'A value set by the merge that has changed since' });
export type MergeConflict = z.infer<typeof MergeConflict>;

const NotReturned = z
  .strictObject({
    scheduledChanges: count(
      'Number of scheduled changes that stay with this record because they were created or cancelled after the merge',
      0,
    ),
    views: count(
      'Number of saved views that keep the ID of this record because they were changed or deleted after the merge',
      0,
    ),
  })
  .meta({ id: 'NotReturned', description: 'Other references that stay with this record' });
export type NotReturned = z.infer<typeof NotReturned>;

export function unmergedOf<Shape extends z.ZodRawShape>(
  record: z.ZodObject<Shape, z.core.$strict>,
  { texts }: { texts: ResourceTexts },
) {
  return record
    .extend({
      survivorId: id('ID of the record it was merged into'),
      conflicts: z.array(MergeConflict).meta({
        description: 'Values that stay because they have changed since, in records you can see',
        maxItems: 100_000,
      }),
      notReturned: NotReturned,
    })
    .meta({ id: `Unmerged${texts.schema}`, description: 'A record whose merge was undone' });
}

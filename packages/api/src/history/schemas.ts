import { z } from 'zod';
import { resourceNames } from '../directory/registry.ts';
import type { ResourceDefinition } from '../engine/definition.ts';
import { withoutNul } from '../engine/fields/field.ts';
import { RecordId, transitionInput, versionNumber } from '../engine/fields/schemas.ts';
import { cursorParameter, LIMIT_MAX, limitParameter } from '../engine/list/parameters.ts';
import { eventFields } from '../log/schemas.ts';
import { RecordEventType } from '../log/types.ts';

const { subject: _, ...infoOfEvent } = eventFields;

const mergedRecord = z.strictObject({
  id: z.string().meta({
    description: 'ID of the record',
    example: '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a',
    format: 'uuid',
  }),
  name: z.string().nullable().meta({
    description: 'Current or last name of the record; `null` if no longer in the log',
    example: 'Ana Figueiredo',
  }),
});
export type MergedRecord = z.infer<typeof mergedRecord>;

const merge = z
  .strictObject({
    resource: z
      .enum(resourceNames)
      .meta({ description: 'Resource of both records', example: resourceNames[0] }),
    survivor: mergedRecord
      .nullable()
      .meta({ description: 'Record that remained; `null` if your access does not include it' }),
    duplicate: mergedRecord.nullable().meta({
      description:
        'Record that was merged, with the values the merge took; `null` if your access does not include it',
    }),
  })
  .meta({ id: 'MergeOfChange', description: 'The two records of a merge' });

const changeInfo = {
  ...infoOfEvent,
  position: eventFields.position.nullable().meta({
    description: 'Position of the event in the log; `null` until it has one',
    example: 4711,
  }),
  type: RecordEventType,
  actorName: z.string().nullable().meta({
    description: 'Name of the actor; `null` for the service and `ROSTER_ADMIN_KEY`, or if you cannot see it',
    example: 'Back office',
  }),
  merge: merge.nullable().meta({
    description: 'Merge this change belongs to or undoes (`details.undoesMerge`); otherwise `null`',
  }),
};
const ChangeInfo = z.strictObject(changeInfo);
export type ChangeInfo = z.infer<typeof ChangeInfo>;

const fieldPath = {
  description: 'Field. Parts of an object follow a dot: `address.city`, `metadata.costCentre`',
  example: 'phone',
};

export const FieldChange = z
  .strictObject({
    field: z.string().meta(fieldPath),
    before: z
      .unknown()
      .meta({ description: 'Value before the change; `null` if none', example: '+351 210 000 042' }),
    after: z
      .unknown()
      .meta({ description: 'Value after the change; `null` if none', example: '+351 210 000 043' }),
  })
  .meta({ id: 'FieldChange', description: 'A field with its value before and after a change' });
export type FieldChange = z.infer<typeof FieldChange>;

/** More than a record has fields and parts. */
export const CHANGES_MAX = 1_000;

const changes = (description: string) => z.array(FieldChange).meta({ description, maxItems: CHANGES_MAX });

export const RecordChange = z
  .strictObject({
    ...changeInfo,
    changes: changes(
      'Changed fields, without the ID, version and times. All fields for created records; none for deleted or restored ones',
    ),
  })
  .meta({ id: 'RecordChange', description: 'A change to a record' });
export type RecordChange = z.infer<typeof RecordChange>;

export const HistoryQuery = z.strictObject({
  id: RecordId,
  limit: limitParameter,
  cursor: cursorParameter.meta({
    description: 'The `nextCursor` of a previous page',
    pattern: '^[\\w-]+$',
  }),
  direction: z
    .literal('forward')
    .meta({ description: 'Sent by infinite queries in tRPC. Pages go back in time.', example: 'forward' })
    .optional(),
});

export const HistoryPage = z
  .strictObject({
    items: z.array(RecordChange).meta({ description: 'Changes, newest first', maxItems: LIMIT_MAX }),
    nextCursor: z
      .string()
      .optional()
      .meta({ description: 'Cursor of older changes; absent on the last page' }),
  })
  .meta({ id: 'HistoryPage', description: 'A page of the history of a record' });
export type HistoryPage = z.infer<typeof HistoryPage>;

export const REVERT_FIELDS_MAX = 100;

export const Revert = z
  .strictObject({
    ...transitionInput,
    toVersion: versionNumber('Version whose values the record receives', 1),
    fields: z
      .array(
        z
          .string()
          .min(1)
          .max(100)
          .meta({ ...fieldPath, pattern: withoutNul }),
      )
      .min(1)
      .max(REVERT_FIELDS_MAX)
      .meta({
        description: 'Fields to revert. Defaults to all writable fields.',
        example: ['phone', 'address.city'],
        maxItems: REVERT_FIELDS_MAX,
      })
      .optional(),
    keepChangesAfter: versionNumber(
      'Keep fields that have changed after this version. To undo one change, set `toVersion` to the version before.',
      2,
    ).optional(),
    dryRun: z.boolean().default(false).meta({
      description: 'Set to `true` to preview the changes without making them. Defaults to `false`.',
      example: true,
    }),
  })
  .meta({
    id: 'Revert',
    description: 'Version to revert to',
    example: { toVersion: 1, fields: ['metadata'], reason: 'It was right' },
  });
export type Revert = z.input<typeof Revert>;

const reverted = {
  changes: changes('Fields the revert changed, or would change with `dryRun`'),
  notReverted: changes(
    'Fields that keep their current value, `before`: `status`, `scheduledChanges`, and with `keepChangesAfter` the ' +
      'fields changed since.',
  ),
};

export function revertedOf<Shape extends z.ZodRawShape>(
  record: z.ZodObject<Shape, z.core.$strict>,
  { table, texts }: Pick<ResourceDefinition, 'table' | 'texts'>,
) {
  return record.extend(reverted).meta({
    id: `Reverted${texts.schema}`,
    description: `The ${table} after the call, and the fields the revert changed`,
  });
}

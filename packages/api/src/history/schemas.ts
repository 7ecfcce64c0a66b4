import { z } from 'zod';
import { resourceNames } from '../directory.ts';
import type { ResourceDefinition } from '../engine/definition.ts';
import { withoutNul } from '../engine/fields/field.ts';
import { RecordId, transitionInput, versionNumber } from '../engine/fields/schemas.ts';
import { cursorParameter, LIMIT_MAX, limitParameter } from '../engine/list/parameters.ts';
import { eventFields } from '../events/log/schemas.ts';
import { RecordEventType } from '../events/log/types.ts';

const { subject: _, ...infoOfEvent } = eventFields;

const mergedRecord = z.strictObject({
  id: z.string().meta({
    description: 'Its id',
    example: '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a',
    format: 'uuid',
  }),
  name: z.string().nullable().meta({
    description: 'Its name, as it is or was last; null if the log no longer has it',
    example: 'Ana Figueiredo',
  }),
});
export type MergedRecord = z.infer<typeof mergedRecord>;

const merge = z
  .strictObject({
    resource: z.enum(resourceNames).meta({ description: 'The resource of both', example: resourceNames[0] }),
    survivor: mergedRecord
      .nullable()
      .meta({ description: 'The record that stayed; null for a caller who may not see it' }),
    duplicate: mergedRecord.nullable().meta({
      description:
        'The record that was merged into it, whose values are those that the merge gave the survivor; null for a caller who may not see it',
    }),
  })
  .meta({ id: 'MergeOfChange', description: 'The two records of a merge' });

/** The actor, the time and the reason of a change: the fields of its event but the states of the record. */
const changeInfo = {
  ...infoOfEvent,
  position: eventFields.position.nullable().meta({
    description: 'The position of its event in the log; null in the moment before it has one',
    example: 4711,
  }),
  type: RecordEventType,
  actorName: z.string().nullable().meta({
    description:
      'The name of the actor; null for the service itself and ROSTER_ADMIN_KEY, and for callers that may not read it',
    example: 'Back office',
  }),
  merge: merge.nullable().meta({
    description: 'The merge that it is part of, or takes back (`details.undoesMerge`); null without one',
  }),
};
const ChangeInfo = z.strictObject(changeInfo);
export type ChangeInfo = z.infer<typeof ChangeInfo>;

const fieldPath = {
  description: 'The field; a part of an object follows a dot: `address.city`, `metadata.costCentre`',
  example: 'phone',
};

export const FieldChange = z
  .strictObject({
    field: z.string().meta(fieldPath),
    before: z
      .unknown()
      .meta({ description: 'The value before; null without one', example: '+351 210 000 042' }),
    after: z
      .unknown()
      .meta({ description: 'The value after; null without one', example: '+351 210 000 043' }),
  })
  .meta({ id: 'FieldChange', description: 'A field with its value before and after a change' });
export type FieldChange = z.infer<typeof FieldChange>;

/** More than a record has fields and parts of fields. */
export const CHANGES_MAX = 1_000;

const changes = (description: string) => z.array(FieldChange).meta({ description, maxItems: CHANGES_MAX });

export const RecordChange = z
  .strictObject({
    ...changeInfo,
    changes: changes(
      'What changed, without the id, the version and the times that the service sets; of a created record every field ' +
        'that has a value, of a deleted or restored one nothing',
    ),
  })
  .meta({ id: 'RecordChange', description: 'One change of a record' });
export type RecordChange = z.infer<typeof RecordChange>;

export const HistoryQuery = z.strictObject({
  id: RecordId,
  limit: limitParameter,
  cursor: cursorParameter.meta({
    description: 'Where to go on: `nextCursor` of the page before',
    pattern: '^[\\w-]+$',
  }),
  direction: z
    .literal('forward')
    .meta({ description: 'Pages go back in time; sent by the infinite queries of tRPC', example: 'forward' })
    .optional(),
});

export const HistoryPage = z
  .strictObject({
    items: z.array(RecordChange).meta({ description: 'Changes, newest first', maxItems: LIMIT_MAX }),
    nextCursor: z
      .string()
      .optional()
      .meta({ description: 'The way to older changes; absent on the last page' }),
  })
  .meta({ id: 'HistoryPage', description: 'One page of the history of a record' });
export type HistoryPage = z.infer<typeof HistoryPage>;

export const REVERT_FIELDS_MAX = 100;

export const Revert = z
  .strictObject({
    ...transitionInput,
    toVersion: versionNumber('The version whose values the record gets', 1),
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
        description: 'Revert these fields alone; without it all that callers can write',
        example: ['phone', 'address.city'],
        maxItems: REVERT_FIELDS_MAX,
      })
      .optional(),
    keepChangesAfter: versionNumber(
      'Keep the fields that have changed after this version. With `toVersion` as the version before it, the revert undoes this one change.',
      2,
    ).optional(),
    dryRun: z.boolean().default(false).meta({
      description: 'Check everything and answer what would change, but change nothing',
      example: true,
    }),
  })
  .meta({
    id: 'Revert',
    description: 'Which version to go back to',
    example: { toVersion: 1, fields: ['phone'], reason: 'The number was right' },
  });
export type Revert = z.input<typeof Revert>;

/** The fields that the answer of a revert has beside the record. */
const reverted = {
  changes: changes('What the revert changed; with `dryRun` what it would change'),
  notReverted: changes(
    'Fields that differ from that version and are kept: `status`, which deactivate and reactivate change, `scheduledChanges`, ' +
      'which you can cancel, and with `keepChangesAfter` the fields that have changed since. `before` is the current value.',
  ),
};

/** The answer of a revert: the record after it, and what it changed. */
export function revertedOf<Shape extends z.ZodRawShape>(
  record: z.ZodObject<Shape, z.core.$strict>,
  { table, texts }: Pick<ResourceDefinition, 'table' | 'texts'>,
) {
  return record.extend(reverted).meta({
    id: `Reverted${texts.schema}`,
    description: `The ${table} after the call, and what the revert changed`,
  });
}

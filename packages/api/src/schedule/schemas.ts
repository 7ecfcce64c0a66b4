import { z } from 'zod';
import { resourceNames } from '../directory/registry.ts';
import { Actor } from '../engine/actor.ts';
import { returnedId } from '../engine/fields/field.ts';
import { timeFilter } from '../engine/fields/relative-time.ts';
import { ChangeKind, scheduledChangeFields } from '../engine/fields/scheduled-changes.ts';
import { RecordId } from '../engine/fields/schemas.ts';
import { pageOf, pageQuery, repeated, sortDocs } from '../engine/list/parameters.ts';

const Resource = z
  .enum(resourceNames)
  .meta({ id: 'ScheduledResource', description: 'Resource of the record', example: 'agents' });

const ScheduledChangeStatus = z.enum(['pending', 'done', 'failed', 'cancelled']).meta({
  id: 'ScheduledChangeStatus',
  description:
    '`pending` until its time, then `done` or `failed`; `cancelled` by a request or because the record was deleted',
  example: 'pending',
});

const { id, ...fields } = scheduledChangeFields;

export const ScheduledChange = z
  .strictObject({
    id,
    resource: Resource,
    subject: returnedId('ID of the record to change', '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a'),
    ...fields,
    patch: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'Fields an update changes, as JSON Merge Patch; otherwise `null`',
      example: null,
    }),
    actor: Actor.nullable().meta({
      description:
        'Key or person that scheduled the change, with its current name if you can see it; `null` for deleted people',
    }),
    cascade: z.boolean().meta({
      description: 'Whether the active agents of an office are deactivated too',
      example: false,
    }),
    status: ScheduledChangeStatus,
    finishedAt: z.string().nullable().meta({
      description: 'When the change finished: done, failed or cancelled; `null` while pending',
      example: '2026-02-01T00:00:00.412Z',
      format: 'date-time',
    }),
    errorCode: z
      .string()
      .nullable()
      .meta({ description: 'Error code if the change failed; otherwise `null`', example: 'office_inactive' }),
    error: z.string().nullable().meta({
      description: 'Error message if the change failed; otherwise `null`',
      example: 'officeId is an inactive office.',
    }),
  })
  .meta({ id: 'ScheduledChange', description: 'A change to a record at a later time' });
export type ScheduledChange = z.infer<typeof ScheduledChange>;

export const ScheduledChangeQuery = z.strictObject({
  ...pageQuery,
  sort: z
    .enum(['effectiveAt', '-effectiveAt', 'scheduledAt', '-scheduledAt'])
    .default('effectiveAt')
    .meta({ ...sortDocs, example: '-scheduledAt' }),
  subject: repeated(RecordId, { description: 'Filter by record' }),
  resource: repeated(Resource, { description: 'Filter by resource', example: 'agents' }),
  officeId: repeated(RecordId, { description: 'Filter by new office of a transfer' }),
  jobId: repeated(RecordId, { description: 'Filter by the bulk job that scheduled the changes' }),
  status: repeated(ScheduledChangeStatus, {
    description: 'Filter by status. Defaults to all.',
    example: 'pending',
  }),
  change: repeated(ChangeKind, { description: 'Filter by type of change', example: 'transfer' }),
  effectiveSince: timeFilter('Filter by time: at or after this time'),
  effectiveBefore: timeFilter('Filter by time: before this time'),
});
export type ScheduledChangeQuery = z.input<typeof ScheduledChangeQuery>;

export const ScheduledChangePage = pageOf(ScheduledChange, 'ScheduledChangePage');

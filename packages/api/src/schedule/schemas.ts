import { z } from 'zod';
import { resourceNames } from '../directory.ts';
import { Actor } from '../engine/actor.ts';
import { answeredId } from '../engine/fields/field.ts';
import { timeFilter } from '../engine/fields/relative-time.ts';
import { ChangeKind, scheduledChangeFields } from '../engine/fields/scheduled-changes.ts';
import { RecordId } from '../engine/fields/schemas.ts';
import { pageOf, pageQuery, repeated, sortDocs } from '../engine/list/parameters.ts';

const Resource = z
  .enum(resourceNames)
  .meta({ id: 'ScheduledResource', description: 'Of which resource the record is', example: 'agents' });

const ScheduledChangeStatus = z.enum(['pending', 'done', 'failed', 'cancelled']).meta({
  id: 'ScheduledChangeStatus',
  description:
    'Pending until its time; then done, or failed if a rule forbids it by then; cancelled by a caller, or because the record ' +
    'was deleted',
  example: 'pending',
});

const { id, ...fields } = scheduledChangeFields;

export const ScheduledChange = z
  .strictObject({
    id,
    resource: Resource,
    subject: answeredId('The id of the record that it changes', '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a'),
    ...fields,
    actor: Actor.nullable().meta({
      description:
        'Who scheduled it, with the current name for callers that may read it; null for a person who was deleted',
    }),
    cascade: z.boolean().meta({
      description: 'Whether the active agents of an office are deactivated with it',
      example: false,
    }),
    status: ScheduledChangeStatus,
    finishedAt: z.string().nullable().meta({
      description: 'When it was done, failed or was cancelled; null while it is pending',
      example: '2026-02-01T00:00:00.412Z',
      format: 'date-time',
    }),
    errorCode: z
      .string()
      .nullable()
      .meta({ description: 'Why it failed: the error code; else null', example: 'office_inactive' }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'The same in words', example: 'officeId names an inactive office.' }),
  })
  .meta({ id: 'ScheduledChange', description: 'A change of an office or an agent that happens at a time' });
export type ScheduledChange = z.infer<typeof ScheduledChange>;

export const ScheduledChangeQuery = z.strictObject({
  ...pageQuery,
  sort: z
    .enum(['effectiveAt', '-effectiveAt', 'scheduledAt', '-scheduledAt'])
    .default('effectiveAt')
    .meta({ ...sortDocs, example: '-scheduledAt' }),
  subject: repeated(RecordId, { description: 'The changes of this record' }),
  resource: repeated(Resource, { description: 'The changes of offices, or of agents', example: 'agents' }),
  officeId: repeated(RecordId, { description: 'The transfers to this office' }),
  status: repeated(ScheduledChangeStatus, {
    description: 'Without it every status is listed',
    example: 'pending',
  }),
  change: repeated(ChangeKind, { description: 'Which change', example: 'transfer' }),
  effectiveSince: timeFilter('Happens at this time or later'),
  effectiveBefore: timeFilter('Happens before this time'),
});
export type ScheduledChangeQuery = z.input<typeof ScheduledChangeQuery>;

export const ScheduledChangePage = pageOf(ScheduledChange, 'ScheduledChangePage');

import { z } from 'zod';
import { CreatedBy } from '../access/actors.ts';
import { resourceNames } from '../directory/registry.ts';
import { idDocs, text } from '../engine/fields/field.ts';
import { count, RecordId, returnedTime } from '../engine/fields/schemas.ts';
import { pageOf, pageQuery, repeated, SORT_DEFAULT, sortDocs } from '../engine/list/parameters.ts';
import { ErrorCodeName } from '../errors/roster-error.ts';

export const RECORDS_MAX = 1_000_000;
/** The rest is at `/jobs/{id}/errors`. */
export const JOB_ERRORS_MAX = 10;

export const JobFailure = z
  .strictObject({
    code: ErrorCodeName.meta({ description: 'Error code', example: 'internal' }),
    detail: z.string().meta({
      description: 'Failed batch, and where to find details',
      example: 'Batch 3 of 7 failed. The log of the server names the job with the error.',
    }),
  })
  .meta({ id: 'JobFailure', description: 'Reason a job failed' });
export type JobFailure = z.infer<typeof JobFailure>;

export const JobResource = z.enum(resourceNames).meta({
  id: 'JobResource',
  description: 'Resource of the records the job changes',
  example: 'agents',
});
export type JobResource = z.infer<typeof JobResource>;

export const JobStatus = z
  .enum(['queued', 'running', 'completed', 'completed_with_errors', 'failed', 'cancelled'])
  .meta({
    id: 'JobStatus',
    description:
      'Status of the job. `completed_with_errors` means that some records were rejected or only partly changed',
    example: 'running',
  });
export type JobStatus = z.infer<typeof JobStatus>;

const FieldConflict = z
  .strictObject({
    field: z.string().meta({
      description: 'Field. Parts of an object follow a dot: `address.city`',
      example: 'title',
    }),
    // Client types have unknown values as optional.
    previous: z
      .unknown()
      .optional()
      .meta({ description: 'Value before the change that is undone', example: 'Agent' }),
    set: z.unknown().optional().meta({ description: 'Value set by the change', example: 'Consultant' }),
    current: z.unknown().optional().meta({ description: 'Current value, which is kept', example: 'Broker' }),
  })
  .meta({ id: 'FieldConflict', description: 'A field that an undo keeps because it has changed since' });

const CONFLICTS_MAX = 1_000;

export const JobError = z
  .strictObject({
    id: z.string().meta(idDocs('ID of the record')),
    code: ErrorCodeName.meta({ description: 'Error code', example: 'email_taken' }),
    detail: z.string().meta({
      description: 'Reason the record, or some of its fields, could not be changed',
      example: 'email is already in use by another agent.',
    }),
    fields: z.array(FieldConflict).meta({
      description: 'Fields the undo keeps; empty if the error is about the whole record',
      maxItems: CONFLICTS_MAX,
    }),
  })
  .meta({
    id: 'JobError',
    description: 'Reason a bulk change did not change a record, or some of its fields',
  });
export type JobError = z.infer<typeof JobError>;

export const Job = z
  .strictObject({
    id: z.string().meta(idDocs('ID of the job, also the `bulkId` in the details of its events')),
    resource: JobResource,
    status: JobStatus,
    filter: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description: 'Filter that selected the records; `null` for an undo',
        example: { officeId: ['01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11'] },
      }),
    change: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description:
          'Change made to each record; `null` for an undo. For an import, `step` is `check` or `write`.',
        example: { type: 'deactivate' },
      }),
    undoes: z.string().nullable().meta(idDocs('ID of the job this job undoes; `null` if none')),
    undoneBy: z.string().nullable().meta(idDocs('ID of the latest job that undoes this one; `null` if none')),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Reason stored in the events', example: 'Moved to Porto' }),
    total: count('Number of records in the job, fixed when the job is accepted', 1207),
    processed: count('Number of processed records: changed, unchanged or rejected', 500),
    changed: count('Number of changed records, each with one event', 497),
    partlyChanged: count(
      'Number of partly changed records, which kept fields that had changed since. Only applies to an undo.',
      0,
    ),
    unchanged: count('Number of records that already had these values', 2),
    rejected: count('Number of records that could not be changed', 1),
    errors: z.array(JobError).meta({
      description: `First ${JOB_ERRORS_MAX} records that were rejected or partly changed. See all at \`/jobs/{id}/errors\`.`,
      maxItems: JOB_ERRORS_MAX,
    }),
    failure: JobFailure.nullable().meta({
      description: 'Reason the job failed; `null` if it did not. Earlier batches are kept.',
    }),
    createdAt: returnedTime('When the job was accepted'),
    createdBy: CreatedBy,
    startedAt: returnedTime('When the first records were changed; `null` while queued').nullable(),
    finishedAt: returnedTime('When the job ended; `null` until then').nullable(),
  })
  .meta({ id: 'Job', description: 'A change to many records that runs in the background' });
export type Job = z.infer<typeof Job>;

const jobSort = z
  .enum(['createdAt', '-createdAt'])
  .default(SORT_DEFAULT)
  .meta({ ...sortDocs, example: 'createdAt' });

export const JobQuery = z.strictObject({
  ...pageQuery,
  sort: jobSort,
  status: repeated(JobStatus, { description: 'Filter by status', example: 'running' }),
  resource: repeated(JobResource, {
    description: 'Filter by resource. Defaults to the resources you can read.',
    example: 'agents',
  }),
});
export type JobQuery = z.output<typeof JobQuery>;
export const JobPage = pageOf(Job, 'JobPage');

export const JobErrorQuery = z.strictObject({ id: RecordId, ...pageQuery });
export type JobErrorQuery = z.output<typeof JobErrorQuery>;
export const JobErrorPage = pageOf(JobError, 'JobErrorPage');

export const reason = text(
  { lengthMax: 500 },
  {
    description:
      'Reason for the change, stored in its events. For deactivations, also the `statusReason` while inactive.',
    example: 'Moved to Porto',
  },
).input.optional();

export const JobUndo = z.strictObject({ id: RecordId, reason }).meta({
  id: 'JobUndo',
  description: 'Optional reason for the change',
  example: { reason: 'The wrong filter' },
});

import { z } from 'zod';
import { resourceNames } from '../directory.ts';
import { idDocs, text } from '../engine/fields/field.ts';
import { answeredTime, count, RecordId } from '../engine/fields/schemas.ts';
import { pageOf, pageQuery, repeated, SORT_DEFAULT, sortDocs } from '../engine/list/parameters.ts';
import { ErrorCodeName } from '../errors/roster-error.ts';
import { CreatedBy } from '../identity/keys/schemas.ts';

/** The most records that one job changes. */
export const RECORDS_MAX = 1_000_000;
/** The errors that a job shows itself; the rest is at `/jobs/{id}/errors`. */
export const JOB_ERRORS_MAX = 10;

/** The failure that ended a job. */
export const JobFailure = z
  .strictObject({
    code: ErrorCodeName.meta({ description: 'The error code', example: 'internal' }),
    detail: z.string().meta({
      description: 'Which batch it was, and where to look',
      example: 'Batch 3 of 7 failed. The log of the server names the job with the error.',
    }),
  })
  .meta({ id: 'JobFailure', description: 'Why a job has failed' });
export type JobFailure = z.infer<typeof JobFailure>;

export const JobResource = z.enum(resourceNames).meta({
  id: 'JobResource',
  description: 'The resource whose records a job changes',
  example: 'agents',
});
export type JobResource = z.infer<typeof JobResource>;

export const JobStatus = z
  .enum(['queued', 'running', 'completed', 'completed_with_errors', 'failed', 'cancelled'])
  .meta({
    id: 'JobStatus',
    description:
      'Queued until its first records are done, then running. Completed if every record was changed or had the values already, with ' +
      'errors if some were rejected or only partly changed; failed if an internal error ended it; cancelled by a caller',
    example: 'running',
  });
export type JobStatus = z.infer<typeof JobStatus>;

const FieldConflict = z
  .strictObject({
    field: z.string().meta({
      description: 'The field. A part of an object follows a dot, such as `address.city`',
      example: 'title',
    }),
    // The types of clients have an unknown value as one that may be absent.
    previous: z
      .unknown()
      .optional()
      .meta({ description: 'The value before the change that is undone', example: 'Agent' }),
    set: z.unknown().optional().meta({ description: 'The value that the change set', example: 'Consultant' }),
    current: z
      .unknown()
      .optional()
      .meta({ description: 'The current value, which is kept', example: 'Broker' }),
  })
  .meta({ id: 'FieldConflict', description: 'A field that an undo keeps, because it has changed since' });

/** More than a record has fields and parts of fields. */
const CONFLICTS_MAX = 1_000;

export const JobError = z
  .strictObject({
    id: z.string().meta(idDocs('The id of the record')),
    code: ErrorCodeName.meta({ description: 'The error code', example: 'email_taken' }),
    detail: z.string().meta({
      description: 'Why the record, or some of its fields, could not be changed',
      example: 'email is the e-mail address of another agent.',
    }),
    fields: z.array(FieldConflict).meta({
      description: 'The fields that an undo keeps. Empty if the error is about the whole record.',
      maxItems: CONFLICTS_MAX,
    }),
  })
  .meta({
    id: 'JobError',
    description: 'Why a change of many records did not change a record, or some of its fields',
  });
export type JobError = z.infer<typeof JobError>;

export const Job = z
  .strictObject({
    id: z.string().meta(idDocs('Assigned by the server; the `bulkId` in the details of its events')),
    resource: JobResource,
    status: JobStatus,
    filter: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description: 'The filter that selected the records; null if it undoes another job',
        example: { officeId: ['01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11'] },
      }),
    change: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description:
          'What is done to each record; null if it undoes another job. For an import `step` is `check` while nothing has been written, then `write`',
        example: { type: 'deactivate' },
      }),
    undoes: z.string().nullable().meta(idDocs('The job that it undoes; null if it undoes none')),
    undoneBy: z.string().nullable().meta(idDocs('The latest job that undoes it; null if there is none')),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'The reason that its events have', example: 'Moved to Porto' }),
    total: count('The records that it is about, fixed when it was accepted', 1207),
    processed: count('The records that are done: changed, unchanged or rejected', 500),
    changed: count('The records that it has changed, each with one event', 497),
    partlyChanged: count(
      'How many of the changed records kept some fields, because these have changed since. Only an undo changes records in part.',
      0,
    ),
    unchanged: count('The records that had the values already', 2),
    rejected: count('The records that could not be changed', 1),
    errors: z.array(JobError).meta({
      description: `The first ${JOB_ERRORS_MAX} records that were rejected or only partly changed; all are at \`/jobs/{id}/errors\``,
      maxItems: JOB_ERRORS_MAX,
    }),
    failure: JobFailure.nullable().meta({
      description: 'Why it has failed: the batches before stay done; null if it has not',
    }),
    createdAt: answeredTime('When it was accepted'),
    createdBy: CreatedBy,
    startedAt: answeredTime('When the first records were changed; null while it is queued').nullable(),
    finishedAt: answeredTime('When it ended; null until then').nullable(),
  })
  .meta({ id: 'Job', description: 'A change of many records, which runs in the background' });
export type Job = z.infer<typeof Job>;

const jobSort = z
  .enum(['createdAt', '-createdAt'])
  .default(SORT_DEFAULT)
  .meta({ ...sortDocs, example: 'createdAt' });

export const JobQuery = z.strictObject({
  ...pageQuery,
  sort: jobSort,
  status: repeated(JobStatus, { description: 'Only jobs with this status', example: 'running' }),
  resource: repeated(JobResource, {
    description: 'Only jobs of this resource; without it, of those that the key may read',
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
      'Why; kept in the events, and of deactivations as statusReason until a record is active again',
    example: 'Moved to Porto',
  },
).input.optional();

export const JobUndo = z
  .strictObject({ id: RecordId, reason })
  .meta({ id: 'JobUndo', description: 'Why; may be left out', example: { reason: 'The wrong filter' } });

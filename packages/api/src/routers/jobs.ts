import type { TRPCRouterRecord } from '@trpc/server';
import { readScopes, writeScopes } from '../access/scopes.ts';
import { BulkPreview } from '../jobs/bulk-schemas.ts';
import { Job, JobErrorPage, JobErrorQuery, JobPage, JobQuery, JobUndo, OneJob } from '../jobs/schemas.ts';
import { cancelJob, getJob, listJobErrors, listJobs, previewUndo, undoJob } from '../jobs/service.ts';
import { procedureFor } from '../procedures/procedure.ts';

const managed = { isManaged: true, isLimited: true };
// The scope is that of the job's resource, which the service checks.
const readProcedure = procedureFor(...readScopes).meta(managed);
const writeProcedure = procedureFor(...writeScopes).meta(managed);
const tags = ['Jobs'];

export const jobsRouter = {
  list: readProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/jobs',
        tags,
        summary: 'List jobs',
        description:
          'One page of the changes of many records, of the resources that the key may read: those that run and those that have ended.',
      },
      errors: ['invalid_cursor', 'cursor_mismatch'],
    })
    .input(JobQuery)
    .output(JobPage)
    .query(({ ctx, input }) => listJobs(ctx, input)),

  get: readProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/jobs/{id}',
        tags,
        summary: 'Read one job',
        description:
          'The job with its progress. A job that has ended is kept for 30 days after it was accepted.',
      },
      errors: ['not_found'],
    })
    .input(OneJob)
    .output(Job)
    .query(({ ctx, input }) => getJob(ctx, input.id)),

  errors: readProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/jobs/{id}/errors',
        tags,
        summary: 'List the errors of a job',
        description: 'One page of the records that the job could not change, each with the reason.',
      },
      errors: ['not_found', 'invalid_cursor', 'cursor_mismatch'],
    })
    .input(JobErrorQuery)
    .output(JobErrorPage)
    .query(({ ctx, input }) => listJobErrors(ctx, input)),

  cancel: writeProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/jobs/{id}/cancel',
        tags,
        summary: 'Cancel a job',
        description:
          'No further records are changed; those that were stay changed, and the job can be undone. A job that has ended is answered as it is.',
      },
      errors: ['not_found'],
    })
    .input(OneJob)
    .output(Job)
    .mutation(({ ctx, input }) => cancelJob(ctx, input.id)),

  previewUndo: writeProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/jobs/{id}/undo/preview',
        tags,
        summary: 'Try the undo of a job',
        description:
          'Changes nothing: answers how many records the undo of the job, or of the import with this id, would put back, and what would ' +
          'happen to the first 500 of them, the last changed first: what would change in the first five, and what could not be undone, ' +
          'because it was changed since.',
      },
      errors: ['not_found', 'job_not_finished'],
    })
    .input(OneJob)
    .output(BulkPreview)
    .mutation(({ ctx, input }) => previewUndo(ctx, input.id)),

  undo: writeProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/jobs/{id}/undo',
        tags,
        summary: 'Undo a job',
        description:
          'Answers a new job, which reverts the records that the job has changed and nobody has changed since; the others ' +
          'are its errors. Repeated, it answers the same job, unless that was cancelled or has failed.',
      },
      errors: ['not_found', 'job_not_finished', 'limit_reached'],
    })
    .input(JobUndo)
    .output(Job)
    .mutation(({ ctx, input }) => undoJob(ctx, input)),
} satisfies TRPCRouterRecord;

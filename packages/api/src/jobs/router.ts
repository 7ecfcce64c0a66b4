import { resourceNames } from '../directory.ts';
import { OneRecord } from '../engine/fields/schemas.ts';
import { readScopes, writeScopes } from '../identity/access/scopes.ts';
import type { RecordCollaborators } from '../records/settings.ts';
import type { Given } from '../trpc/given.ts';
import { type OperationExample, operationsOf } from '../trpc/meta.ts';
import { procedureFor } from '../trpc/procedure.ts';
import { BulkPreview } from './bulk-schemas.ts';
import { Job, JobErrorPage, JobErrorQuery, JobPage, JobQuery, JobUndo } from './schemas.ts';
import { cancelJob, getJob, listJobErrors, listJobs, previewUndo, undoJob } from './service.ts';

/** A job that has changed no record, and has ended: only then it can be undone. */
const example: OperationExample = {
  requests: [
    {
      method: 'POST',
      path: `/${resourceNames[0]}/bulk`,
      body: {
        filter: { mlsId: ['example'], status: ['inactive'] },
        change: { type: 'reactivate' },
        expectedCount: 0,
      },
    },
    { method: 'GET', path: '/jobs/{1/id}', until: '/finishedAt' },
  ],
};

const managed = { isManaged: true, isLimited: true, example };
// The scope is that of the job's resource, which the service checks.
const readProcedure = procedureFor(...readScopes).meta(managed);
const writeProcedure = procedureFor(...writeScopes).meta(managed);
const operation = operationsOf('Jobs');

export const jobsRouter = (settings: Given<RecordCollaborators>) => ({
  list: readProcedure
    .meta(
      operation('GET /jobs', {
        summary: 'List jobs',
        description:
          'One page of the changes of many records, of the resources that the key may read: those that run and those that have ended.',
      }),
    )
    .input(JobQuery)
    .output(JobPage)
    .query(({ ctx, input }) => listJobs(ctx, input)),

  get: readProcedure
    .meta(
      operation('GET /jobs/{id}', {
        summary: 'Read one job',
        description:
          'The job with its progress. A job that has ended is kept for 30 days after it was accepted.',
      }),
    )
    .input(OneRecord)
    .output(Job)
    .query(({ ctx, input }) => getJob(ctx, input.id)),

  errors: readProcedure
    .meta(
      operation('GET /jobs/{id}/errors', {
        summary: 'List the errors of a job',
        description: 'One page of the records that the job could not change, each with the reason.',
      }),
    )
    .input(JobErrorQuery)
    .output(JobErrorPage)
    .query(({ ctx, input }) => listJobErrors(ctx, input)),

  cancel: writeProcedure
    .meta(
      operation('PUT /jobs/{id}/cancel', {
        summary: 'Cancel a job',
        description:
          'No further records are changed; those that were stay changed, and the job can be undone. A job that has ended is answered as it is.',
      }),
    )
    .input(OneRecord)
    .output(Job)
    .mutation(({ ctx, input }) => cancelJob(ctx, input.id)),

  previewUndo: writeProcedure
    .use(settings)
    .meta(
      operation('PUT /jobs/{id}/undo/preview', {
        summary: 'Try the undo of a job',
        description:
          'Changes nothing: answers how many records the undo of the job, or of the import with this id, would put back, and what would ' +
          'happen to the first 500 of them, the last changed first: what would change in the first five, and what could not be undone, ' +
          'because it was changed since.',
        errors: ['job_not_finished'],
      }),
    )
    .input(OneRecord)
    .output(BulkPreview)
    .mutation(({ ctx, input }) => previewUndo(ctx, input.id)),

  undo: writeProcedure
    .meta(
      operation('PUT /jobs/{id}/undo', {
        summary: 'Undo a job',
        description:
          'Answers a new job, which reverts the records that the job has changed and nobody has changed since; the others ' +
          'are its errors. Repeated, it answers the same job, unless that was cancelled or has failed.',
        errors: ['job_not_finished', 'limit_reached'],
      }),
    )
    .input(JobUndo)
    .output(Job)
    .mutation(({ ctx, input }) => undoJob(ctx, input)),
});

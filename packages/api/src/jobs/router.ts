import { readScopes, writeScopes } from '../access/scopes.ts';
import { resourceNames } from '../directory/registry.ts';
import { OneRecord } from '../engine/fields/schemas.ts';
import type { RecordCollaborators } from '../records/procedure.ts';
import { CHECKED_MAX, SAMPLES_MAX } from '../records/try-change.ts';
import { type Given, type OperationExample, operationsOf } from '../trpc/init.ts';
import { procedureFor } from '../trpc/procedure.ts';
import { BulkPreview } from './bulk/schemas.ts';
import { Job, JobErrorPage, JobErrorQuery, JobPage, JobQuery, JobUndo } from './schemas.ts';
import { cancelJob, getJob, listJobErrors, listJobs, previewUndo, undoJob } from './service.ts';

/** Only a job that has ended can be undone; this one has changed no record. */
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
// The service checks the scope of the job's resource.
const readProcedure = procedureFor(...readScopes).meta(managed);
const writeProcedure = procedureFor(...writeScopes).meta(managed);
const operation = operationsOf('Jobs');

export const jobsRouter = (settings: Given<RecordCollaborators>) => ({
  list: readProcedure
    .meta(
      operation('GET /jobs', {
        summary: 'List jobs',
        description: 'Lists bulk jobs, running and finished, for resources you can read.',
      }),
    )
    .input(JobQuery)
    .output(JobPage)
    .query(({ ctx, input }) => listJobs(ctx, input)),

  get: readProcedure
    .meta(
      operation('GET /jobs/{id}', {
        summary: 'Read one job',
        description: 'Retrieves a job with its progress. Jobs are kept until their retention period ends.',
      }),
    )
    .input(OneRecord)
    .output(Job)
    .query(({ ctx, input }) => getJob(ctx, input.id)),

  errors: readProcedure
    .meta(
      operation('GET /jobs/{id}/errors', {
        summary: 'List the errors of a job',
        description: 'Lists the records that a job could not change, each with the reason.',
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
          'Cancels a job. Records that were already changed stay changed, and you can undo the job. Has no effect if the ' +
          'job has ended.',
      }),
    )
    .input(OneRecord)
    .output(Job)
    .mutation(({ ctx, input }) => cancelJob(ctx, input.id)),

  previewUndo: writeProcedure
    .use(settings)
    .meta(
      operation('PUT /jobs/{id}/undo/preview', {
        summary: 'Preview the undo of a job',
        description:
          'Previews the undo of a job or import without changing anything. Returns the number of records to restore and ' +
          `the outcome for the first ${CHECKED_MAX}, latest first, with ${SAMPLES_MAX} samples. Records changed since are listed as errors.`,
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
          'Starts a job that undoes this one. Records changed since are skipped and listed as errors. If an undo job ' +
          'already exists, it is returned, unless it was cancelled or has failed.',
        errors: ['job_not_finished', 'limit_reached'],
      }),
    )
    .input(JobUndo)
    .output(Job)
    .mutation(({ ctx, input }) => undoJob(ctx, input)),
});

import { resourceNames } from '../directory.ts';
import { OneRecord } from '../engine/fields/schemas.ts';
import { readScopes, writeScopes } from '../identity/access/scopes.ts';
import { Job, JobUndo } from '../jobs/schemas.ts';
import type { RecordCollaborators } from '../records/settings.ts';
import type { Given } from '../trpc/given.ts';
import { type OperationExample, operationsOf } from '../trpc/meta.ts';
import { procedureFor } from '../trpc/procedure.ts';
import { previewFile } from './files/preview/preview.ts';
import { ImportPreview, ImportPreviewQuery, PREVIEW_MAX_BYTES } from './files/preview/schemas.ts';
import {
  FILE_MAX_BYTES,
  fileMediaTypes,
  Import,
  ImportErrorPage,
  ImportErrorQuery,
  ImportPage,
  ImportQuery,
  ImportRowPage,
  ImportRowQuery,
  ImportUpload,
  ImportWrite,
  ROWS_MAX,
} from './files/schemas.ts';
import {
  cancelImport,
  getImport,
  listImportErrors,
  listImportRows,
  listImports,
  resumeImport,
  undoImport,
  writeImport,
} from './files/service.ts';
import { uploadFile } from './files/uploads/upload.ts';

/** The largest body of RPC, which has the text of the file as JSON. */
const RPC_BODY_MAX_BYTES = 4 * 1024 * 1024;

/** An import that is written. */
const example: OperationExample = {
  requests: [
    {
      method: 'POST',
      path: `/imports/${resourceNames[0]}/file?mode=write`,
      body: 'Name\nExample office\n',
    },
    { method: 'GET', path: '/imports/{1/id}', until: '/finishedAt' },
  ],
};

const managed = { isManaged: true, isLimited: true, example };
// The scope is that of the import's resource, which the service checks.
const readProcedure = procedureFor(...readScopes).meta(managed);
const writeProcedure = procedureFor(...writeScopes).meta(managed);
const operation = operationsOf('Imports');

export const fileImportsRouter = (settings: Given<RecordCollaborators>) => ({
  preview: writeProcedure
    .use(settings)
    .meta(
      operation('PUT /imports/preview', {
        summary: 'Preview a file',
        description:
          `Says by the first ${PREVIEW_MAX_BYTES / 1024} KiB of a file how it would be read: which records it has, its encoding, and for each ` +
          'column the field that its name means, what its texts stand for, and how its days are written. What the mapping says is taken ' +
          'as it is. Nothing is kept.',
        errors: ['validation_failed'],
      }),
    )
    .input(ImportPreviewQuery)
    .output(ImportPreview)
    .mutation(({ ctx, input }) => previewFile(ctx, input)),

  upload: writeProcedure
    .meta(
      operation('POST /imports/{resource}/file', {
        summary: 'Import a file',
        description:
          'Receives a file of CSV or NDJSON, up to ' +
          `${FILE_MAX_BYTES / 1024 / 1024} MiB and ${ROWS_MAX.toLocaleString('en-US')} rows, and answers its import. A job reads it, ` +
          'checks every row, says what it would change (`/imports/{id}/rows`) and what is wrong (`/imports/{id}/errors`), and ' +
          'writes it when that is asked for. Counts as ten requests.',
        fileTypes: Object.keys(fileMediaTypes),
        bodyMaxBytes: RPC_BODY_MAX_BYTES,
        status: 202,
        errors: ['validation_failed', 'limit_reached'],
      }),
    )
    .input(ImportUpload)
    .output(Import)
    .mutation(({ ctx, input }) => uploadFile(ctx, input)),

  list: readProcedure
    .meta(
      operation('GET /imports', {
        summary: 'List imports',
        description:
          'One page of the files that were imported, or are, of the resources that the key may read, from any interface.',
      }),
    )
    .input(ImportQuery)
    .output(ImportPage)
    .query(({ ctx, input }) => listImports(ctx, input)),

  get: readProcedure
    .meta(
      operation('GET /imports/{id}', {
        summary: 'Read one import',
        description:
          'The import with its progress, and what its check says. It is kept for 30 days after the file was received.',
      }),
    )
    .input(OneRecord)
    .output(Import)
    .query(({ ctx, input }) => getImport(ctx, input.id)),

  rows: readProcedure
    .meta(
      operation('GET /imports/{id}/rows', {
        summary: 'List the rows of an import',
        description:
          'One page of the rows of the file, each with what becomes of it and which fields change.',
      }),
    )
    .input(ImportRowQuery)
    .output(ImportRowPage)
    .query(({ ctx, input }) => listImportRows(ctx, input)),

  errors: readProcedure
    .meta(
      operation('GET /imports/{id}/errors', {
        summary: 'List the errors of an import',
        description: 'One page of what is wrong with rows of the file, each with its column and value.',
      }),
    )
    .input(ImportErrorQuery)
    .output(ImportErrorPage)
    .query(({ ctx, input }) => listImportErrors(ctx, input)),

  write: writeProcedure
    .meta(
      operation('PUT /imports/{id}/write', {
        summary: 'Write an import',
        description:
          'Writes a file whose check has ended, or lets one go on that was cancelled or has failed, and writes it then. What the check ' +
          'rejects or suspects must be confirmed or skipped. Repeated, it answers the import as it is.',
        errors: [
          'validation_failed',
          'job_not_finished',
          'import_unconfirmed',
          'import_undone',
          'limit_reached',
        ],
      }),
    )
    .input(ImportWrite)
    .output(Import)
    .mutation(({ ctx, input }) => writeImport(ctx, input)),

  resume: writeProcedure
    .meta(
      operation('PUT /imports/{id}/resume', {
        summary: 'Resume an import',
        description:
          'Lets an import that was cancelled or has failed go on where it was: a check goes on as a check and writes nothing, one that was ' +
          'being written is written. Another one is answered as it is.',
        errors: ['import_undone', 'limit_reached'],
      }),
    )
    .input(OneRecord)
    .output(Import)
    .mutation(({ ctx, input }) => resumeImport(ctx, input.id)),

  cancel: writeProcedure
    .meta(
      operation('PUT /imports/{id}/cancel', {
        summary: 'Cancel an import',
        description:
          'No further rows are written; those that were stay, and the import can go on or be undone. One that has ended is answered as ' +
          'it is.',
      }),
    )
    .input(OneRecord)
    .output(Import)
    .mutation(({ ctx, input }) => cancelImport(ctx, input.id)),

  undo: writeProcedure
    .meta(
      operation('PUT /imports/{id}/undo', {
        summary: 'Undo an import',
        description:
          'Answers a job, which puts the records back that the import has changed and nobody has changed since, and deletes those that it ' +
          'has created; the others are its errors. Repeated, it answers the same job, unless that was cancelled or has failed.',
        errors: ['job_not_finished', 'limit_reached'],
      }),
    )
    .input(JobUndo)
    .output(Job)
    .mutation(({ ctx, input }) => undoImport(ctx, input)),
});

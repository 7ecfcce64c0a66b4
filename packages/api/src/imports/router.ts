import { readScopes, writeScopes } from '../access/scopes.ts';
import { agents } from '../directory/agents/definition.ts';
import { offices } from '../directory/offices/definition.ts';
import { definitions, resourceNames } from '../directory/registry.ts';
import { teams } from '../directory/teams/definition.ts';
import { OneRecord } from '../engine/fields/schemas.ts';
import { Job, JobUndo } from '../jobs/schemas.ts';
import { jobs } from '../jobs/service.ts';
import { type RecordCollaborators, survivingProceduresOf } from '../records/procedure.ts';
import { type Given, type OperationExample, operationsOf } from '../trpc/init.ts';
import type { ShownIn } from '../trpc/replay-authorization.ts';
import { importDefinitions } from './definitions.ts';
import { previewFile } from './preview.ts';
import {
  FILE_MAX_BYTES,
  fileMediaTypes,
  IMPORT_RECORDS_MAX,
  Import,
  ImportCorrected,
  ImportCorrections,
  ImportErrorGroups,
  ImportErrorPage,
  ImportErrorQuery,
  ImportPage,
  ImportPreview,
  ImportPreviewQuery,
  ImportQuery,
  ImportResponse,
  ImportRowPage,
  ImportRowQuery,
  ImportUpload,
  ImportWrite,
  importSchemas,
  PREVIEW_MAX_BYTES,
  ROWS_MAX,
} from './schemas.ts';
import {
  cancelImport,
  correctImport,
  getImport,
  listCorrections,
  listErrorGroups,
  listImportErrors,
  listImportRows,
  listImports,
  resumeImport,
  undoImport,
  writeImport,
} from './service.ts';
import { uploadFile } from './upload.ts';
import { importRecords } from './write-records.ts';

const operation = operationsOf('Imports');

/** The largest body of records, and of a file in a call of RPC. */
export const BODY_MAX_BYTES = 4 * 1024 * 1024;

/** The metadata of the imports of records: managers import, some records may be rejected, and hundreds of records need room. */
const importing = {
  isLimited: true,
  isPartial: true,
  bodyMaxBytes: BODY_MAX_BYTES,
  isManaged: true,
  description:
    `Creates up to ${IMPORT_RECORDS_MAX} records. With \`upsert\`, existing records are updated by source; with \`match\`, also by email ` +
    'address. All records or none are written, unless `isAtomic` is `false`; a partial success returns 207.',
};

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

/** An import that is checked, and of which a cell is corrected. */
const checkedExample: OperationExample = {
  requests: [
    {
      method: 'POST',
      path: `/imports/${resourceNames[0]}/file`,
      body: 'Name\nExampel office\n',
    },
    { method: 'GET', path: '/imports/{1/id}', until: '/finishedAt' },
  ],
};

const managed = { isManaged: true, isLimited: true, example };
/** Imported records by the name of the resource; a file is a job. */
const shownIn: ShownIn = ({ id, results = [] }, name) => {
  const ids = id === undefined ? results.flatMap((result) => result.id ?? []) : [id];
  return [{ listable: definitions.find((resource) => resource.name === name) ?? jobs, ids }];
};

const { procedureFor, treeProcedureFor } = survivingProceduresOf(shownIn);
// The scope is that of the import's resource, which the service checks.
const readProcedure = procedureFor(...readScopes).meta(managed);
const writeProcedure = procedureFor(...writeScopes).meta(managed);

export const importsRouter = (settings: Given<RecordCollaborators>) => ({
  offices: treeProcedureFor('offices:write')
    .use(settings)
    .meta(
      operation('POST /imports/offices', {
        ...importing,
        summary: 'Import offices',
        errors: [...offices.ruleErrors.change],
      }),
    )
    .input(importSchemas.offices)
    .output(ImportResponse)
    .mutation(({ ctx, input }) => importRecords(ctx, importDefinitions.offices, input)),

  agents: procedureFor('agents:write')
    .use(settings)
    .meta(
      operation('POST /imports/agents', {
        ...importing,
        summary: 'Import agents',
        errors: [...agents.ruleErrors.change],
      }),
    )
    .input(importSchemas.agents)
    .output(ImportResponse)
    .mutation(({ ctx, input }) => importRecords(ctx, importDefinitions.agents, input)),

  teams: procedureFor('teams:write')
    .use(settings)
    .meta(
      operation('POST /imports/teams', {
        ...importing,
        summary: 'Import teams',
        errors: [...teams.ruleErrors.change],
      }),
    )
    .input(importSchemas.teams)
    .output(ImportResponse)
    .mutation(({ ctx, input }) => importRecords(ctx, importDefinitions.teams, input)),

  preview: writeProcedure
    .use(settings)
    .meta(
      operation('PUT /imports/preview', {
        summary: 'Preview a file',
        description:
          `Reads the first ${PREVIEW_MAX_BYTES / 1024} KiB of a file, and returns its format, encoding and suggested ` +
          'mapping of columns. Values in your mapping are used as given. Nothing is stored.',
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
          `Uploads a CSV or NDJSON file, up to ${FILE_MAX_BYTES / 1024 / 1024} MiB and ${ROWS_MAX.toLocaleString('en-US')} ` +
          "rows. A job checks every row before anything is written; see the import's rows and errors for the outcome. " +
          'Counts as ten requests.',
        fileTypes: Object.keys(fileMediaTypes),
        bodyMaxBytes: BODY_MAX_BYTES,
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
        description: 'Lists imports of resources you can read, from any interface.',
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
          'Retrieves an import, with its progress and the result of its check. Imports are kept until their retention period ends.',
      }),
    )
    .input(OneRecord)
    .output(Import)
    .query(({ ctx, input }) => getImport(ctx, input.id)),

  rows: readProcedure
    .meta(
      operation('GET /imports/{id}/rows', {
        summary: 'List the rows of an import',
        description: 'Lists the rows of an import, each with its outcome and the fields that change.',
      }),
    )
    .input(ImportRowQuery)
    .output(ImportRowPage)
    .query(({ ctx, input }) => listImportRows(ctx, input)),

  errors: readProcedure
    .meta(
      operation('GET /imports/{id}/errors', {
        summary: 'List the errors of an import',
        description: 'Lists the errors in the rows of an import, each with its column and value.',
      }),
    )
    .input(ImportErrorQuery)
    .output(ImportErrorPage)
    .query(({ ctx, input }) => listImportErrors(ctx, input)),

  errorGroups: readProcedure
    .meta(
      operation('GET /imports/{id}/error-groups', {
        summary: 'Group the errors of an import',
        description:
          'Returns the errors of an import, grouped by column and kind, with the texts of the cells and suggestions for each.',
      }),
    )
    .input(OneRecord)
    .output(ImportErrorGroups)
    .query(({ ctx, input }) => listErrorGroups(ctx, input.id)),

  correct: writeProcedure
    .meta(
      operation('PUT /imports/{id}/corrections', {
        summary: 'Correct cells of an import',
        description:
          'Corrects cells after the check of an import, and checks only the corrected rows again, and rows that depend on them. Has ' +
          'no effect on cells that are already corrected. Corrections are kept with the import.',
        errors: ['validation_failed', 'job_not_finished', 'import_written', 'import_undone', 'limit_reached'],
        example: checkedExample,
      }),
    )
    .input(ImportCorrections)
    .output(Import)
    .mutation(({ ctx, input }) => correctImport(ctx, input)),

  corrections: readProcedure
    .meta(
      operation('GET /imports/{id}/corrections', {
        summary: 'List the corrections of an import',
        description: 'Lists the corrections of an import that are in effect.',
      }),
    )
    .input(OneRecord)
    .output(ImportCorrected)
    .query(({ ctx, input }) => listCorrections(ctx, input.id)),

  write: writeProcedure
    .meta(
      operation('PUT /imports/{id}/write', {
        summary: 'Write an import',
        description:
          'Writes an import after its check, or resumes a cancelled or failed import. Accept or skip its warnings, and skip rows with ' +
          'errors. Has no effect if the import is already being written.',
        errors: [
          'validation_failed',
          'job_not_finished',
          'import_not_accepted',
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
          'Resumes a cancelled or failed import from where it stopped. A check resumes as a check. Has no effect if the ' +
          'import is running or complete.',
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
          'Cancels an import. Written rows are kept, and you can resume or undo the import. Has no effect if the import ' +
          'has ended.',
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
          'Starts a job that undoes an import: restores changed records and deletes created ones. Records changed since ' +
          'are skipped and listed as errors. If an undo job already exists, it is returned.',
        errors: ['job_not_finished', 'limit_reached'],
      }),
    )
    .input(JobUndo)
    .output(Job)
    .mutation(({ ctx, input }) => undoImport(ctx, input)),
});

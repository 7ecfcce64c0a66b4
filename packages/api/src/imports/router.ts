import { agents } from '../agents/definition.ts';
import { offices } from '../offices/definition.ts';
import type { RecordCollaborators } from '../records/settings.ts';
import { teams } from '../teams/definition.ts';
import type { Given } from '../trpc/given.ts';
import { operationsOf } from '../trpc/meta.ts';
import { procedureFor, treeProcedureFor } from '../trpc/procedure.ts';
import { fileImportsRouter } from './file-router.ts';
import { importDefinitions } from './resources.ts';
import { IMPORT_RECORDS_MAX, ImportAnswer, importSchemas } from './schemas.ts';
import { importRecords } from './service.ts';

const operation = operationsOf('Imports');

export const BODY_MAX_BYTES = 4 * 1024 * 1024;

/** The metadata of all imports: managers import, some records may be rejected, and hundreds of records need room. */
const importing = {
  isLimited: true,
  isPartial: true,
  bodyMaxBytes: BODY_MAX_BYTES,
  isManaged: true,
  description:
    `Creates up to ${IMPORT_RECORDS_MAX} records. With \`upsert\`, existing records are updated by source; with \`match\`, also by email ` +
    'address. All records or none are written, unless `isAtomic` is `false`; a partial success returns 207.',
};

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
    .output(ImportAnswer)
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
    .output(ImportAnswer)
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
    .output(ImportAnswer)
    .mutation(({ ctx, input }) => importRecords(ctx, importDefinitions.teams, input)),

  ...fileImportsRouter(settings),
});

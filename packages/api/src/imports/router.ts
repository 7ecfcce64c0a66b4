import { agents } from '../agents/definition.ts';
import { offices } from '../offices/definition.ts';
import type { RecordCollaborators } from '../records/settings.ts';
import { teams } from '../teams/definition.ts';
import type { Given } from '../trpc/given.ts';
import { operationsOf } from '../trpc/meta.ts';
import { procedureFor, treeProcedureFor } from '../trpc/procedure.ts';
import { fileImportsRouter } from './file-router.ts';
import { importDefinitions } from './resources.ts';
import { ImportAnswer, importSchemas } from './schemas.ts';
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
    'Creates, or with `upsert` changes by their sources, up to 500 records, each change with its event; with `match` those ' +
    'without a source by their e-mail addresses. All or nothing, ' +
    'or with `isAtomic: false` the valid ones: then 207 if some were rejected.',
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

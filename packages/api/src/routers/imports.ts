import type { TRPCRouterRecord } from '@trpc/server';
import type { z } from 'zod';
import { type DirectoryResource, forEachResource, type ResourceName } from '../directory.ts';
import { importDefinitions } from '../imports/resources.ts';
import { ImportAnswer, type ImportSchemas, importSchemas } from '../imports/schemas.ts';
import { type Import, importRecords } from '../imports/service.ts';
import { writeProcedureFor } from '../procedures/procedure.ts';
import { operationsOf } from '../trpc/meta.ts';
import { fileImportsRouter } from './file-imports.ts';

const operation = operationsOf('Imports');

export const BODY_MAX_BYTES = 4 * 1024 * 1024;

/** The metadata of all imports: managers import, the answer may be partial, and hundreds of records need room. */
const importing = { isPartial: true, bodyMaxBytes: BODY_MAX_BYTES, isManaged: true };

const description =
  'Creates, or with `upsert` changes by their sources, up to 500 records, each change with its event; with `match` those ' +
  'without a source by their e-mail addresses. All or nothing, ' +
  'or with `isAtomic: false` the valid ones: then 207 if some were rejected.';

/** The operation that imports records of a resource. */
function importProcedure<Input extends Import, InputIn>(
  resource: DirectoryResource<{ id: string }>,
  schema: z.ZodType<Input, InputIn>,
) {
  const { name, ruleErrors } = resource;
  return writeProcedureFor(resource)
    .meta(
      operation(`POST /imports/${name}`, {
        summary: `Import ${name}`,
        description,
        ...importing,
        errors: [...ruleErrors.change],
      }),
    )
    .input(schema)
    .output(ImportAnswer)
    .mutation(({ ctx, input }) => importRecords(ctx, importDefinitions[name], input));
}

const recordImports = forEachResource<{
  [Name in ResourceName]: ReturnType<
    typeof importProcedure<z.output<ImportSchemas[Name]>, z.input<ImportSchemas[Name]>>
  >;
}>((resource) =>
  importProcedure(resource, importSchemas[resource.name] as z.ZodType<Import>),
) satisfies TRPCRouterRecord;

export const importsRouter = { ...recordImports, ...fileImportsRouter } satisfies TRPCRouterRecord;

import { z } from 'zod';
import { checkScopes } from '../../access/scopes.ts';
import type { DirectoryResource } from '../../directory.ts';
import { Revert } from '../../history/schemas.ts';
import { BulkAnswer, bulkErrors, changeByFilterDocs } from '../../jobs/bulk-schemas.ts';
import { type BulkRequest, changeByFilter } from '../../jobs/service.ts';
import { procedureFor, writeProcedureFor } from '../../procedures/procedure.ts';
import { ignoreUnchanged, ignoreUnchangedInAll } from '../../procedures/unchanged-fields.ts';
import { hasDependents } from '../../records/dependents.ts';
import {
  createRecord,
  getRecord,
  type OneChange,
  removeRecord,
  restoreRecord,
  updateRecord,
  type Versioned,
} from '../../records/service.ts';
import type { OperationTexts } from '../../resources/definition.ts';
import { OneRecordOfVersion, Transition } from '../../resources/fields/schemas.ts';
import { operationsOf } from '../../trpc/meta.ts';
import { type Reverted, revertRecord } from '../../undo/revert.ts';
import { creationOf, deletedExample } from './examples.ts';
import { revertText, updateText, versionErrors } from './operation-texts.ts';
import { typed } from './read-procedures.ts';

/** The schemas of what changes a record, or many. */
export interface ChangeSchemas<Row> {
  record: z.ZodType<Row>;
  created: z.ZodType<object>;
  patch: z.ZodObject & z.ZodType<OneChange>;
  reverted: z.ZodType<Reverted<Row>>;
  bulk: z.ZodType<BulkRequest>;
}

/** The operation that changes many records. */
function bulkProcedure<Row extends Versioned, Bulk extends BulkRequest, BulkIn>(
  resource: DirectoryResource<Row>,
  bulk: z.ZodType<Bulk, BulkIn>,
) {
  const { name, texts, filtersOf } = resource;
  return procedureFor(`${name}:write`)
    .meta(
      operationsOf(texts.title)(`POST /${name}/bulk`, {
        summary: `Change many ${name}`,
        description: changeByFilterDocs,
        isLimited: true,
        status: 202,
        isManaged: true,
        errors: bulkErrors,
      }),
    )
    .use((call) => ignoreUnchangedInAll(call, resource))
    .input(bulk)
    .output(BulkAnswer)
    .mutation(({ ctx, input }) =>
      changeByFilter(ctx, resource, { ...input, ...(filtersOf && { selects: filtersOf(input.filter) }) }),
    );
}

/**
 * The operations that change a record, but for its status, and the one that changes many. For a type that is a parameter the compiler
 * does not see that it is what the procedure returns by default: hence `never`.
 */
export function changeProcedures<Row extends Versioned, Schemas extends ChangeSchemas<Row>>(
  resource: DirectoryResource<Row>,
  texts: OperationTexts,
  schemas: Schemas,
) {
  const { record, created, patch, reverted, bulk } = typed(schemas);
  const { name, texts: names, ruleErrors } = resource;
  const operation = operationsOf(names.title);
  const procedure = writeProcedureFor(resource);
  return {
    create: procedure
      .meta(
        operation(`POST /${name}`, {
          summary: `Create ${names.one}`,
          description: texts.create,
          status: 201,
          errors: [...ruleErrors.create],
          example: { requests: [creationOf(resource, texts)] },
        }),
      )
      .input(created)
      .output(record)
      .mutation(({ ctx, input }) => createRecord(ctx, resource, input as object) as never),

    delete: procedure
      .meta(
        operation(`DELETE /${name}/{id}`, {
          summary: `Delete ${names.one}`,
          description: texts.delete,
          status: 204,
          errors: [...versionErrors, ...(hasDependents(resource) ? ['has_dependents' as const] : [])],
        }),
      )
      .input(OneRecordOfVersion)
      .output(z.void())
      .mutation(({ ctx, input }) => removeRecord(ctx, resource, input)),

    update: procedure
      .meta(
        operation(`PATCH /${name}/{id}`, {
          summary: `Change ${names.one}`,
          description: updateText,
          errors: [...versionErrors, ...ruleErrors.change],
        }),
      )
      .use((call) => ignoreUnchanged(call, schemas.patch, (ctx, id) => getRecord(ctx, resource, id)))
      .input(patch)
      .output(record)
      .mutation(({ ctx, input }) => updateRecord(ctx, resource, input as OneChange) as never),

    restore: procedure
      .meta(
        operation(`PUT /${name}/{id}/restore`, {
          summary: `Restore a deleted ${resource.table}`,
          description: texts.restore,
          errors: ['version_conflict', 'record_merged', ...ruleErrors.change],
          example: deletedExample(resource, texts),
        }),
      )
      .input(Transition)
      .output(record)
      .mutation(({ ctx, input }) => restoreRecord(ctx, resource, input) as never),

    revert: procedure
      .meta(
        operation(`PUT /${name}/{id}/revert`, {
          summary: `Revert ${names.one} to an earlier version`,
          description: revertText,
          errors: [...versionErrors, ...ruleErrors.change],
        }),
      )
      .input(Revert)
      .output(reverted)
      .mutation(({ ctx, input }) => {
        checkScopes(ctx.caller, [`${name}:read`, 'events:read']);
        return revertRecord(ctx, resource, input) as never;
      }),

    bulk: bulkProcedure(resource, bulk),
  };
}

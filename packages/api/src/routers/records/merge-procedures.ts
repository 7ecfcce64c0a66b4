import type { z } from 'zod';
import type { DirectoryResource } from '../../directory.ts';
import { mergeRecord } from '../../merges/merge.ts';
import { Merge, Unmerge } from '../../merges/schemas.ts';
import { unmergeRecord } from '../../merges/undo.ts';
import { writeProcedureFor } from '../../procedures/procedure.ts';
import type { Versioned } from '../../records/service.ts';
import type { OperationTexts } from '../../resources/definition.ts';
import { operationsOf } from '../../trpc/meta.ts';
import { mergedExample, mergeExample } from './examples.ts';
import { versionErrors } from './operation-texts.ts';
import { typed } from './read-procedures.ts';

/** The schemas of what a merge answers, and its undo. */
export interface MergeSchemas {
  merged: z.ZodType;
  unmerged: z.ZodType;
}

/**
 * The operations that make one record of two, and two of one again. For a type that is a parameter the compiler does not see that it is
 * what the procedure returns by default: hence `never`.
 */
export function mergeProcedures<Row extends Versioned, Schemas extends MergeSchemas>(
  resource: DirectoryResource<Row>,
  operationTexts: OperationTexts,
  schemas: Schemas,
) {
  const { merged, unmerged } = typed(schemas);
  const { name, texts, ruleErrors } = resource;
  const operation = operationsOf(texts.title);
  const procedure = writeProcedureFor(resource);
  return {
    merge: procedure
      .meta(
        operation(`POST /${name}/{id}/merge`, {
          summary: `Merge ${texts.one} into another one`,
          description:
            'Gives this one the values that `fields` chooses, moves everything that refers to the duplicate to it, and deletes the duplicate, in ' +
            'one transaction. The id of the duplicate then leads here: a GET is redirected, and a change is rejected with `record_merged`. ' +
            'Its source and its email address stay taken, and imports that name them change this record. ' +
            `${resource.parent.isTree ? 'Requires the same rights over both offices. ' : ''}With \`dryRun\` returns the record that would result.`,
          errors: [...versionErrors, ...ruleErrors.merge],
          example: mergeExample(resource, operationTexts),
        }),
      )
      .input(Merge)
      .output(merged)
      .mutation(({ ctx, input }) => mergeRecord(ctx, resource, input) as never),

    unmerge: procedure
      .meta(
        operation(`PUT /${name}/{id}/unmerge`, {
          summary: `Undo the merge of ${texts.one}`,
          description:
            'Brings a record back that was merged into another one, as it was, with everything that referred to it, for as long as deleted ' +
            'records are kept (30 days). What was changed since stays as it is, and `conflicts` names it. With `dryRun` answers what would result.',
          errors: ['record_merged', ...ruleErrors.change],
          example: mergedExample(resource, operationTexts),
        }),
      )
      .input(Unmerge)
      .output(unmerged)
      .mutation(({ ctx, input }) => unmergeRecord(ctx, resource, input) as never),
  };
}

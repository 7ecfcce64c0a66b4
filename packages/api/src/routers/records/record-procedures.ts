import type { z } from 'zod';
import type { DirectoryResource } from '../../directory.ts';
import { duplicatePageOf, duplicatePairOf, lookAlikesOf } from '../../duplicates/schemas.ts';
import type { ErrorCode } from '../../errors/error-codes.ts';
import { revertedOf } from '../../history/schemas.ts';
import type { BulkRequest } from '../../jobs/service.ts';
import { mergedOf, unmergedOf } from '../../merges/schemas.ts';
import { procedureFor } from '../../procedures/procedure.ts';
import type { OneChange, Versioned } from '../../records/service.ts';
import type { OperationTexts, ResourceDefinition } from '../../resources/definition.ts';
import type { CallContext } from '../../trpc/context.ts';
import { operationsOf } from '../../trpc/meta.ts';
import { type ChangeSchemas, changeProcedures } from './change-procedures.ts';
import { type DuplicateSchemas, duplicateProcedures } from './duplicate-procedures.ts';
import { type MergeSchemas, mergeProcedures } from './merge-procedures.ts';
import { versionErrors } from './operation-texts.ts';
import { type ReadSchemas, readProcedures } from './read-procedures.ts';

/** The schemas of answers that follow from that of a record: of a change, a revert, a merge and its undo, and of what is alike. */
export function answersWith<Shape extends z.ZodRawShape>(
  record: z.ZodObject<Shape, z.core.$strict>,
  resource: Pick<ResourceDefinition, 'table' | 'texts'>,
) {
  const duplicate = duplicatePairOf(record, resource);
  return {
    record,
    reverted: revertedOf(record, resource),
    duplicate,
    duplicates: duplicatePageOf(duplicate, resource),
    lookAlikes: lookAlikesOf(record, resource),
    merged: mergedOf(record, resource),
    unmerged: unmergedOf(record, resource),
  };
}

/** A change of the status of a record, now or at a time. */
export interface StatusTransition<Input, InputIn, Changed> {
  input: z.ZodType<Input, InputIn>;
  output: z.ZodType<Changed, Changed>;
  run: (ctx: CallContext, input: Input) => Promise<Changed>;
}

/** The operation that deactivates or reactivates a record. */
function transitionProcedure<Input, InputIn, Changed>(
  resource: Pick<DirectoryResource<{ id: string }>, 'name' | 'table' | 'texts'>,
  { input, output, run }: StatusTransition<Input, InputIn, Changed>,
  {
    verb,
    description,
    errors,
  }: { verb: 'deactivate' | 'reactivate'; description: string; errors: readonly ErrorCode[] },
) {
  const summary = `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${resource.texts.one}`;
  return procedureFor(`${resource.name}:write`)
    .meta(
      operationsOf(resource.texts.title)(`PUT /${resource.name}/{id}/${verb}`, {
        summary,
        description,
        isLimited: true,
        errors: [...versionErrors, ...errors, 'limit_reached'],
      }),
    )
    .input(input)
    .output(output)
    .mutation(({ ctx, input: given }) => run(ctx, given as Input) as never);
}

/**
 * The operations that all resources of the directory have, in the order of the documents. The types of the schemas are those of the
 * procedures, for callers too.
 */
export function recordProcedures<
  Row extends Versioned,
  Query extends { expand?: string | undefined },
  QueryIn,
  Page,
  One extends { id: string },
  OneIn,
  Read,
  Created extends object,
  CreatedIn,
  Patch extends OneChange,
  PatchIn,
  Bulk extends BulkRequest,
  BulkIn,
  Pair,
  Pairs,
  LookAlikes,
  Merged,
  Unmerged,
  Deactivation,
  DeactivationIn,
  Deactivated,
  Reactivation,
  ReactivationIn,
  Reactivated,
>(
  resource: DirectoryResource<Row>,
  texts: OperationTexts,
  {
    schemas,
    ...transitions
  }: {
    schemas: ReadSchemas<Query, QueryIn, Page, One, OneIn, Read> &
      ChangeSchemas<Row, Created, CreatedIn, Patch, PatchIn, Bulk, BulkIn> &
      DuplicateSchemas<Pair, Pairs, LookAlikes, Created, CreatedIn> &
      MergeSchemas<Merged, Unmerged>;
    deactivate: StatusTransition<Deactivation, DeactivationIn, Deactivated>;
    reactivate: StatusTransition<Reactivation, ReactivationIn, Reactivated>;
  },
) {
  const { list, get, history, blame } = readProcedures(resource, texts, schemas);
  const {
    create,
    delete: remove,
    update,
    restore,
    revert,
    bulk,
  } = changeProcedures(resource, texts, schemas);
  const { deactivate, reactivate } = transitions;
  const { reactivate: errors } = resource.ruleErrors;
  return {
    list,
    create,
    get,
    delete: remove,
    update,
    deactivate: transitionProcedure(resource, deactivate, {
      verb: 'deactivate',
      description: texts.deactivate,
      errors: [],
    }),
    reactivate: transitionProcedure(resource, reactivate, {
      verb: 'reactivate',
      description: texts.reactivate,
      errors,
    }),
    restore,
    history,
    blame,
    revert,
    bulk,
    ...duplicateProcedures(resource, texts, schemas),
    ...mergeProcedures(resource, texts, schemas),
  };
}

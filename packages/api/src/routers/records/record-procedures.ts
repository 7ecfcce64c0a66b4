import type { z } from 'zod';
import type { DirectoryResource } from '../../directory.ts';
import { duplicatePageOf, duplicatePairOf, lookAlikesOf } from '../../duplicates/schemas.ts';
import type { ErrorCode } from '../../errors/error-codes.ts';
import { revertedOf } from '../../history/schemas.ts';
import { mergedOf, unmergedOf } from '../../merges/schemas.ts';
import { procedureFor } from '../../procedures/procedure.ts';
import type { StatusVerb, Versioned } from '../../records/service.ts';
import type { OperationTexts, ResourceDefinition } from '../../resources/definition.ts';
import { StatusChange } from '../../resources/fields/effective-input.ts';
import { changeStatus } from '../../transitions/records.ts';
import type { CallContext } from '../../trpc/context.ts';
import { operationsOf } from '../../trpc/meta.ts';
import { type ChangeSchemas, changeProcedures } from './change-procedures.ts';
import { type DuplicateSchemas, duplicateProcedures } from './duplicate-procedures.ts';
import { type MergeSchemas, mergeProcedures } from './merge-procedures.ts';
import { versionErrors } from './operation-texts.ts';
import { type ReadSchemas, readProcedures, typed } from './read-procedures.ts';

/** The schemas of a resource, and those that follow from that of a record: of a revert, a merge and its undo, and of what is alike. */
export function schemasOf<Shape extends z.ZodRawShape, Created, Query>(
  resource: Pick<ResourceDefinition, 'table' | 'texts'> & {
    schemas: { record: z.ZodObject<Shape, z.core.$strict>; created: Created; query: Query };
  },
) {
  const { record, created, query } = resource.schemas;
  const duplicate = duplicatePairOf(record, resource);
  return {
    record,
    created,
    query,
    reverted: revertedOf(record, resource),
    duplicate,
    duplicates: duplicatePageOf(duplicate, resource),
    lookAlikes: lookAlikesOf(record, resource),
    merged: mergedOf(record, resource),
    unmerged: unmergedOf(record, resource),
  };
}

/** A change of the status of a record, now or at a time. */
export interface StatusTransition<Input extends z.ZodType, Changed extends z.ZodType> {
  input: Input;
  output: Changed;
  run: (ctx: CallContext, input: z.output<Input>) => Promise<z.output<Changed>>;
}

/** The changes of the status of a record that change nothing else. */
export function statusTransitions<Row extends Versioned, Changed extends z.ZodType<Row>>(
  resource: DirectoryResource<Row>,
  output: Changed,
) {
  const transition = (verb: StatusVerb) => ({
    input: StatusChange,
    output,
    run: (ctx: CallContext, input: z.output<typeof StatusChange>) => changeStatus(ctx, resource, verb, input),
  });
  return { deactivate: transition('deactivate'), reactivate: transition('reactivate') };
}

/** The operation that deactivates or reactivates a record. */
function transitionProcedure<Input extends z.ZodType, Changed extends z.ZodType>(
  resource: Pick<DirectoryResource<{ id: string }>, 'name' | 'table' | 'texts'>,
  { run, ...transition }: StatusTransition<Input, Changed>,
  { verb, description, errors }: { verb: StatusVerb; description: string; errors: readonly ErrorCode[] },
) {
  const { input, output } = typed(transition);
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
    .mutation(({ ctx, input: given }) => run(ctx, given as z.output<Input>) as never);
}

/**
 * The operations that all resources of the directory have, in the order of the documents. The types of the schemas are those of the
 * procedures, for callers too.
 */
export function recordProcedures<
  Row extends Versioned,
  Schemas extends ReadSchemas & ChangeSchemas<Row> & DuplicateSchemas & MergeSchemas,
  Deactivation extends z.ZodType,
  Deactivated extends z.ZodType,
  Reactivation extends z.ZodType,
  Reactivated extends z.ZodType,
>(
  resource: DirectoryResource<Row>,
  texts: OperationTexts,
  {
    schemas,
    deactivate,
    reactivate,
  }: {
    schemas: Schemas;
    deactivate: StatusTransition<Deactivation, Deactivated>;
    reactivate: StatusTransition<Reactivation, Reactivated>;
  },
) {
  const { list, get, history } = readProcedures(resource, texts, schemas);
  const {
    create,
    delete: remove,
    update,
    restore,
    revert,
    bulk,
  } = changeProcedures(resource, texts, schemas);
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
    revert,
    bulk,
    ...duplicateProcedures(resource, texts, schemas),
    ...mergeProcedures(resource, texts, schemas),
  };
}

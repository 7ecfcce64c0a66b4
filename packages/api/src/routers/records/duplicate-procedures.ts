import type { z } from 'zod';
import type { DirectoryResource } from '../../directory.ts';
import { checkDuplicates } from '../../duplicates/look-alikes.ts';
import { decidePair, listDuplicates } from '../../duplicates/pairs.ts';
import { Dismissal, DuplicateQuery, OnePair } from '../../duplicates/schemas.ts';
import { procedureFor } from '../../procedures/procedure.ts';
import type { Versioned } from '../../records/service.ts';
import type { OperationTexts } from '../../resources/definition.ts';
import { operationsOf } from '../../trpc/meta.ts';
import { pairExample } from './examples.ts';
import { typed } from './read-procedures.ts';

/** The schemas of two records that may be the same, of a page of such pairs, and of what a new record looks like. */
export interface DuplicateSchemas {
  duplicate: z.ZodType;
  duplicates: z.ZodType;
  lookAlikes: z.ZodType;
  created: z.ZodType<object>;
}

/**
 * The operations on records that may be the same. For a type that is a parameter the compiler does not see that it is what the
 * procedure returns by default: hence `never`.
 */
export function duplicateProcedures<Row extends Versioned, Schemas extends DuplicateSchemas>(
  resource: DirectoryResource<Row>,
  operationTexts: OperationTexts,
  schemas: Schemas,
) {
  const { duplicate, duplicates, lookAlikes, created } = typed(schemas);
  const { name, texts } = resource;
  const operation = operationsOf(texts.title);
  const decision = procedureFor(`${name}:write`).meta({
    isLimited: true,
    example: pairExample(resource, operationTexts),
  });
  return {
    duplicates: procedureFor(`${name}:read`)
      .meta(
        operation(`GET /${name}/duplicates`, {
          summary: `List ${name} that may be the same`,
          description:
            'One page of pairs, the most probable first, each with both records as they are now, a score and the reasons in words. ' +
            'Records are compared within seconds of a change, or when many changes are over. A caller who is limited to some offices gets the ' +
            'pairs of which both records are within them.',
          isLimited: true,
        }),
      )
      .input(DuplicateQuery)
      .output(duplicates)
      .query(({ ctx, input }) => listDuplicates(ctx, resource, input) as never),

    checkDuplicates: procedureFor(`${name}:read`)
      .meta(
        operation(`PUT /${name}/duplicates/check`, {
          summary: `Tell which ${name} a new one looks like`,
          description:
            `Takes what creates ${texts.one}, and answers those that it looks like, as pairs that are listed do by default: the most probable ` +
            'first, each with the score and the reasons in words. Nothing is written. A caller who is limited to some offices gets those within them.',
          isLimited: true,
        }),
      )
      .input(created)
      .output(lookAlikes)
      .mutation(({ ctx, input }) => checkDuplicates(ctx, resource, input as object) as never),

    dismissDuplicate: decision
      .meta(
        operation(`PUT /${name}/duplicates/{id}/dismiss`, {
          summary: `Decide that two ${name} are not the same`,
          description:
            'The pair is listed no more, unless `state` asks for it, whatever becomes of the records. Repeated, it answers the pair as it is.',
        }),
      )
      .input(Dismissal)
      .output(duplicate)
      .mutation(({ ctx, input }) => decidePair(ctx, resource, { ...input, isSame: false }) as never),

    reopenDuplicate: decision
      .meta(
        operation(`PUT /${name}/duplicates/{id}/reopen`, {
          summary: `Take back that two ${name} are not the same`,
          description: `The pair is listed again while ${texts.one} of it is like the other. Repeated, it answers the pair as it is.`,
        }),
      )
      .input(OnePair)
      .output(duplicate)
      .mutation(({ ctx, input }) => decidePair(ctx, resource, { ...input, isSame: true }) as never),
  };
}

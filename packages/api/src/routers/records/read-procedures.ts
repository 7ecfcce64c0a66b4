import type { z } from 'zod';
import { checkScopes } from '../../access/scopes.ts';
import type { DirectoryResource } from '../../directory.ts';
import { HistoryPage, HistoryQuery } from '../../history/schemas.ts';
import { listHistory } from '../../history/service.ts';
import { procedureFor } from '../../procedures/procedure.ts';
import { readRecord } from '../../records/service.ts';
import type { OperationTexts } from '../../resources/definition.ts';
import { orRawJson, rawIfAccepted } from '../../resources/json/raw-json.ts';
import { readPage } from '../../resources/list/list-records.ts';
import type { ListInput } from '../../resources/list/listable.ts';
import type { CallContext } from '../../trpc/context.ts';
import { operationsOf } from '../../trpc/meta.ts';
import { historyText } from './operation-texts.ts';

/** Schemas by their types alone: of a type that is a parameter the compiler does not see what a procedure takes and answers. */
type Typed<Schemas> = {
  [Name in keyof Schemas]: z.ZodType<z.output<Schemas[Name]>, z.input<Schemas[Name]>>;
};
export const typed = <Schemas extends object>(schemas: Schemas) => schemas as Typed<Schemas>;

type Expandable = { expand?: string | undefined };

/** The schemas of what reads a record, or a page of them. */
export interface ReadSchemas {
  query: z.ZodType<Expandable>;
  page: z.ZodType;
  one: z.ZodType<Expandable & { id: string }>;
  read: z.ZodType;
}

/** Reads a page of records, with `expand` each with more. Throws `insufficient_scope`, and what `readPage` throws. */
function listRecords(ctx: CallContext, resource: DirectoryResource<{ id: string }>, query: Expandable) {
  const { expand, ...asked } = query as Expandable & ListInput;
  const { expansion, filtersOf } = resource;
  if (expand !== undefined) checkScopes(ctx.caller, [`${expansion.resource}:read`]);
  const expanded = expand === undefined ? undefined : { name: expand, shape: expansion.shape };
  const input = filtersOf?.(asked) ?? asked;
  const now = ctx.services.now();
  return readPage(ctx.db, { resource, expanded, input: input as ListInput, now, limit: ctx.limit });
}

/**
 * Reads one record, with `expand` with more, and then without its version: what is embedded changes without a new one. Throws `not_found`,
 * `insufficient_scope`.
 */
function readOne(
  ctx: CallContext,
  resource: DirectoryResource<{ id: string }>,
  { id, expand }: Expandable & { id: string },
) {
  if (expand === undefined) return readRecord(ctx, resource, id);
  const { name, table, nameSort, isWithin, expansion } = resource;
  checkScopes(ctx.caller, [`${expansion.resource}:read`]);
  const expanded = { name: `${name} with ${expand}`, table, nameSort, isWithin, ...expansion.shape };
  return readRecord(ctx, expanded, id);
}

/**
 * The operations that read records, and the history of one. For a type that is a parameter the compiler does not see that it is what
 * the procedure returns by default: hence `never`.
 */
export function readProcedures<Schemas extends ReadSchemas>(
  resource: DirectoryResource<{ id: string }>,
  texts: OperationTexts,
  schemas: Schemas,
) {
  const { query, page, one, read } = typed(schemas);
  const { name, texts: names } = resource;
  const operation = operationsOf(names.title);
  const procedure = procedureFor(`${name}:read`).meta({ isLimited: true });
  return {
    list: procedure
      .meta(
        operation(`GET /${name}`, {
          summary: `List ${name}`,
          description: texts.list,
        }),
      )
      .input(query)
      .output(orRawJson(page))
      .query(async ({ ctx, input }) => rawIfAccepted(ctx, await listRecords(ctx, resource, input)) as never),

    get: procedure
      .meta(
        operation(`GET /${name}/{id}`, {
          summary: `Read one ${resource.table}`,
          description: texts.get,
          errors: ['record_merged', 'version_conflict'],
        }),
      )
      .input(one)
      .output(orRawJson(read))
      .query(
        async ({ ctx, input }) => rawIfAccepted<unknown>(ctx, await readOne(ctx, resource, input)) as never,
      ),

    history: procedure
      .meta(
        operation(`GET /${name}/{id}/history`, {
          summary: `List the changes of ${names.one}`,
          description: historyText,
          errors: ['record_merged'],
        }),
      )
      .input(HistoryQuery)
      .output(HistoryPage)
      .query(({ ctx, input }) => {
        checkScopes(ctx.caller, ['events:read']);
        return listHistory(ctx, resource, input);
      }),
  };
}

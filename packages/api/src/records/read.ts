import { checkScopes } from '../access/scopes.ts';
import type { DirectoryResource, ResourceName } from '../directory/registry.ts';
import type { RawJson } from '../engine/json/raw-json.ts';
import type { JsonShape } from '../engine/json/record-json.ts';
import { type Page, readPage } from '../engine/list/list-records.ts';
import type { Known, Listable, ListInput } from '../engine/list/listable.ts';
import type { CallContext } from '../trpc/context.ts';
import { readRecord } from './service.ts';

type Expandable<
  Row extends { id: string },
  Listed extends { id: string },
  Own extends object,
> = DirectoryResource<Row> &
  Listable<Row, Own> & {
    expansion?: { shape: JsonShape<Listed>; resource: ResourceName };
  };

interface ListQuery extends ListInput {
  expand?: string | undefined;
}

/** Throws `insufficient_scope` and the errors of `readPage`. */
export function listRecords<
  Row extends { id: string },
  Own extends object,
  Query extends ListQuery,
  Listed extends { id: string } = Row,
>(
  { db, caller, now: clock, limit }: CallContext,
  resource: Expandable<Row, Listed, Own>,
  query: Known<Query, Own & Pick<ListQuery, 'expand'>>,
): Promise<RawJson<Page<Row | Listed>>> {
  const { expand, ...input }: ListQuery = query;
  const now = clock();
  const { expansion } = resource;
  // Without an expansion the schema of the query has no `expand`.
  if (expand === undefined || expansion === undefined)
    return readPage<Row | Listed, ListInput, object>(db, { resource, input, now, limit });
  checkScopes(caller, [`${expansion.resource}:read`]);
  const expanded = expansion.shape;
  return readPage<Row | Listed, ListInput, object>(db, { resource, expanded, input, now, limit });
}

/**
 * With `expand` there is no version, because embedded data has none. Throws `not_found`,
 * `insufficient_scope`.
 */
export function readOne<Row extends { id: string }, Listed extends { id: string }>(
  ctx: CallContext,
  resource: Expandable<Row, Listed, object>,
  { id, expand }: { id: string; expand?: string | undefined },
): Promise<RawJson<Row | Listed>> {
  const { expansion } = resource;
  if (expand === undefined || expansion === undefined) return readRecord<Row | Listed>(ctx, resource, id);
  checkScopes(ctx.caller, [`${expansion.resource}:read`]);
  return readRecord<Row | Listed>(ctx, resource, id, expansion.shape);
}

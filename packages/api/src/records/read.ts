import { checkScopes } from '../access/scopes.ts';
import type { DirectoryResource, ResourceName } from '../directory/registry.ts';
import { type RawJson, rawIfAccepted } from '../engine/json/raw-json.ts';
import type { JsonShape } from '../engine/json/record-json.ts';
import { type Page, readPage } from '../engine/list/list-records.ts';
import type { Known, Listable, ListInput } from '../engine/list/listable.ts';
import type { CallContext } from '../trpc/context.ts';
import { readRecord } from './service.ts';

interface Expansion<Listed extends { id: string }> {
  shape: JsonShape<Listed>;
  resource?: ResourceName;
}

type Expandable<
  Row extends { id: string },
  Listed extends { id: string },
  Own extends object,
> = DirectoryResource<Row> &
  Listable<Row, Own> & {
    expansions?: Readonly<Record<string, Expansion<Listed>>>;
  };

type Expand = string | readonly string[] | undefined;

interface ListQuery extends ListInput {
  expand?: Expand;
}

/** The shape of the records with what is added; undefined for nothing. Throws `insufficient_scope`. */
function expandedShape<Listed extends { id: string }>(
  { caller }: CallContext,
  { expansions = {} }: { expansions?: Readonly<Record<string, Expansion<Listed>>> },
  expand: Expand,
): JsonShape<Listed> | undefined {
  if (expand === undefined) return undefined;
  const names = [...new Set([expand].flat())].sort().join(',');
  const expansion = expansions[names];
  // The schema of the query has no other values.
  if (expansion === undefined) throw new Error(`no expansion ${names}`);
  if (expansion.resource !== undefined) checkScopes(caller, [`${expansion.resource}:read`]);
  return expansion.shape;
}

/** Throws `insufficient_scope` and the errors of `readPage`. */
export function listRecords<
  Row extends { id: string },
  Own extends object,
  Query extends ListQuery,
  Listed extends { id: string } = Row,
>(
  ctx: CallContext,
  resource: Expandable<Row, Listed, Own>,
  query: Known<Query, Own & Pick<ListQuery, 'expand'>>,
): Promise<RawJson<Page<Row | Listed>>> {
  const { expand, ...input }: ListQuery = query;
  const { db, limit } = ctx;
  const expanded = expandedShape<Row | Listed>(ctx, resource, expand);
  return readPage<Row | Listed, ListInput, object>(db, {
    resource,
    ...(expanded && { expanded }),
    input,
    now: ctx.now(),
    limit,
  });
}

/**
 * With `expand` there is no version, because embedded data has none. Throws `not_found`,
 * `insufficient_scope`.
 */
export async function readOne<Row extends { id: string }, Listed extends { id: string }>(
  ctx: CallContext,
  resource: Expandable<Row, Listed, object>,
  { id, expand }: { id: string; expand?: Expand },
): Promise<RawJson<Row | Listed> | Row | Listed> {
  const expanded = expandedShape<Row | Listed>(ctx, resource, expand);
  return rawIfAccepted(ctx, await readRecord<Row | Listed>(ctx, resource, id, expanded));
}

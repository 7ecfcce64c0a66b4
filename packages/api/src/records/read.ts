import type { DirectoryResource, ResourceName } from '../directory.ts';
import type { RawJson } from '../engine/json/raw-json.ts';
import type { JsonShape } from '../engine/json/record-json.ts';
import { type Page, readPage } from '../engine/list/list-records.ts';
import type { ListInput } from '../engine/list/listable.ts';
import { checkScopes } from '../identity/access/scopes.ts';
import type { CallContext } from '../trpc/context.ts';
import { readRecord } from './service.ts';

/** A resource whose records `expand` adds something to. */
type Expandable<Row extends { id: string }, Listed extends { id: string }> = DirectoryResource<Row> & {
  expansion: { shape: JsonShape<Listed>; resource: ResourceName };
};

/** Reads a page of records; with `expand` each with more. Throws `insufficient_scope`, and what `readPage` throws. */
export function listRecords<Row extends { id: string }, Listed extends { id: string }>(
  { db, caller, services, limit }: CallContext,
  resource: Expandable<Row, Listed>,
  { expand, ...input }: ListInput & { expand?: string | undefined },
): Promise<RawJson<Page<Row | Listed>>> {
  const now = services.now();
  const { expansion } = resource;
  if (expand === undefined) return readPage<Row | Listed, ListInput>(db, { resource, input, now, limit });
  checkScopes(caller, [`${expansion.resource}:read`]);
  const expanded = expansion.shape;
  return readPage<Row | Listed, ListInput>(db, { resource, expanded, input, now, limit });
}

/**
 * Reads one record; with `expand` with more, and then without its version: what is embedded changes without a new one. Throws `not_found`,
 * `insufficient_scope`.
 */
export function readOne<Row extends { id: string }, Listed extends { id: string }>(
  ctx: CallContext,
  resource: Expandable<Row, Listed>,
  { id, expand }: { id: string; expand?: string | undefined },
): Promise<RawJson<Row | Listed>> {
  if (expand === undefined) return readRecord<Row | Listed>(ctx, resource, id);
  const { expansion } = resource;
  checkScopes(ctx.caller, [`${expansion.resource}:read`]);
  return readRecord<Row | Listed>(ctx, resource, id, expansion.shape);
}

import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { definitions } from '../directory/registry.ts';
import type { Reference, ResourceDefinition } from '../engine/definition.ts';
import { RawJson } from '../engine/json/raw-json.ts';
import { isRowWithin, type OfficeLimit, officesValue } from '../engine/office-limit.ts';
import { isLastStateWithin } from '../engine/write/tombstones.ts';

/** In records, events, histories and previews, limited access sees only items within the limit. */

/** The ID fields of such items, each with its resource; the same in all lists. */
const hiddenItems = definitions.flatMap(({ references }) =>
  Object.values<Reference>(references).flatMap(({ table, items }) => {
    const resource = definitions.find((definition) => definition.table === table);
    return items?.areHiddenOutside && resource ? [{ field: items.field, resource }] : [];
  }),
);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const Id = z.uuid();

function idIn(field: string, item: unknown): string | undefined {
  return isObject(item) ? Id.safeParse(item[field]).data : undefined;
}

function addIds(field: string, value: unknown, ids: Set<string>): void {
  if (Array.isArray(value))
    for (const item of value) {
      const id = idIn(field, item);
      if (id !== undefined) ids.add(id);
      addIds(field, item, ids);
    }
  else if (isObject(value)) for (const part of Object.values(value)) addIds(field, part, ids);
}

/** Keeps only items with these IDs. Parts without such a list stay the same objects. */
function withItems(field: string, value: unknown, ids: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) {
    const isSeen = (item: unknown) => {
      const id = idIn(field, item);
      return id === undefined || ids.has(id);
    };
    return value.filter(isSeen).map((item) => withItems(field, item, ids));
  }
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, withItems(field, part, ids)]);
  return Object.fromEntries(parts);
}

/** JSON encoded by PostgreSQL has none, because its statement applied the limit (`JsonShape.limited`). */
export async function withVisibleItems<Value>(
  db: Kysely<Database>,
  given: Value,
  limit: OfficeLimit | undefined,
): Promise<Value> {
  if (limit === undefined || given instanceof RawJson) return given;
  let value: unknown = given;
  for (const { field, resource } of hiddenItems) {
    const ids = new Set<string>();
    addIds(field, value, ids);
    if (ids.size === 0) continue;
    value = withItems(field, value, await seenAmong(db, resource, { ids: [...ids], limit }));
  }
  return value as Value;
}

type Resource = Pick<ResourceDefinition, 'name' | 'table' | 'limit' | 'parent'>;

/** Deleted records count by their last state. Without a limit all of them. */
export async function seenAmong(
  db: Kysely<Database>,
  resource: Resource,
  { ids, limit }: { ids: readonly string[]; limit: OfficeLimit | undefined },
): Promise<ReadonlySet<string>> {
  if (limit === undefined || ids.length === 0) return new Set(ids);
  const { name, table } = resource;
  const offices = sql`${officesValue(limit)}`;
  const isWanted = sql<boolean>`id = any(${ids}::uuid[])`;
  const records = db.selectFrom(table).where(isWanted).where(isRowWithin(resource.limit?.column, offices));
  const deleted = db.selectFrom('tombstone').where('collection', '=', name).where(isWanted);
  const rows = await records
    .select('id')
    .unionAll(deleted.where(isLastStateWithin(resource, offices)).select('id'))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { ResourceDefinition } from '../engine/definition.ts';
import { isRowWithin, type OfficeLimit, officesValue } from '../engine/office-limit.ts';
import { isLastStateWithin } from '../engine/write/tombstones.ts';

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

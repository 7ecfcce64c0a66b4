import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { ResourceDefinition } from '../../engine/definition.ts';
import { andIsWithin, type OfficeLimit } from '../../engine/office-limit.ts';
import { wasWithin } from '../../engine/write/tombstones.ts';

type Resource = Pick<ResourceDefinition, 'name' | 'table' | 'limit' | 'parent'>;

/** Deleted records count by their last state. Without a limit all of them. */
export async function seenAmong(
  db: Kysely<Database>,
  resource: Resource,
  { ids, limit }: { ids: readonly string[]; limit: OfficeLimit | undefined },
): Promise<ReadonlySet<string>> {
  if (limit === undefined || ids.length === 0) return new Set(ids);
  const { name, table } = resource;
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id = any(${ids}::uuid[])${andIsWithin(resource.limit.column, limit)}
    union all
    select id from tombstone where collection = ${name} and id = any(${ids}::uuid[])${wasWithin(resource, limit)}`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

import type { Database } from '@roster/db';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { ResourceDefinition } from '../definition.ts';
import { isWithin, type OfficeLimit, officesValue } from '../office-limit.ts';
import { type Retention, retentionEnd } from '../retention.ts';
import { isNotMerged } from '../sql/filter.ts';
import type { Limited } from './mutations.ts';

type Placed = Pick<ResourceDefinition, 'limit' | 'parent'>;

/** As for events: an office is also within by its main office. */
export function isLastStateWithin(
  { limit, parent }: Placed,
  offices: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const isOfParent = isWithin(sql`(record ->> ${sql.lit(parent.field)})::uuid`, offices);
  return limit.column === 'id' ? sql`(${isWithin(sql.ref('id'), offices)} or ${isOfParent})` : isOfParent;
}

export function wasWithin(placed: Placed, limit: OfficeLimit | undefined): RawBuilder<unknown> {
  if (limit === undefined) return sql``;
  return sql` and ${isLastStateWithin(placed, sql`${officesValue(limit)}`)}`;
}

/** Returns their last states. Skips missing, expired and merged ones. */
export async function takeTombstones<Row extends { id: string }>(
  trx: Transaction<Database>,
  resource: Pick<ResourceDefinition<Row>, 'name' | 'limit' | 'parent'>,
  { ids, limit, ...retention }: Retention & Limited & { ids: readonly string[] },
): Promise<Row[]> {
  const { rows } = await sql<{ record: Row }>`
    delete from tombstone
    where collection = ${resource.name} and id = any(${ids}::uuid[]) and deleted_at > ${retentionEnd(retention)} and ${isNotMerged}${wasWithin(resource, limit)}
    returning record`.execute(trx);
  return rows.map(({ record }) => record);
}

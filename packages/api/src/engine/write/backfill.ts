import { compiledVariants, type Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { ResourceDefinition } from '../definition.ts';

/** Rows in one statement: a fraction of a second, for which a change of one of them may wait. */
const ROWS_MAX = 500;

const statements = compiledVariants<{ count: number }>();

/**
 * Materialises the JSON of rows that have another schema version again, which the trigger does at any update. Until then
 * they are read more slowly. The records do not change: they get no version and no event. Any number of servers can run it
 * at once; rows that others have locked are left for the next time.
 *
 * @returns how many rows have the current schema version now
 */
export async function backfillRecords(
  db: Kysely<Database>,
  resources: readonly Pick<ResourceDefinition, 'table' | 'materialized'>[],
): Promise<number> {
  let total = 0;
  for (const { table, materialized } of resources) {
    if (materialized === undefined) continue;
    const { isStale, isCurrent } = materialized;
    const statement = statements(
      table,
      (param) => sql`
        with backfilled as (
          update ${sql.table(table)} set version = version where id in (
            select id from ${sql.table(table)} where ${isStale} limit ${param('rows_max')} for update skip locked
          ) returning (${isCurrent}) is true as is_current
        )
        select count(*)::int as count from backfilled where is_current`,
    );
    for (;;) {
      // The trigger of a newer release writes its own schema version; then none is current, and that release does the rest.
      const [{ count } = { count: 0 }] = await statement.execute(db, { rows_max: ROWS_MAX });
      total += count;
      if (count < ROWS_MAX) break;
    }
  }
  return total;
}

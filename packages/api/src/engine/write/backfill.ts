import { type Database, statement } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { ResourceDefinition } from '../definition.ts';
import type { JsonShape } from '../json/record-json.ts';

/** Rows per statement: it takes a fraction of a second, for which a change of one of them may wait. */
const ROWS_MAX = 500;

const backfillStatement = statement<{ of: JsonShape<unknown>; table: string }, { count: number }>(
  ({ of: { materialized }, table }, param) => {
    if (materialized === undefined) throw new Error(`the JSON of ${table} is not materialised`);
    const { isStale, isCurrent } = materialized;
    return sql`
        with backfilled as (
          update ${sql.table(table)} set version = version where id in (
            select id from ${sql.table(table)} where ${isStale} limit ${param('rows_max')} for update skip locked
          ) returning (${isCurrent}) is true as is_current
        )
        select count(*)::int as count from backfilled where is_current`;
  },
);

/**
 * Materialises the JSON of rows with another schema version again. Until then such rows are slower to read.
 * Records get no new version and no event. Safe on any number of servers.
 *
 * @returns the number of updated rows
 */
export async function backfillRecords(
  db: Kysely<Database>,
  resources: readonly ResourceDefinition[],
): Promise<number> {
  let total = 0;
  for (const resource of resources) {
    if (resource.materialized === undefined) continue;
    const backfill = backfillStatement({ of: resource, table: resource.table });
    for (;;) {
      // The trigger of a newer release writes its own schema version. Then none is current, and that release
      // does the rest.
      const [{ count } = { count: 0 }] = await backfill.execute(db, { rows_max: ROWS_MAX });
      total += count;
      if (count < ROWS_MAX) break;
    }
  }
  return total;
}

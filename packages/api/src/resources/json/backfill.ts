import { compiledVariants, type Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { agents } from '../../agents/definition.ts';
import { offices } from '../../offices/definition.ts';

/** Rows at a time: a fraction of a second, for which somebody who wants to change one of them may wait. */
const ROWS_MAX = 500;

const statements = compiledVariants<{ count: number }>();

/**
 * Lets the rows that keep their record in the shape of an earlier release make it anew, which the trigger does at any
 * update. Until then they are read as always, only slower. It is no change of the records: no version, no event. Safe
 * to run on any number of servers at once; rows that others hold are left for the next time. Returns how many it renewed.
 */
export async function renewRecords(db: Kysely<Database>): Promise<number> {
  let total = 0;
  for (const { table, materialized } of [offices, agents]) {
    if (materialized === undefined) continue;
    const statement = statements(
      table,
      (place) => sql`
        with renewed as (
          update ${sql.table(table)} set version = version where id in (
            select id from ${sql.table(table)} where ${materialized.isStale} limit ${place('rowsMax')} for update skip locked
          ) returning (${materialized.isCurrent}) is true as is_current
        )
        select count(*)::int as count from renewed where is_current`,
    );
    for (;;) {
      // None of what the trigger makes is of this shape: that of a later release, which is about to do the same.
      const [{ count } = { count: 0 }] = await statement.execute(db, { rowsMax: ROWS_MAX });
      total += count;
      if (count < ROWS_MAX) break;
    }
  }
  return total;
}

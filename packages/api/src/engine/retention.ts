import type { Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql } from 'kysely';

const DAY_MS = 24 * 60 * 60 * 1_000;

export interface Retention {
  now: Date;
  retentionDays: number;
}

export function retentionEnd({ now, retentionDays }: Retention): Date {
  return new Date(now.getTime() - retentionDays * DAY_MS);
}

export function keptUntil(endedAt: string, retentionDays: number): Date {
  return new Date(Date.parse(endedAt) + retentionDays * DAY_MS);
}

const DELETED_ROWS_MAX = 5_000;

/** In short statements, below the statement timeout. Safe on any number of servers. */
export async function deleteInBatches(
  db: Kysely<Database>,
  table: keyof Database,
  condition: RawBuilder<unknown>,
  keys: readonly string[] = ['id'],
): Promise<number> {
  const key = sql.join(keys.map((column) => sql.ref(column)));
  for (let count = 0; ; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where (${key}) in (
        select ${key} from ${sql.table(table)} where ${condition} limit ${DELETED_ROWS_MAX} for update skip locked
      )`.execute(db);
    count += Number(numAffectedRows);
    if (numAffectedRows < DELETED_ROWS_MAX) return count;
  }
}

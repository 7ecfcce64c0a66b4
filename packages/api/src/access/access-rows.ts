import type { Database } from '@roster/db';
import { type Kysely, sql, type Updateable } from 'kysely';

export async function lockRow(
  trx: Kysely<Database>,
  table: 'saved_view' | 'webhook',
  id: string,
): Promise<boolean> {
  const row = trx.selectFrom(table).where('id', '=', id).forUpdate();
  return (await row.executeTakeFirst()) !== undefined;
}

const USE_INTERVAL_MS = 60_000;

/** Records a use, at most once a minute. A failure does not fail the request. */
export async function recordUse(
  db: Kysely<Database>,
  table: 'api_key' | 'session',
  { id, now }: { id: string; now: Date },
): Promise<void> {
  const before = new Date(now.getTime() - USE_INTERVAL_MS);
  await db
    .updateTable(table)
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<=', before)]))
    .execute()
    .catch(() => undefined);
}

type Changed = Updateable<Database['api_key']> | Updateable<Database['person']>;

/** Skips undefined values, and writes nothing if no value differs. */
export async function changeRow(
  db: Kysely<Database>,
  table: 'api_key' | 'person',
  { id, now, values }: { id: string; now: Date; values: Changed },
): Promise<void> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  if (given.length === 0) return;
  await db
    .updateTable(table)
    .set({ ...values, updated_at: now })
    .where('id', '=', id)
    .where((row) =>
      row.or(given.map(([name, value]) => row(sql.ref(name), 'is distinct from', row.val(value)))),
    )
    .execute();
}

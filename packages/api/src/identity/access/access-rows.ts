import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';

export async function lockRow(
  trx: Kysely<Database>,
  table: 'saved_view' | 'webhook',
  id: string,
): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(table)} where id = ${id} for update`.execute(trx);
  return rows.length > 0;
}

/** Also deletes what belongs to the row: sessions of a person, secrets and deliveries of a webhook. */
export async function deleteRow(
  db: Kysely<Database>,
  table: 'passkey' | 'person' | 'saved_view' | 'webhook',
  id: string,
): Promise<void> {
  await sql`delete from ${sql.table(table)} where id = ${id}`.execute(db);
}

const USE_INTERVAL_MS = 60_000;

/** Records a use, at most once a minute. A failure does not fail the request. */
export async function recordUse(
  db: Kysely<Database>,
  table: 'api_key' | 'session',
  { id, now }: { id: string; now: Date },
): Promise<void> {
  const before = new Date(now.getTime() - USE_INTERVAL_MS);
  const update = sql`
    update ${sql.table(table)} set last_used_at = ${now}
    where id = ${id} and (last_used_at is null or last_used_at <= ${before})`;
  await update.execute(db).catch(() => undefined);
}

/** Skips undefined values, and writes nothing if no value differs. */
export async function changeRow(
  db: Kysely<Database>,
  table: 'api_key' | 'person',
  { id, now, values }: { id: string; now: Date; values: Readonly<Record<string, unknown>> },
): Promise<void> {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  if (set.length === 0) return;
  const isDistinct = set.map(([name, value]) => sql`${sql.ref(name)} is distinct from ${value}`);
  await sql`
    update ${sql.table(table)}
    set ${sql.join([...set.map(([name, value]) => sql`${sql.ref(name)} = ${value}`), sql`updated_at = ${now}`])}
    where id = ${id} and (${sql.join(isDistinct, sql` or `)})`.execute(db);
}

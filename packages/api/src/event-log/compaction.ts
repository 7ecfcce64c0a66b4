import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { type Retention, retentionEnd } from '../resources/retention.ts';

/** The number of events that one transaction compacts. */
const BATCH_SIZE = 5_000;
/** The transaction holds the lock of the log, so a server that stops responding loses it after this time. */
const IDLE_TIMEOUT_MS = 1_000;

/**
 * Compacts the part of the log that is older than the history that is kept to the newest event of each record, in short
 * transactions that no writer waits for. Any number of servers can run it; one of them works at a time.
 *
 * @param retention for how many days every event is kept
 * @returns the number of deleted events
 */
export async function compactEvents(db: Kysely<Database>, retention: Retention): Promise<number> {
  const oldest = retentionEnd(retention);
  let count = 0;
  for (;;) {
    const { removed, isDone } = await compactBatch(db, oldest);
    count += removed;
    if (isDone) return count;
  }
}

/** Compacts the next batch: each of its events replaces the older ones of its record. */
async function compactBatch(
  db: Kysely<Database>,
  oldest: Date,
): Promise<{ removed: number; isDone: boolean }> {
  return db.transaction().execute(async (trx) => {
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(IDLE_TIMEOUT_MS)}`.execute(trx);
    const { rows: locked } = await sql<{ from: string }>`
      select compacted_to as from from event_log
      where pg_try_advisory_xact_lock(hashtextextended('compaction of the event log', 0))`.execute(trx);
    if (locked.length === 0) return { removed: 0, isDone: true };
    const { rows } = await sql<{ to: string | null; size: number }>`
      select coalesce(min(position) filter (where occurred_at >= ${oldest}) - 1, max(position)) as to,
        count(*)::int as size
      from (
        select position, occurred_at from event where position > ${locked[0]?.from} order by position limit ${BATCH_SIZE}
      ) as batch`.execute(trx);
    const [from, to, size] = [Number(locked[0]?.from), Number(rows[0]?.to ?? 0), rows[0]?.size ?? 0];
    if (to <= from) return { removed: 0, isDone: true };
    const { numAffectedRows = 0n } = await sql`
      delete from event as older using event as newer
      where newer.position > ${from} and newer.position <= ${to}
        and older.subject_id = newer.subject_id and older.position < newer.position`.execute(trx);
    await sql`
      delete from admin_event as older using admin_event as newer
      where newer.position > ${from} and newer.position <= ${to}
        and older.subject_id = newer.subject_id and older.position < newer.position`.execute(trx);
    await sql`update event_log set compacted_to = ${to}`.execute(trx);
    return { removed: Number(numAffectedRows), isDone: size < BATCH_SIZE };
  });
}

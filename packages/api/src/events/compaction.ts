import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { type Retention, retentionEnd } from '../resources/retention.ts';

const AT_ONCE = 5_000;
/** No event is given a position while the log's row is held: a server that stands still then loses its transaction. */
const STANDSTILL_MS = 1_000;

/**
 * Compacts the log: of what is older than the retention, the newest event of each record is kept. Short transactions,
 * one after the other; safe on any number of servers at once. Returns how many events it removed.
 */
export async function compactEvents(db: Kysely<Database>, retention: Retention): Promise<number> {
  const oldest = retentionEnd(retention);
  let count = 0;
  for (;;) {
    const { removed, isDone } = await compactOn(db, oldest);
    count += removed;
    if (isDone) return count;
  }
}

/** One stretch onward: each of its events takes the place of the older ones of its record. */
async function compactOn(db: Kysely<Database>, oldest: Date): Promise<{ removed: number; isDone: boolean }> {
  return db.transaction().execute(async (trx) => {
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(STANDSTILL_MS)}`.execute(trx);
    const { rows: locked } = await sql<{ from: string }>`
      select compacted_to as from from event_log
      where pg_try_advisory_xact_lock(hashtextextended('compaction of the event log', 0))`.execute(trx);
    if (locked.length === 0) return { removed: 0, isDone: true };
    const { rows } = await sql<{ to: string | null; size: number }>`
      select coalesce(min(position) filter (where occurred_at >= ${oldest}) - 1, max(position)) as to,
        count(*)::int as size
      from (
        select position, occurred_at from event where position > ${locked[0]?.from} order by position limit ${AT_ONCE}
      ) as stretch`.execute(trx);
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
    return { removed: Number(numAffectedRows), isDone: size < AT_ONCE };
  });
}

import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';

/** The number of purged records in one transaction. */
const RECORDS_MAX = 500;
/** The number of events that one transaction deletes: a record may have any number. */
const EVENTS_MAX = 5_000;
/** The transaction holds a lock of the log, so a server that stops responding loses it after this time. */
const IDLE_TIMEOUT_MS = 1_000;

/**
 * Deletes every event of the records that were purged but the `purged` event itself, which has no record, so that nothing of
 * what a deleted record held outlives its restore, however long the log keeps events. Runs short transactions; one that is cut
 * off is done again as a whole. Any number of servers can run it; one of them works at a time.
 *
 * @returns the number of deleted events
 */
export async function eraseEvents(db: Kysely<Database>): Promise<number> {
  let count = 0;
  for (;;) {
    const { erased, isDone } = await eraseBatch(db);
    count += erased;
    if (isDone) return count;
  }
}

/** Deletes events of the next purged records, and goes on to others once these have none left. */
async function eraseBatch(db: Kysely<Database>): Promise<{ erased: number; isDone: boolean }> {
  return db.transaction().execute(async (trx) => {
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(IDLE_TIMEOUT_MS)}`.execute(trx);
    const { rows: locked } = await sql<{ from: string }>`
      select erased_to as from from event_log
      where pg_try_advisory_xact_lock(hashtextextended('erasure of the event log', 0))`.execute(trx);
    if (locked.length === 0) return { erased: 0, isDone: true };
    const { rows } = await sql<{ to: string | null; size: number; erased: number }>`
      with purged as materialized (
        select position, subject_id from event
        where record is null and type like '%.purged' and position > ${locked[0]?.from} order by position limit ${RECORDS_MAX}
      ), chosen as materialized (
        select older.id from purged cross join lateral (
          select id from event where subject_id = purged.subject_id and position < purged.position limit ${EVENTS_MAX}
        ) as older
        limit ${EVENTS_MAX}
      ), erased as (
        delete from event where id in (select id from chosen) returning id
      )
      select (select max(position) from purged) as to, (select count(*)::int from purged) as size,
        (select count(*)::int from erased) as erased`.execute(trx);
    const { to = null, size = 0, erased = 0 } = rows[0] ?? {};
    if (to === null) return { erased, isDone: true };
    if (erased === EVENTS_MAX) return { erased, isDone: false };
    await sql`update event_log set erased_to = ${to}`.execute(trx);
    return { erased, isDone: size < RECORDS_MAX };
  });
}

import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Retention, retentionEnd } from '../engine/retention.ts';

const EVENTS_MAX = 5_000;
const RECORDS_MAX = 500;
/** The transaction locks the log, so a server that stops responding loses it after this time. */
const IDLE_TIMEOUT_MS = 1_000;

interface Batch {
  deleted: number;
  isDone: boolean;
  to?: number | string;
}

/**
 * Deletes events in short transactions that delay no writer, from where the last one ended. On several
 * servers, one works at a time.
 *
 * @returns the number of deleted events
 */
async function inBatches(
  db: Kysely<Database>,
  { work, column }: { work: string; column: 'compacted_to' | 'erased_to' },
  act: (trx: Transaction<Database>, from: string) => Promise<Batch>,
): Promise<number> {
  for (let count = 0; ; ) {
    const { deleted, isDone } = await db.transaction().execute(async (trx) => {
      await sql`set local idle_in_transaction_session_timeout = ${sql.lit(IDLE_TIMEOUT_MS)}`.execute(trx);
      const { rows } = await sql<{ from: string }>`
        select ${sql.ref(column)} as from from event_log
        where pg_try_advisory_xact_lock(hashtextextended(${`${work} of the event log`}, 0))`.execute(trx);
      if (rows[0] === undefined) return { deleted: 0, isDone: true };
      const batch = await act(trx, rows[0].from);
      if (batch.to !== undefined)
        await sql`update event_log set ${sql.ref(column)} = ${batch.to}`.execute(trx);
      return batch;
    });
    count += deleted;
    if (isDone) return count;
  }
}

/**
 * Compacts the log before the kept history to the newest event of each record: each event of a batch replaces
 * the older ones of its record. See `inBatches`.
 *
 * @param retention for how many days every event is kept
 */
export function compactEvents(db: Kysely<Database>, retention: Retention): Promise<number> {
  const oldest = retentionEnd(retention);
  return inBatches(db, { work: 'compaction', column: 'compacted_to' }, async (trx, from) => {
    const { rows } = await sql<{ to: string | null; size: number }>`
      select coalesce(min(position) filter (where occurred_at >= ${oldest}) - 1, max(position)) as to,
        count(*)::int as size
      from (
        select position, occurred_at from event where position > ${from} order by position limit ${EVENTS_MAX}
      ) as batch`.execute(trx);
    const [to, size] = [Number(rows[0]?.to ?? 0), rows[0]?.size ?? 0];
    if (to <= Number(from)) return { deleted: 0, isDone: true };
    const deleteOlder = (table: 'event' | 'admin_event') =>
      sql`
        delete from ${sql.table(table)} as older using ${sql.table(table)} as newer
        where newer.position > ${from} and newer.position <= ${to}
          and older.subject_id = newer.subject_id and older.position < newer.position`.execute(trx);
    const { numAffectedRows = 0n } = await deleteOlder('event');
    await deleteOlder('admin_event');
    return { deleted: Number(numAffectedRows), isDone: size < EVENTS_MAX, to };
  });
}

/**
 * Deletes every event of purged records except the `purged` event, which has no record, so that deleted data
 * does not outlive its restore, however long the log is kept. An interrupted transaction is repeated as a
 * whole; see `inBatches`.
 */
export function eraseEvents(db: Kysely<Database>): Promise<number> {
  return inBatches(db, { work: 'erasure', column: 'erased_to' }, async (trx, from) => {
    const { rows } = await sql<{ to: string | null; size: number; deleted: number }>`
      with purged as materialized (
        select position, subject_id from event
        where record is null and type like '%.purged' and position > ${from} order by position limit ${RECORDS_MAX}
      ), chosen as materialized (
        select older.id from purged cross join lateral (
          select id from event where subject_id = purged.subject_id and position < purged.position limit ${EVENTS_MAX}
        ) as older
        limit ${EVENTS_MAX}
      ), erased as (
        delete from event where id in (select id from chosen) returning id
      )
      select (select max(position) from purged) as to, (select count(*)::int from purged) as size,
        (select count(*)::int from erased) as deleted`.execute(trx);
    const { to = null, size = 0, deleted = 0 } = rows[0] ?? {};
    if (to === null) return { deleted, isDone: true };
    if (deleted === EVENTS_MAX) return { deleted, isDone: false };
    return { deleted, isDone: size < RECORDS_MAX, to };
  });
}

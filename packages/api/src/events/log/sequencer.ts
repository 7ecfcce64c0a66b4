import { type Database, startPolling } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { lastPosition, lockLog } from './repository.ts';

/** The maximum number of events in one transaction, which keeps it short. */
const BATCH_SIZE = 1_000;
/** The pause after each run, so that several writers share one; it is part of the latency of an event. */
const PAUSE_MS = 15;
/** The interval of polls without a wake-up: another server may have ended between its commit and its wake-up. */
const POLL_INTERVAL_MS = 150;

/**
 * Assigns positions to committed events that have none (transactional outbox). Returns their number, or -1 if another
 * sequencer is running.
 */
export async function assignPositions(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ assigned: number }>`
    select give_event_positions(${BATCH_SIZE}::int) as assigned`.execute(db);
  return rows[0]?.assigned ?? 0;
}

/**
 * The position of the last change that is complete. Every committed event gets a position first, so that the events after it are those of
 * later changes. Locks the log until the transaction ends.
 */
export async function endOfLog(trx: Transaction<Database>): Promise<string> {
  await lockLog(trx);
  while ((await assignPositions(trx)) === BATCH_SIZE);
  return lastPosition(trx);
}

export interface Sequencer {
  /** To be called after a commit that may have written events. */
  wake(): void;
  /** Resolves when the current run has ended. */
  close(): Promise<void>;
}

/**
 * Starts assigning positions: soon after each wake-up, and every 150 ms. Any number of servers can run one; the database lets
 * only one of them work at a time. After a failure it reports the error and tries again.
 */
export function startSequencer(db: Kysely<Database>, onError: (error: unknown) => void): Sequencer {
  const assign = async () => ((await assignPositions(db)) === BATCH_SIZE ? 'more' : undefined);
  const options = { intervalMs: POLL_INTERVAL_MS, pauseMs: PAUSE_MS, onError };
  const { wake, stop } = startPolling(assign, options);
  return { wake, close: stop };
}

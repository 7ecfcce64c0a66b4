import { type Database, startPolling } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { lastPosition, lockLog } from './repository.ts';

const BATCH_SIZE = 1_000;
/** Lets writers share a run; part of an event's latency. */
const PAUSE_MS = 15;
/** Another server may have ended between its commit and its wake-up. */
const POLL_INTERVAL_MS = 150;

/** Transactional outbox. Returns the number of events, or -1 if another sequencer is running. */
export async function assignPositions(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ assigned: number }>`
    select give_event_positions(${BATCH_SIZE}::int) as assigned`.execute(db);
  return rows[0]?.assigned ?? 0;
}

/** Assigns all pending positions first, and locks the log until the transaction ends. */
export async function endOfLog(trx: Transaction<Database>): Promise<string> {
  await lockLog(trx);
  while ((await assignPositions(trx)) === BATCH_SIZE);
  return lastPosition(trx);
}

export interface Sequencer {
  wake(): void;
  close(): Promise<void>;
}

/** Any number of servers can run a sequencer; one works at a time. It retries after a failure. */
export function startSequencer(db: Kysely<Database>, onError: (error: unknown) => void): Sequencer {
  const assign = async () => ((await assignPositions(db)) === BATCH_SIZE ? 'more' : undefined);
  const options = { intervalMs: POLL_INTERVAL_MS, pauseMs: PAUSE_MS, onError };
  const { wake, stop } = startPolling(assign, options);
  return { wake, close: stop };
}

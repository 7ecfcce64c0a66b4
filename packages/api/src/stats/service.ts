import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { startPeriodicJob } from '../resources/periodic-job.ts';
import { countDirectory, findStoredStats, storeStats } from './repository.ts';
import type { Stats } from './schemas.ts';

/**
 * A directory of at most so many records is counted for each request, so that the counts are those of the lists at that moment.
 * By number and not by time, because counting takes longer while the server starts.
 */
const COUNTED_LIVE_MAX = 10_000;
const INTERVAL_MS = 60_000;
const STATEMENT_TIMEOUT_MS = 120_000;

const recordsOf = ({ offices, agents }: Stats) =>
  offices.active + offices.inactive + agents.active + agents.inactive;

/**
 * The counts of the directory, of one snapshot whose time is `asOf`: counted now if it is small, else those that a server
 * counted last.
 */
export async function readStats(db: Kysely<Database>, now: Date): Promise<Stats> {
  const stored = await findStoredStats(db);
  return stored !== undefined && recordsOf(stored) > COUNTED_LIVE_MAX ? stored : countDirectory(db, now);
}

/** Counts the directory, and stores the counts. */
export async function refreshStats(db: Kysely<Database>, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql.raw(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`).execute(trx);
    await storeStats(trx, await countDirectory(trx, now));
  });
}

export interface StatsWorkerOptions {
  db: Kysely<Database>;
  /** The clock of the database. */
  now: () => Date;
  onError: (error: unknown) => void;
}

/**
 * Refreshes the stored counts on one server at a time: every minute, or less often if counting takes long.
 *
 * @returns a function that stops it, and resolves when the current run has ended
 */
export function startStatsWorker({ db, now, onError }: StatsWorkerOptions): () => Promise<void> {
  const run = () => refreshStats(db, now());
  return startPeriodicJob(db, { name: 'directory stats', intervalMs: INTERVAL_MS, run, onError });
}

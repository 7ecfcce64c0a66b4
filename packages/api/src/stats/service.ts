import { type Database, withDisconnectCheck } from '@roster/db';
import type { Kysely } from 'kysely';
import { resourceNames } from '../directory/registry.ts';
import { startPeriodicJob } from '../engine/queue/periodic-job.ts';
import type { CallContext } from '../trpc/context.ts';
import { countDirectory, findStoredStats, storeStats } from './repository.ts';
import type { Stats } from './schemas.ts';

/** A number and not a time, because counting is slower while the server starts. */
const COUNTED_LIVE_MAX = 10_000;
const INTERVAL_MS = 60_000;
/** Ten million records take about a minute. */
export const COUNTING_TIMEOUT_MS = 180_000;

function recordsOf(stats: Stats): number {
  const counts = resourceNames.map((name) => stats[name]);
  return counts.reduce((sum, { active, inactive }) => sum + active + inactive, 0);
}

/** Counts of one snapshot at `asOf`: live for a small directory or a limit, else the last stored ones. */
export async function readStats({ db, limit }: Pick<CallContext, 'db' | 'limit'>, now: Date): Promise<Stats> {
  if (limit !== undefined) return countDirectory(db, { now, limit });
  const stored = await findStoredStats(db);
  return stored !== undefined && recordsOf(stored) > COUNTED_LIVE_MAX
    ? stored
    : countDirectory(db, { now, limit });
}

interface Refresh {
  /** A connection with timeouts for long statements. Defaults to `db`. */
  counting?: Kysely<Database>;
  signal?: AbortSignal;
}

export async function refreshStats(
  db: Kysely<Database>,
  now: Date,
  { counting = db, signal }: Refresh = {},
): Promise<void> {
  const cancelled = withDisconnectCheck(counting, () => signal?.aborted === true);
  const stats = await countDirectory(cancelled, { now, limit: undefined });
  await storeStats(db, stats);
}

export interface StatsWorkerOptions {
  db: Kysely<Database>;
  counting: Kysely<Database>;
  /** The clock of the database. */
  now: () => Date;
  onError: (error: unknown) => void;
}

/**
 * Refreshes the stored counts on one server at a time, every minute or less often if counting is slow.
 *
 * @returns stops it and cancels a running count; resolves when that has ended
 */
export function startStatsWorker({ db, counting, now, onError }: StatsWorkerOptions): () => Promise<void> {
  const stopping = new AbortController();
  const stop = startPeriodicJob(db, {
    name: 'directory stats',
    intervalMs: INTERVAL_MS,
    run: () => refreshStats(db, now(), { counting, signal: stopping.signal }),
    onError: (error) => {
      if (!stopping.signal.aborted) onError(error);
    },
  });
  return () => {
    stopping.abort();
    return stop();
  };
}

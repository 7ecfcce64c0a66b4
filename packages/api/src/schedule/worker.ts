import { type Database, startPolling } from '@roster/db';
import type { Kysely } from 'kysely';
import { runDueChanges } from './run-due.ts';

/** The time between two looks for due changes; a change may happen so much later than its time. */
const POLL_INTERVAL_MS = 1_000;

interface ScheduledChangeWorkerOptions {
  db: Kysely<Database>;
  /** The clock of the database. */
  now: () => Date;
  /** Called after changes that were made. */
  onCommit: () => void;
  onFailure: (error: unknown) => void;
}

export interface ScheduledChangeWorker {
  /** Resolves when the running change has ended; one of many agents is rolled back, and another server makes it. */
  close(): Promise<void>;
}

/**
 * Starts making the changes whose time has come. Any number of servers can run a worker: each change is made once, and by
 * another server if one dies. What became due while no server ran is made at once.
 */
export function startScheduledChangeWorker(options: ScheduledChangeWorkerOptions): ScheduledChangeWorker {
  const { db, now, onCommit, onFailure } = options;
  const stopping = new AbortController();
  const run = async () => {
    const ended = await runDueChanges(db, { now, onError: onFailure, signal: stopping.signal });
    if (ended === 0) return undefined;
    onCommit();
    return 'more';
  };
  const { stop } = startPolling(run, { intervalMs: POLL_INTERVAL_MS, onError: onFailure });
  const close = () => {
    stopping.abort();
    return stop();
  };
  return { close };
}

import { type Database, startPolling } from '@roster/db';
import type { Kysely } from 'kysely';
import { runDueChanges } from './run-due.ts';

/** Changes can be this late. */
const POLL_INTERVAL_MS = 1_000;

interface ScheduledChangeWorkerOptions {
  db: Kysely<Database>;
  /** The clock of the database. */
  now: () => Date;
  onCommit: () => void;
  onFailure: (error: unknown) => void;
  defaultCountry: string | undefined;
}

export interface ScheduledChangeWorker {
  /** Resolves when the running change has ended; one of many agents is rolled back. */
  close(): Promise<void>;
}

/** Each change is made once, by another server if one dies. Overdue changes are made at once. */
export function startScheduledChangeWorker(options: ScheduledChangeWorkerOptions): ScheduledChangeWorker {
  const { db, now, onCommit, onFailure, defaultCountry } = options;
  const stopping = new AbortController();
  const run = async () => {
    const ended = await runDueChanges(db, {
      now,
      onError: onFailure,
      signal: stopping.signal,
      defaultCountry,
    });
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

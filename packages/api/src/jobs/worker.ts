import { type Database, startPolling } from '@roster/db';
import type { Kysely } from 'kysely';
import type { EventNotifier } from '../events/log/notifier.ts';
import { runImport } from '../imports/files/run-import.ts';
import { type BatchOptions, runNextBatch } from './batches.ts';

/**
 * The time between two looks of a server for jobs that it was not told of: those whose server has ended, and all while it cannot listen
 * to the database.
 */
const POLL_INTERVAL_MS = 2_000;

/** The options of all jobs, those that import files among them. */
type JobOptions = Omit<BatchOptions, 'runImport'>;

interface JobWorkerOptions extends JobOptions {
  /** Connections that no request waits for. */
  db: Kysely<Database>;
  notifier: EventNotifier;
  /** Called with each error; the worker continues. */
  onFailure: (error: unknown) => void;
}

export interface JobWorker {
  /** Looks for a job at once. */
  wake(): void;
  /** Starts no further batch, and resolves when the current one has ended. Idempotent; never rejects. */
  close(): Promise<void>;
}

/** Runs the next batch of a job, which may be one that imports a file; see `runNextBatch`. */
function runNextJob(db: Kysely<Database>, options: JobOptions): Promise<boolean> {
  const { defaultCountry } = options;
  return runNextBatch(db, {
    ...options,
    runImport: (trx, job, { cause }) => runImport(trx, job, { cause, defaultCountry, db }),
  });
}

/**
 * Starts running jobs, one batch after another. Any number of servers can run a worker; each works on another job. Of several
 * jobs each gets a batch in turn.
 */
export function startJobWorker({ db, notifier, onFailure, ...options }: JobWorkerOptions): JobWorker {
  const runBatch = async () => {
    const isRun = await runNextJob(db, options);
    if (!isRun) return undefined;
    notifier.onCommit();
    return 'more';
  };
  const { wake, stop } = startPolling(runBatch, { intervalMs: POLL_INTERVAL_MS, onError: onFailure });
  return { wake, close: stop };
}

import { type Database, startPolling } from '@roster/db';
import type { Kysely } from 'kysely';
import { runImport } from '../imports/run-import.ts';
import { type BatchOptions, runNextBatch } from '../jobs/batches.ts';
import type { EventNotifier } from '../log/notifier.ts';

/** Finds jobs without a notification, such as those of a server that has ended. */
const POLL_INTERVAL_MS = 2_000;

type JobOptions = Omit<BatchOptions, 'runImport'>;

interface JobWorkerOptions extends JobOptions {
  db: Kysely<Database>;
  notifier: EventNotifier;
  onFailure: (error: unknown) => void;
}

export interface JobWorker {
  wake(): void;
  /** Resolves when the current batch has ended. Idempotent; never rejects. */
  close(): Promise<void>;
}

function runNextJob(db: Kysely<Database>, options: JobOptions): Promise<boolean> {
  const { defaultCountry } = options;
  return runNextBatch(db, {
    ...options,
    runImport: (trx, job, { cause }) => runImport(trx, job, { cause, defaultCountry, db }),
  });
}

/** Runs jobs batch by batch. On several servers, each works on another job. Waiting jobs take turns. */
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

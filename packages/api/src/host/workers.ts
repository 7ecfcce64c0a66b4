import { type ConnectionTarget, type Database, listen, startPolling } from '@roster/db';
import type { Kysely } from 'kysely';
import type { Authenticator } from '../access/authenticator.ts';
import { startLicenseWorker } from '../agents/license-notices.ts';
import { startPlaceWorker } from '../agents/places.ts';
import { startComparisonWorker } from '../duplicates/worker.ts';
import { describeServer, startServerRegistry } from '../engine/running-servers.ts';
import { runImport } from '../imports/run-import.ts';
import { type BatchOptions, runNextBatch } from '../jobs/batches.ts';
import type { EventNotifier } from '../log/notifier.ts';
import { startSequencer } from '../log/sequencer.ts';
import { API_VERSION } from '../openapi/operations.ts';
import { startStatsWorker } from '../stats/service.ts';
import type { Sender } from '../webhooks/sender/http-sender.ts';
import { type DeliveryWorkerOptions, startDeliveryWorker } from '../webhooks/sending/delivery-worker.ts';
import { startScheduledChangeWorker } from './run-due.ts';

export type DeliveryOptions = Pick<
  DeliveryWorkerOptions,
  'retryDelaysMs' | 'backlogMax' | 'pollMs' | 'graceMs' | 'sendWithinMs' | 'slowAfterMs'
>;

interface WorkersOptions {
  connection: ConnectionTarget;
  db: Kysely<Database>;
  /** With the timeout `COUNTING_TIMEOUT_MS`, for counting. */
  counting: Kysely<Database>;
  now: () => Date;
  keys: Authenticator;
  notifier: EventNotifier;
  sender: Sender;
  webhooks: DeliveryOptions;
  retentionDays: number;
  defaultCountry: string | undefined;
  licenseNoticeDays: readonly number[];
  onServers: (servers: number) => void;
  onFailure: (error: unknown) => void;
}

interface RunningWorkers {
  wake(): void;
  /** Whether changes of callers on other servers are known at once. */
  isListening(): boolean;
  /** Deliveries in progress have `graceMs` to complete, then are released. Idempotent. */
  releaseDeliveries(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the background work: event sequencer, scheduled changes, jobs, places of work, webhook deliveries,
 * licence notices, duplicate comparison, directory counts, server registry, and the listener for notifications.
 */
export function startWorkers({ onFailure, ...options }: WorkersOptions): RunningWorkers {
  const { db, now, keys, notifier, licenseNoticeDays: noticeDays } = options;
  const sequencer = startSequencer(db, onFailure);
  const { retentionDays, defaultCountry } = options;
  const jobWorker = startJobWorker({ db, notifier, now, retentionDays, defaultCountry, onFailure });
  const placeWorker = startPlaceWorker({ db, onError: onFailure });
  const listener = listen({
    connection: options.connection,
    channels: {
      roster_keys: () => keys.invalidate(),
      roster_offices: () => keys.invalidateLimits(),
      roster_events: () => notifier.notify(),
      roster_jobs: () => jobWorker.wake(),
      roster_places: () => placeWorker.wake(),
    },
  });
  const scheduledChanges = startScheduledChangeWorker({
    db,
    now,
    onCommit: sequencer.wake,
    onFailure,
    defaultCountry,
  });
  const { sender, webhooks } = options;
  const deliveryWorker = startDeliveryWorker({ db, notifier, sender, onFailure, ...webhooks, now });
  const stopLicenses = startLicenseWorker({ db, now, noticeDays, onError: onFailure });
  const stopComparison = startComparisonWorker({ db, notifier, now, onFailure });
  const stopStats = startStatsWorker({ db, counting: options.counting, now, onError: onFailure });
  const leaveRegistry = startServerRegistry(db, {
    server: describeServer({ version: API_VERSION, startedAt: now() }),
    onCount: options.onServers,
    onError: onFailure,
  });
  return {
    wake: () => sequencer.wake(),
    isListening: () => listener.isListening(),
    releaseDeliveries: deliveryWorker.close,
    stop: async () => {
      await Promise.all([
        jobWorker.close(),
        placeWorker.stop(),
        scheduledChanges.close(),
        deliveryWorker.close(),
        leaveRegistry(),
        stopLicenses(),
        stopComparison(),
        stopStats(),
      ]);
      // Last, because workers write events until they end.
      await Promise.all([listener.close(), sequencer.close()]);
    },
  };
}

/** Finds jobs without a notification, such as those of a server that has ended. */
const POLL_INTERVAL_MS = 2_000;

type JobOptions = Omit<BatchOptions, 'runImport'>;

interface JobWorkerOptions extends JobOptions {
  db: Kysely<Database>;
  notifier: EventNotifier;
  onFailure: (error: unknown) => void;
}

interface JobWorker {
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
function startJobWorker({ db, notifier, onFailure, ...options }: JobWorkerOptions): JobWorker {
  const runBatch = async () => {
    const isRun = await runNextJob(db, options);
    if (!isRun) return undefined;
    notifier.onCommit();
    return 'more';
  };
  const { wake, stop } = startPolling(runBatch, { intervalMs: POLL_INTERVAL_MS, onError: onFailure });
  return { wake, close: stop };
}

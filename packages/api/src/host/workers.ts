import { type ConnectionTarget, type Database, listen } from '@roster/db';
import type { Kysely } from 'kysely';
import { startLicenseWorker } from '../agents/licenses/worker.ts';
import { startComparisonWorker } from '../duplicates/worker.ts';
import { describeServer, startServerRegistry } from '../engine/running-servers.ts';
import type { EventNotifier } from '../events/log/notifier.ts';
import { startSequencer } from '../events/log/sequencer.ts';
import type { Authenticator } from '../identity/access/authenticator.ts';
import { startJobWorker } from '../jobs/worker.ts';
import { API_VERSION } from '../openapi/operations.ts';
import { startScheduledChangeWorker } from '../schedule/worker.ts';
import { startStatsWorker } from '../stats/service.ts';
import type { Sender } from '../webhooks/sender/http-sender.ts';
import { type DeliveryWorkerOptions, startDeliveryWorker } from '../webhooks/sending/delivery-worker.ts';

/** Options of the delivery of webhooks. */
export type DeliveryOptions = Pick<
  DeliveryWorkerOptions,
  'retryDelaysMs' | 'backlogMax' | 'pollMs' | 'graceMs' | 'sendWithinMs' | 'slowAfterMs'
>;

interface WorkersOptions {
  /** The connection over which they hear of changes by other servers. */
  connection: ConnectionTarget;
  /** Connections that no request uses. */
  db: Kysely<Database>;
  /** One more, with the timeout `COUNTING_TIMEOUT_MS`, which counts the directory. */
  counting: Kysely<Database>;
  now: () => Date;
  keys: Authenticator;
  notifier: EventNotifier;
  sender: Sender;
  webhooks: DeliveryOptions;
  /** Days for which deleted records can be restored. */
  retentionDays: number;
  /** The default country of telephones that the environment sets; undefined leaves it to the settings of the directory. */
  defaultCountry: string | undefined;
  /** The numbers of days before its last day at which a licence is noticed; never if there are none. */
  licenseNoticeDays: readonly number[];
  /** Called with the number of servers on the database, at first and when it changes. */
  onServers: (servers: number) => void;
  /** Called with each error of a worker; the worker tries again by itself. */
  onFailure: (error: unknown) => void;
}

/** The workers that run. */
interface RunningWorkers {
  /** Gives committed events their positions now. */
  wake(): void;
  /** Whether it is known at once what other servers do to callers. */
  isListening(): boolean;
  /** Claims no more deliveries; those in progress have `graceMs` to complete, and are released then. Idempotent. */
  releaseDeliveries(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts what a service does without a request: the sequencer of events, the scheduled changes, the jobs, the deliveries of webhooks, the
 * notices of licences, the comparison of records, the counts of the directory, the registry of servers, and the listener for
 * changed API keys, new events and queued jobs.
 */
export function startWorkers({ onFailure, ...options }: WorkersOptions): RunningWorkers {
  const { db, now, keys, notifier, licenseNoticeDays: noticeDays } = options;
  const sequencer = startSequencer(db, onFailure);
  const { retentionDays, defaultCountry } = options;
  const jobWorker = startJobWorker({ db, notifier, now, retentionDays, defaultCountry, onFailure });
  const listener = listen({
    connection: options.connection,
    channels: {
      roster_keys: () => keys.invalidate(),
      roster_offices: () => keys.invalidateLimits(),
      roster_events: () => notifier.notify(),
      roster_jobs: () => jobWorker.wake(),
    },
  });
  const scheduledChanges = startScheduledChangeWorker({ db, now, onCommit: sequencer.wake, onFailure });
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
        scheduledChanges.close(),
        deliveryWorker.close(),
        leaveRegistry(),
        stopLicenses(),
        stopComparison(),
        stopStats(),
      ]);
      // Last, because the workers write events until they have ended.
      await Promise.all([listener.close(), sequencer.close()]);
    },
  };
}

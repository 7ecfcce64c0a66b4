import { API_VERSION } from '@roster/api';
import {
  type Authenticator,
  COUNTING_TIMEOUT_MS,
  createAuthenticator,
  createEventNotifier,
  createSender,
  type DeliveryWorkerOptions,
  describeServer,
  type EventNotifier,
  type Sender,
  type SenderOptions,
  startComparisonWorker,
  startDeliveryWorker,
  startJobWorker,
  startLicenseWorker,
  startScheduledChangeWorker,
  startSequencer,
  startServerRegistry,
  startStatsWorker,
} from '@roster/api/server';
import {
  type ConnectionTarget,
  type ConnectOptions,
  connect,
  type Database,
  listen,
  maxConnections,
  type OnStatement,
} from '@roster/db';
import type { Kysely } from 'kysely';
import { createRateLimiter, type RateLimiter } from '../http/limits/gcra.ts';

const RATE_WINDOW_MS = 60_000;
const SESSION_IDLE_MS = 12 * 60 * 60 * 1_000;

/** Only tests set more than `isPrivateAllowed` and `graceMs`. */
export type WebhookOptions = SenderOptions &
  Pick<
    DeliveryWorkerOptions,
    'retryDelaysMs' | 'backlogMax' | 'pollMs' | 'graceMs' | 'sendWithinMs' | 'slowAfterMs'
  >;

export interface WorkersOptions {
  connection: ConnectionTarget;
  database?: Pick<ConnectOptions, 'pool' | 'timeouts' | 'isPrepared'>;
  db: Kysely<Database>;
  now?: () => Date;
  retentionDays: number;
  /** Undefined leaves it to the settings of the directory. */
  defaultCountry: string | undefined;
  adminKey?: string | undefined;
  /** 12 hours unless given. */
  sessionIdleMs?: number;
  webhooks: WebhookOptions;
  /** Per minute and key, or address without a valid one; 0 for no limit. */
  rateLimit: number;
  /** Milliseconds of a clock that is never set. */
  rateLimitNowMs?: () => number;
  licenseNoticeDays?: readonly number[];
  onStatement?: OnStatement;
  instrumentSender?: (sender: Sender) => Sender;
  /** The worker tries again by itself. */
  onFailure: (error: unknown) => void;
}

export interface Workers extends AsyncDisposable {
  keys: Authenticator;
  notifier: EventNotifier;
  sender: Sender;
  limiter: RateLimiter | undefined;
  db: Kysely<Database>;
  /** Begins the work. Earlier, while the application is still being built, connections would time out. */
  start(): void;
  /** Claims no more deliveries. Those in progress get `graceMs`, then another server may claim them. Idempotent. */
  releaseDeliveries(): Promise<void>;
}

/** Shown in `pg_stat_activity`. */
const APPLICATION_NAME = 'roster workers';

const WORKER_POOL_MAX = 4;
const LISTENER_CONNECTIONS = 1;
const COUNTING_CONNECTIONS = 1;

export function maxWorkerConnections(): number {
  return maxConnections({ pool: { max: WORKER_POOL_MAX } }) + LISTENER_CONNECTIONS + COUNTING_CONNECTIONS;
}

export function createWorkers(options: WorkersOptions): Workers {
  const { connection, adminKey, webhooks, rateLimit, now = () => new Date() } = options;
  const { onStatement, instrumentSender = (sender: Sender) => sender } = options;
  const db = connect({
    ...options.database,
    applicationName: APPLICATION_NAME,
    connection,
    pool: { ...options.database?.pool, max: WORKER_POOL_MAX },
    ...(onStatement && { onStatement }),
  });
  const counting = connect({
    ...options.database,
    applicationName: APPLICATION_NAME,
    connection,
    pool: { ...options.database?.pool, max: COUNTING_CONNECTIONS },
    timeouts: { ...options.database?.timeouts, statementMs: COUNTING_TIMEOUT_MS },
  });
  let work: Work | undefined;
  const notifier = createEventNotifier({ onCommit: () => work?.sequencer.wake() });
  const policy = { quota: rateLimit, windowMs: RATE_WINDOW_MS };
  const limiter = rateLimit > 0 ? createRateLimiter(policy, options.rateLimitNowMs) : undefined;
  const keys = createAuthenticator({
    db: options.db,
    now,
    adminKey,
    sessionIdleMs: options.sessionIdleMs ?? SESSION_IDLE_MS,
    isListening: () => work?.listener.isListening() ?? false,
  });
  const sender = instrumentSender(createSender({ ...webhooks, now }));
  return {
    keys,
    notifier,
    sender,
    limiter,
    db,
    start: () => {
      const parts = { now, db, counting, keys, notifier, sender, limiter };
      work ??= startWork(options, parts);
    },
    releaseDeliveries: async () => work?.releaseDeliveries(),
    [Symbol.asyncDispose]: async () => {
      await work?.stop();
      await Promise.all([db.destroy(), counting.destroy()]);
    },
  };
}

interface Work extends Pick<Workers, 'releaseDeliveries'> {
  sequencer: ReturnType<typeof startSequencer>;
  listener: ReturnType<typeof listen>;
  stop(): Promise<void>;
}

interface Parts extends Pick<Workers, 'db' | 'keys' | 'notifier' | 'sender'> {
  now: () => Date;
  limiter: RateLimiter | undefined;
  counting: Kysely<Database>;
}

function startWork(options: WorkersOptions, parts: Parts): Work {
  const { connection, webhooks, licenseNoticeDays: noticeDays = [], onFailure } = options;
  const { now, db, counting, keys, notifier, sender, limiter } = parts;
  const sequencer = startSequencer(db, onFailure);
  const jobWorker = startJobWorker({
    db,
    notifier,
    now,
    retentionDays: options.retentionDays,
    defaultCountry: options.defaultCountry,
    onFailure,
  });
  const listener = listen({
    connection,
    channels: {
      roster_keys: () => keys.invalidate(),
      roster_offices: () => keys.invalidateLimits(),
      roster_events: () => notifier.notify(),
      roster_jobs: () => jobWorker.wake(),
    },
  });
  const scheduledChanges = startScheduledChangeWorker({ db, now, onCommit: sequencer.wake, onFailure });
  const deliveryWorker = startDeliveryWorker({ db, notifier, sender, onFailure, ...webhooks, now });
  const stopLicenses = startLicenseWorker({ db, now, noticeDays, onError: onFailure });
  const stopComparison = startComparisonWorker({ db, notifier, now, onFailure });
  const stopStats = startStatsWorker({ db, counting, now, onError: onFailure });
  const leaveRegistry = startServerRegistry(db, {
    server: describeServer({ version: API_VERSION, startedAt: now() }),
    onCount: (servers) => limiter?.divideBy(servers),
    onError: onFailure,
  });
  return {
    sequencer,
    listener,
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
      // Last: the workers write events until they have ended.
      await Promise.all([listener.close(), sequencer.close()]);
    },
  };
}

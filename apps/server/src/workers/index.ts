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

/** The options of the delivery of webhooks. Only tests set more than `isPrivateAllowed` and `graceMs`. */
export type WebhookOptions = SenderOptions &
  Pick<
    DeliveryWorkerOptions,
    'retryDelaysMs' | 'backlogMax' | 'pollMs' | 'graceMs' | 'sendWithinMs' | 'slowAfterMs'
  >;

export interface WorkersOptions {
  connection: ConnectionTarget;
  /** Options of the connections of the workers. */
  database?: Pick<ConnectOptions, 'pool' | 'timeouts'>;
  /** The connections of requests, over which API keys are read. */
  db: Kysely<Database>;
  now?: () => Date;
  /** Days for which deleted records can be restored. */
  retentionDays: number;
  /** The default country of telephones that the environment sets; undefined leaves it to the settings of the directory. */
  defaultCountry: string | undefined;
  adminKey?: string | undefined;
  /** A session that is not used for so long ends; 12 hours unless given. */
  sessionIdleMs?: number;
  webhooks: WebhookOptions;
  /** Requests a minute for each key, and for each address that calls without a valid one; 0 for no limit. */
  rateLimit: number;
  /** The clock of the rate limit, in milliseconds; one that is never set unless given. */
  rateLimitNowMs?: () => number;
  /** The numbers of days before its last day at which a licence is noticed; never unless given. */
  licenseNoticeDays?: readonly number[];
  /** Called with every statement of the workers that has ended. */
  onStatement?: OnStatement;
  /** Wraps the sender of webhooks, to count its attempts. */
  instrumentSender?: (sender: Sender) => Sender;
  /** Called with each error of a worker; the worker tries again by itself. */
  onFailure: (error: unknown) => void;
}

/**
 * The work without a request: the sequencer of events, scheduled changes, jobs, webhook deliveries, the listener, the
 * notices of licences that expire, the comparison of records, the counts of the directory, and the registry of servers.
 */
export interface Workers extends AsyncDisposable {
  keys: Authenticator;
  notifier: EventNotifier;
  sender: Sender;
  /** The rate limit of this server, by the number of servers on the database; undefined if there is none. */
  limiter: RateLimiter | undefined;
  /** The connections of the workers, which no request uses. */
  db: Kysely<Database>;
  /**
   * Begins the work. Nothing is asked of the database before: an application that is being built reads no answers, for seconds at a
   * first start, and a connection that is opened meanwhile times out.
   */
  start(): void;
  /**
   * Claims no more deliveries. Those in progress get `graceMs` to complete; then they are released, and another server
   * claims them at once. Idempotent; disposing of the workers does it too.
   */
  releaseDeliveries(): Promise<void>;
}

/** The name that operators see in `pg_stat_activity`, beside the `roster` of requests. */
const APPLICATION_NAME = 'roster workers';

/** Connections of the workers for writes and transactions. */
const WORKER_POOL_MAX = 4;
const LISTENER_CONNECTIONS = 1;
/** The connection that counts the directory, which is open while it does. */
const COUNTING_CONNECTIONS = 1;

/** The maximum number of connections to the database that `startWorkers` opens. */
export function maxWorkerConnections(): number {
  return maxConnections({ pool: { max: WORKER_POOL_MAX } }) + LISTENER_CONNECTIONS + COUNTING_CONNECTIONS;
}

/** Creates the workers, which begin when they are started. */
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

/** The workers that run after the start. */
interface Work extends Pick<Workers, 'releaseDeliveries'> {
  sequencer: ReturnType<typeof startSequencer>;
  listener: ReturnType<typeof listen>;
  stop(): Promise<void>;
}

interface Parts extends Pick<Workers, 'db' | 'keys' | 'notifier' | 'sender'> {
  now: () => Date;
  limiter: RateLimiter | undefined;
  /** The connection that counts the directory. */
  counting: Kysely<Database>;
}

/**
 * Starts the sequencer, the scheduled changes, the jobs, the deliveries of webhooks and the registry of servers, and listens to the
 * database for changed API keys, new events and queued jobs.
 */
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
      // Last, because the workers write events until they have ended.
      await Promise.all([listener.close(), sequencer.close()]);
    },
  };
}

import {
  type Authenticator,
  COUNTING_TIMEOUT_MS,
  createAuthenticator,
  createEventNotifier,
  createSender,
  type DeliveryOptions,
  type EventNotifier,
  type Sender,
  type SenderOptions,
  startWorkers,
} from '@roster/api/server';
import {
  type ConnectionTarget,
  type ConnectOptions,
  connect,
  type Database,
  maxConnections,
  type OnStatement,
} from '@roster/db';
import type { Kysely } from 'kysely';
import { createRateLimiter, type RateLimiter } from '../http/limits/gcra.ts';

const RATE_WINDOW_MS = 60_000;
const SESSION_IDLE_MS = 12 * 60 * 60 * 1_000;

/** Only tests set more than `isPrivateAllowed` and `graceMs`. */
export type WebhookOptions = SenderOptions & DeliveryOptions;

export interface WorkersOptions {
  connection: ConnectionTarget;
  database?: Pick<ConnectOptions, 'pool' | 'timeouts'>;
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

const CONNECTIONS = { pool: { max: 4 }, pipeline: { connections: 1 } };
const LISTENER_CONNECTIONS = 1;
const COUNTING_CONNECTIONS = 1;

export function maxWorkerConnections(): number {
  return maxConnections(CONNECTIONS) + LISTENER_CONNECTIONS + COUNTING_CONNECTIONS;
}

export function createWorkers(options: WorkersOptions): Workers {
  const { connection, adminKey, webhooks, rateLimit, now = () => new Date() } = options;
  const { onStatement, instrumentSender = (sender: Sender) => sender } = options;
  const db = connect({
    ...options.database,
    applicationName: APPLICATION_NAME,
    connection,
    pool: { ...options.database?.pool, ...CONNECTIONS.pool },
    pipeline: CONNECTIONS.pipeline,
    ...(onStatement && { onStatement }),
  });
  const counting = connect({
    ...options.database,
    applicationName: APPLICATION_NAME,
    connection,
    pool: { ...options.database?.pool, max: COUNTING_CONNECTIONS },
    timeouts: { ...options.database?.timeouts, statementMs: COUNTING_TIMEOUT_MS },
  });
  let work: ReturnType<typeof startWorkers> | undefined;
  const notifier = createEventNotifier({ onCommit: () => work?.wake() });
  const policy = { quota: rateLimit, windowMs: RATE_WINDOW_MS };
  const limiter = rateLimit > 0 ? createRateLimiter(policy, options.rateLimitNowMs) : undefined;
  const keys = createAuthenticator({
    db: options.db,
    now,
    adminKey,
    sessionIdleMs: options.sessionIdleMs ?? SESSION_IDLE_MS,
    isListening: () => work?.isListening() ?? false,
  });
  const sender = instrumentSender(createSender({ ...webhooks, now }));
  return {
    keys,
    notifier,
    sender,
    limiter,
    db,
    start: () => {
      work ??= startWorkers({
        connection,
        db,
        counting,
        now,
        keys,
        notifier,
        sender,
        webhooks,
        retentionDays: options.retentionDays,
        defaultCountry: options.defaultCountry,
        licenseNoticeDays: options.licenseNoticeDays ?? [],
        onServers: (servers) => limiter?.divideBy(servers),
        onFailure: options.onFailure,
      });
    },
    releaseDeliveries: async () => work?.releaseDeliveries(),
    [Symbol.asyncDispose]: async () => {
      await work?.stop();
      await Promise.all([db.destroy(), counting.destroy()]);
    },
  };
}

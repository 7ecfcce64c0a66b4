import {
  type Authenticator,
  createAuthenticator,
  createEventNotifier,
  createSender,
  type DeliveryWorkerOptions,
  type EventNotifier,
  type Sender,
  type SenderOptions,
  startDeliveryWorker,
  startSequencer,
} from '@roster/api/server';
import { type ConnectOptions, connect, type Database, listen, type OnStatement } from '@roster/db';
import type { Kysely } from 'kysely';
import { DistributedRateLimiter } from '../rate-limit/distributed-limiter.ts';
import type { RateLimiter } from '../rate-limit/limiter.ts';
import { startRateLimitSync } from '../rate-limit/sync.ts';

const RATE_WINDOW_MS = 60_000;

/** How webhooks are told of events; but for the first, tests alone say anything. */
export type WebhookOptions = SenderOptions &
  Pick<
    DeliveryWorkerOptions,
    'retryDelaysMs' | 'backlogMax' | 'pollMs' | 'graceMs' | 'sendWithinMs' | 'slowAfterMs'
  >;

export interface BackgroundOptions {
  connection: ConnectOptions['connection'];
  /** How its own connections are, but for their number. */
  database?: Partial<Omit<ConnectOptions, 'connection' | 'connectionsMax'>>;
  /** Where keys are read. */
  db: Kysely<Database>;
  now?: () => Date;
  adminKey?: string | undefined;
  webhooks: WebhookOptions;
  /** Requests a minute for each key, and for each address that calls without a valid one; 0 for no limit. */
  rateLimit: number;
  /** Told of every statement beside the requests. */
  onStatement?: OnStatement;
  /** Sees what comes of calling receivers. */
  watchSender?: (sender: Sender) => Sender;
  /** Told of what failed beside the requests; it is tried again by itself. */
  onFailure: (error: unknown) => void;
}

/** What goes on beside the requests of a server, and ties it to the other servers of its database. */
export interface Background extends AsyncDisposable {
  keys: Authenticator;
  notifier: EventNotifier;
  sender: Sender;
  /** What callers may ask of all servers together; undefined where there is no limit. */
  limiter: RateLimiter | undefined;
  /** A few connections of its own: neither the requests nor this wait for the other. */
  db: Kysely<Database>;
  /**
   * Takes no deliveries any more. Those on their way get a moment to arrive and are then given back, so that another
   * server makes them at once. Idempotent, and part of the disposal.
   */
  handBack(): Promise<void>;
}

/** Connections for what goes on beside the requests. */
export const BACKGROUND_CONNECTIONS_MAX = 3;

/** Listens to the database for changed keys and new events, gives events their positions, and tells webhooks of them. */
export function openBackground(options: BackgroundOptions): Background {
  const { connection, adminKey, webhooks, rateLimit, onFailure, now = () => new Date() } = options;
  const { onStatement, watchSender = (sender: Sender) => sender } = options;
  const db = connect({
    ...options.database,
    connection,
    connectionsMax: BACKGROUND_CONNECTIONS_MAX,
    ...(onStatement && { onStatement }),
  });
  const sequencer = startSequencer(db, onFailure);
  const notifier = createEventNotifier({ onCommit: sequencer.wake });
  const listener = listen({
    connection,
    channels: {
      roster_keys: () => keys.invalidate(),
      roster_events: () => notifier.notify(),
    },
  });
  const policy = { quota: rateLimit, windowMs: RATE_WINDOW_MS };
  const limiter = rateLimit > 0 ? new DistributedRateLimiter({ policy }) : undefined;
  const rateLimitSync = limiter && startRateLimitSync(limiter, { connection, onFailure });
  const keys = createAuthenticator({ db: options.db, now, adminKey, isListening: listener.isListening });
  const sender = watchSender(createSender({ ...webhooks, now }));
  const deliverer = startDeliveryWorker({ db, notifier, sender, onFailure, ...webhooks, now });
  return {
    keys,
    notifier,
    sender,
    limiter,
    db,
    handBack: deliverer.close,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([listener.close(), sequencer.close(), deliverer.close(), rateLimitSync?.stop()]);
      await db.destroy();
    },
  };
}

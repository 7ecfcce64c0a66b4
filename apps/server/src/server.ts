import { setTimeout } from 'node:timers/promises';
import {
  compactEvents,
  createReadRouter,
  deleteExpiredResponses,
  purgeDeliveries,
  purgeTombstones,
  renewRecords,
} from '@roster/api/server';
import {
  type ConnectOptions,
  connect,
  type Database,
  type LocalPostgres,
  migrate,
  migrationState,
  openReplicas,
  type ReplicaState,
  type Replicas,
  readAddresses,
  sharedPlace,
  startLocalPostgres,
} from '@roster/db';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { keyFileOf, makeFirstKey } from './bootstrap-key.ts';
import type { Config } from './config/config.ts';
import { addressFileOf, recordAddress } from './http/address-file.ts';
import { buildApp } from './http/app.ts';
import { prepareListening } from './http/listening-sockets.ts';
import { openSeeing } from './observability/index.ts';
import { logDestination, openLog } from './observability/logger.ts';
import { openDatabaseClock } from './workers/database-clock.ts';
import { openBackground } from './workers/index.ts';

/** A service that is listening. */
export interface Service {
  /** Where it is, without a slash at the end: `http://127.0.0.1:3000`. */
  url: string;
  /** Where the metrics are, where they are served: `http://127.0.0.1:9464/metrics`. */
  metricsUrl: string | undefined;
  /** Where the data are, in words for people. */
  data: string;
  /** The secret of the first key, where this start made it: to be shown this once. */
  firstKey: string | undefined;
  /** The file that holds the first key of a server with the local PostgreSQL. */
  keyFile: string | undefined;
  /**
   * Says that it is not ready, goes on for `drainDelayMs`, stops accepting, sends the readers of streams elsewhere, hands
   * webhook deliveries back and finishes what runs (at most `drainMs`), then leaves the database; the last to leave an
   * the local one stops it. Idempotent.
   */
  close(): Promise<void>;
}

/** Deliveries that are on their way when the server stops get this much to arrive, where the drain is as long. */
const HAND_BACK_MS = 3_000;
const BACKGROUND_STATEMENT_MS = 5_000;
const SWEEP_MS = 60 * 60 * 1_000;

type Progress = (message: string) => void;

export interface StartOptions {
  /** Told, in words for people, what is being done. */
  onProgress?: Progress;
  /** Given the local PostgreSQL as soon as it is being started, so that a start can be broken off. */
  onDatabase?: (database: Promise<LocalPostgres>) => void;
  /** Where it logs; to standard output unless given. */
  log?: FastifyBaseLogger;
}

/** Starts the database where it is the local one, migrates, listens. Throws what keeps it from that. */
export async function startService(
  config: Config,
  {
    onProgress,
    onDatabase,
    log = openLog(config.logLevel, logDestination(config.logFormat)),
  }: StartOptions = {},
): Promise<Service> {
  // Whatever was begun is ended in the opposite order, whether by close() or because the start failed half-way.
  await using begun = new AsyncDisposableStack();
  const starting = config.databaseUrl === undefined ? startOwn(config, onProgress) : undefined;
  if (starting) onDatabase?.(starting);
  const localPostgres = await starting;
  begun.defer(async () => localPostgres?.close());
  const { databaseUrl } = config;
  const connection =
    databaseUrl === undefined ? (localPostgres as LocalPostgres).connection : sharedPlace(databaseUrl);
  for (const name of await migrateFirst({ ...config.database, connection }, onProgress)) {
    onProgress?.(`migrated: ${name}`);
  }
  const seeing = begun.use(await openSeeing(config, log));
  const onStatement = seeing.onStatement('requests');
  // Changes that wait for a connection never take all the places, so that reads go on where changes cannot.
  const waitingMax = Math.ceil(config.requestsMax / 2);
  const db = begun.adopt(connect({ ...config.database, connection, waitingMax, onStatement }), (opened) =>
    opened.destroy(),
  );
  const keyFile = localPostgres === undefined ? undefined : keyFileOf(config);
  const onFailure = (error: unknown) => log.warn({ err: error }, 'something beside the requests failed');
  const { now } = begun.use(await openDatabaseClock(db, onFailure));
  const firstKey = await makeFirstKey(db, { adminKey: config.adminKey, keyFile, now: now() });
  const background = begun.use(
    openBackground({
      connection,
      // Sweeps may take longer than a request.
      database: { ...config.database, statementTimeoutMs: BACKGROUND_STATEMENT_MS },
      db,
      adminKey: config.adminKey,
      webhooks: {
        isPrivateAllowed: config.isPrivateWebhookAllowed,
        graceMs: Math.min(HAND_BACK_MS, config.drainMs),
      },
      rateLimit: config.rateLimit,
      now,
      onStatement: seeing.onStatement('background'),
      watchSender: seeing.watchSender,
      onFailure,
    }),
  );
  const { keys, notifier, sender, limiter } = background;
  const { tracing } = seeing;
  const metrics = seeing.metrics?.requests;
  const stopping = new AbortController();
  const watched = { log, metrics, tracing, stopping: stopping.signal };
  const replicas = config.replicaUrls.length > 0 ? begun.use(openOwnReplicas(db, config, log)) : undefined;
  const readRouter = replicas && createReadRouter(replicas);
  const app = await buildApp({ ...config, ...watched, db, now, keys, notifier, sender, limiter, readRouter });
  const listen = prepareListening(app);
  const metricsUrl = await seeing.begin({ requests: db, background: background.db }, replicas);
  begun.defer(async () => {
    await Promise.all([drain(app, config.drainMs), background.handBack()]);
  });
  const url = await listen({ host: config.host, port: config.port });
  if (localPostgres !== undefined) begun.defer(await recordAddress(addressFileOf(config), url));
  begun.defer(sweep(() => purge(background.db, { ...config, now: now() }), app));
  begun.defer(() => {
    stopping.abort();
    return setTimeout(config.drainDelayMs);
  });
  const running = begun.move();
  const close = () => running.disposeAsync();
  return { url, metricsUrl, data: whereIs(config, localPostgres), firstKey, keyFile, close };
}

/** The standbys that are read from, as the settings name them; the log says which are left aside. */
function openOwnReplicas(
  db: Kysely<Database>,
  { replicaUrls, replicaLagMaxMs }: Config,
  log: FastifyBaseLogger,
): Replicas {
  const onFailure = (err: Error) => log.warn({ err }, 'the primary does not say where its log ends');
  const onChange = ({ name, isWell, lagMs, fault }: ReplicaState) => {
    if (isWell) log.info({ replica: name, lagMs: Math.round(lagMs) }, 'a replica is read from');
    else log.warn({ replica: name, fault }, 'a replica is left aside');
  };
  return openReplicas({ db, urls: replicaUrls, lagMaxMs: replicaLagMaxMs, onFailure, onChange });
}

/**
 * Removes what has been kept for its time: tombstones, events, deliveries, and answers to repeatable requests. Records
 * that an earlier release made are made anew.
 */
async function purge(
  db: Kysely<Database>,
  { now, retentionDays }: Pick<Config, 'retentionDays'> & { now: Date },
): Promise<void> {
  await purgeTombstones(db, { now, retentionDays });
  await compactEvents(db, { now, retentionDays });
  await purgeDeliveries(db, { now, retentionDays });
  await deleteExpiredResponses(db, now);
  await renewRecords(db);
}

function startOwn({ dataDir }: Config, onProgress?: Progress): Promise<LocalPostgres> {
  return startLocalPostgres({ dataDir, ...(onProgress && { onProgress }) });
}

/**
 * Migrates over connections without a time limit on statements, because a migration may take as long as it needs. Answers
 * the names of those it ran.
 */
export async function migrateFirst(options: ConnectOptions, onProgress?: Progress): Promise<string[]> {
  const db = connect({ ...options, connectionsMax: 2, statementTimeoutMs: 0 });
  try {
    const names = await migrate(db, { ...(onProgress && { onWait: onProgress }) });
    const { unknown } = await migrationState(db);
    if (unknown.length > 0) onProgress?.(`a newer release has migrated the database: ${unknown.join(', ')}`);
    return names;
  } finally {
    await db.destroy();
  }
}

function whereIs({ databaseUrl }: Config, localPostgres: LocalPostgres | undefined): string {
  if (localPostgres !== undefined) return `${localPostgres.directory} (local PostgreSQL)`;
  const { addresses, database } = readAddresses(databaseUrl ?? '');
  const hosts = addresses.map(({ host, port }) => (host.startsWith('/') ? host : `${host}:${port}`));
  return `${database || 'the default database'} on ${hosts.join(', ')} (PostgreSQL)`;
}

/** Runs a clean-up now and then, on every server; each run is safe beside the others. */
function sweep(run: () => Promise<unknown>, app: FastifyInstance): () => void {
  const once = () => run().catch((error: unknown) => app.log.warn({ err: error }, 'a sweep failed'));
  const timer = setInterval(once, SWEEP_MS).unref();
  void once();
  return () => clearInterval(timer);
}

/** Closes; connections that are open after so many milliseconds are cut. */
async function drain(app: FastifyInstance, drainMs: number): Promise<void> {
  const closed = new AbortController();
  const cut = setTimeout(drainMs, undefined, { signal: closed.signal }).then(
    () => app.server.closeAllConnections(),
    () => undefined,
  );
  await app.close();
  closed.abort();
  await cut;
}

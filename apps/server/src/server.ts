import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createDenialLog, firstStart } from '@roster/api/server';
import {
  BASELINE,
  type ConnectOptions,
  checkLocalPostgresFree,
  connect,
  type Database,
  inspectSessions,
  type LocalPostgres,
  migrate,
  migrationState,
  parseConnectionString,
  startLocalPostgres,
} from '@roster/db';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { buildApp } from './app.ts';
import { readAddress, recordAddress } from './config/address-file.ts';
import type { Config } from './config/config.ts';
import { addressFileOf, keyFileOf, writePrivateFile } from './config/data-directory.ts';
import { sessionProblem } from './diagnostics/sessions.ts';
import { ownOriginOf } from './http/own-origin.ts';
import { startTelemetry } from './observability/index.ts';
import { createLogger, isReadByPeople, logDestination, type ServerLogger } from './observability/logger.ts';
import type { ServeMetrics } from './observability/metrics/server.ts';
import { builtConsole, isConsoleBuilt } from './pages/console.ts';
import { createFirstLink } from './sign-in/link-routes.ts';
import { startDatabaseClock } from './workers/database-clock.ts';
import { createWorkers } from './workers/index.ts';
import { startMaintenance } from './workers/maintenance.ts';
import { startLagWatch } from './workers/webhook-lag.ts';

/** A service that is listening. */
export interface Service {
  /** Its URL, without a slash at the end: `http://127.0.0.1:3000`. */
  url: string;
  /** The URL of the console; undefined if it is not served. */
  consoleUrl: string | undefined;
  /** The URL of the metrics, `http://127.0.0.1:9464/metrics`; undefined if they are off. */
  metricsUrl: string | undefined;
  /** The name and place of the database, for people; without a password. */
  data: string;
  /** The first key if this start created it, with its secret if only people read the output; it cannot be read again. */
  firstKey: { secret: string | undefined } | undefined;
  /** The file that holds the first key; undefined if the database is not the local one. */
  keyFile: string | undefined;
  /** Whether there is no key, and none is created, because its secret would only be in a log. */
  isWithoutKey: boolean;
  /** The link with which the first person signs in; undefined if there are people, or the database is not the local one. */
  firstLink: string | undefined;
  /** The default country of phone numbers that this start chose, null if none is chosen yet; undefined if it was known before. */
  firstCountry: string | null | undefined;
  /**
   * Stops in order: `/readyz` answers 503 for `drainDelayMs`; then the server accepts no more connections, disconnects
   * event streams, releases webhook deliveries and lets requests finish for at most `drainMs`; then it disconnects from the
   * database, and stops the local PostgreSQL. Idempotent.
   */
  close(): Promise<void>;
}

/** The longest time for deliveries in progress when the server stops, if `drainMs` is not shorter. */
const RELEASE_DELIVERIES_MS = 3_000;
const WORKER_STATEMENT_TIMEOUT_MS = 5_000;

type Progress = (message: string) => void;

export interface StartOptions {
  /** Called with a line for people about each step. */
  onProgress?: Progress;
  /** Called with the local PostgreSQL as soon as it starts, so that the caller can stop it before the start is complete. */
  onDatabase?: (database: Promise<LocalPostgres>) => void;
  /** The log; JSON or pretty lines on standard output unless given. */
  log?: ServerLogger;
  /** Whether only people read the output, so that it may have the secret of the first key; finds that out unless given. */
  isReadByPeople?: boolean;
  /** Asks for the default country of phone numbers if none is chosen; the country of the locale is taken unless given. */
  askCountry?: (suggested: string | undefined) => Promise<string | undefined>;
  /** Serves the database when it is prepared; one server in this process unless given. */
  serve?: Serve;
}

/** A server cannot start; the message is for people. */
export class ServeError extends Error {}

/** A server that listens. It is disposed of in order, as `close` of a service. */
type Serving = Pick<Service, 'url' | 'metricsUrl'> & AsyncDisposable;

interface ServeOptions {
  config: Config;
  /** The database, migrated. */
  connection: ConnectOptions['connection'];
  log: ServerLogger;
  /** Serves the metrics if the settings ask for it; on a port of this process unless given. */
  serveMetrics?: ServeMetrics;
}

export type Serve = (options: ServeOptions) => Promise<Serving>;

/**
 * Starts the local PostgreSQL if no other database is set, migrates, prepares a new directory, and serves it. What was started
 * before a failure is stopped again.
 * @throws whatever a step throws: another server has the data, the database is unavailable, a migration fails, the port is taken
 */
export async function startService(config: Config, options: StartOptions = {}): Promise<Service> {
  const { onProgress, serve = startServer } = options;
  const isShared = config.processes > 1;
  const { log = createLogger(config.logLevel, logDestination(config.logFormat, { isShared })) } = options;
  // Stopped in the opposite order, by close() or if the start fails.
  await using begun = new AsyncDisposableStack();
  await checkMayStart(config);
  const localPostgres = await openDatabase(config, options);
  begun.defer(async () => localPostgres?.close());
  const connection = localPostgres?.connection ?? config.databaseUrl ?? '';
  const target = { ...config.database, connection };
  if (localPostgres === undefined) await checkSessions(target);
  await migrateAtStart(target, log, onProgress);
  await using preparing = new AsyncDisposableStack();
  const db = preparing.adopt(connect({ ...target, pool: { ...target.pool, max: 1 } }), (opened) =>
    opened.destroy(),
  );
  const { now } = preparing.use(
    await startDatabaseClock(db, (error) =>
      log.warn({ err: error }, 'the clock of the database was not read'),
    ),
  );
  const keyFile = localPostgres === undefined ? undefined : keyFileOf(config);
  const isShown = options.isReadByPeople ?? isReadByPeople(config.logFormat);
  const firstKey = await prepareFirstKey(db, { config, keyFile, isShown, now: now() });
  const firstCountry = await chooseCountry({ db, now }, config, options);
  const { url, metricsUrl } = begun.use(await serve({ config, connection, log }));
  if (localPostgres !== undefined) begun.defer(await recordAddress(addressFileOf(config), url));
  const firstLink = localPostgres && (await createLinkForFirst({ db, now }, url, config));
  const running = begun.move();
  return {
    url,
    consoleUrl: config.isConsoleServed && isConsoleBuilt(builtConsole) ? `${url}/console/` : undefined,
    metricsUrl,
    data: describeDatabase(config, localPostgres),
    ...firstKey,
    keyFile,
    firstLink,
    firstCountry,
    close: () => running.disposeAsync(),
  };
}

/** Starts a server in this process: telemetry, workers and HTTP. */
export const startServer: Serve = async ({ config, connection, log, serveMetrics }) => {
  await using begun = new AsyncDisposableStack();
  const telemetry = begun.use(await startTelemetry(config, log, serveMetrics));
  const onStatement = telemetry.onStatement('requests');
  // Fewer than the requests in progress: writes that wait for a connection leave slots for reads.
  const pool = { ...config.database.pool, waitingMax: Math.ceil(config.requestsMax / 2) };
  const db = begun.adopt(connect({ ...config.database, connection, pool, onStatement }), (opened) =>
    opened.destroy(),
  );
  const onFailure = (error: unknown) => log.warn({ err: error }, 'a background worker failed');
  const { now } = begun.use(await startDatabaseClock(db, onFailure));
  const workers = begun.use(
    createWorkers({
      ...workerSettings(config),
      connection,
      db,
      now,
      onStatement: telemetry.onStatement('background'),
      instrumentSender: telemetry.instrumentSender,
      onFailure,
    }),
  );
  const { keys, notifier, sender, limiter } = workers;
  const { tracing, metrics } = telemetry;
  const stopping = new AbortController();
  const observers = { log, metrics: metrics?.requests, tracing, stopping: stopping.signal };
  const denials = createDenialLog({ db: workers.db, now, onFailure });
  const app = await buildApp({
    ...config,
    ...observers,
    db,
    now,
    keys,
    notifier,
    sender,
    limiter,
    denials,
  });
  workers.start();
  const metricsUrl = await telemetry.serveMetrics({ requests: db, background: workers.db });
  begun.defer(async () => {
    await Promise.all([drain(app, config.drainMs), workers.releaseDeliveries()]);
  });
  const url = await app.listen({ host: config.host, port: config.port });
  const { retentionDays, historyDays } = config;
  begun.defer(startMaintenance({ db: workers.db, now, retentionDays, historyDays, log }));
  begun.defer(startLagWatch(workers.db, log));
  begun.defer(() => {
    stopping.abort();
    return setTimeout(config.drainDelayMs);
  });
  const running = begun.move();
  return { url, metricsUrl, [Symbol.asyncDispose]: () => running.disposeAsync() };
};

/**
 * Throws if another server has the data directory, or another program the port: before a database is made that nothing would
 * serve.
 */
async function checkMayStart(config: Config): Promise<void> {
  const { databaseUrl, dataDir, host, port } = config;
  if (databaseUrl === undefined)
    await checkLocalPostgresFree({ dataDir, ownerAddress: await readAddress(addressFileOf(config)) });
  if (port !== 0) await checkFree({ host, port });
}

/** Rejects with EADDRINUSE if another process listens on a port. */
async function checkFree(address: { host: string; port: number }): Promise<void> {
  const server = createServer().listen({ ...address, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

/** Throws if the sessions of the database are shared, as behind a pooler in transaction mode: some requests would fail. */
async function checkSessions(options: Parameters<typeof inspectSessions>[0]): Promise<void> {
  const found = sessionProblem(await inspectSessions(options));
  if (found !== undefined) throw new Error(`The database cannot be used: ${found}.`);
}

/** Opens the local PostgreSQL; undefined if the settings name another database. */
async function openDatabase(
  { databaseUrl, dataDir }: Config,
  { onProgress, onDatabase }: StartOptions,
): Promise<LocalPostgres | undefined> {
  if (databaseUrl !== undefined) return undefined;
  const starting = startLocalPostgres({ dataDir, ...(onProgress && { onProgress }) });
  onDatabase?.(starting);
  return starting;
}

/** The settings of the workers. */
function workerSettings(config: Config) {
  const { database, rateLimit, licenseNoticeDays, retentionDays, defaultCountry } = config;
  return {
    database: {
      ...database,
      timeouts: { ...database.timeouts, statementMs: WORKER_STATEMENT_TIMEOUT_MS },
    },
    adminKey: config.adminKey,
    sessionIdleMs: config.sessions.idleMs,
    webhooks: {
      isPrivateAllowed: config.isPrivateWebhookAllowed,
      graceMs: Math.min(RELEASE_DELIVERIES_MS, config.drainMs),
    },
    rateLimit,
    licenseNoticeDays,
    retentionDays,
    defaultCountry,
  };
}

/**
 * Creates the first API key, with all scopes, if the database has none. Its secret, which cannot be read again, is written to the file,
 * and returned if it may be shown. Without a file it is created only then.
 */
async function prepareFirstKey(
  db: Kysely<Database>,
  {
    config: { adminKey },
    keyFile,
    isShown,
    now,
  }: { config: Config; keyFile: string | undefined; isShown: boolean; now: Date },
): Promise<Pick<Service, 'firstKey' | 'isWithoutKey'>> {
  if (adminKey !== undefined) return { firstKey: undefined, isWithoutKey: false };
  if (keyFile === undefined && !isShown)
    return { firstKey: undefined, isWithoutKey: !(await firstStart.hasKeys(db)) };
  // Before the commit, so that no key exists whose secret is lost.
  const beforeCommit = async (secret: string) => {
    if (keyFile !== undefined) await writePrivateFile(keyFile, secret);
  };
  const key = await firstStart.createFirstKey(db, { now, beforeCommit });
  return { firstKey: key && { secret: isShown ? key.secret : undefined }, isWithoutKey: false };
}

/**
 * Chooses the default country of phone numbers for a directory without one: what someone answers on a terminal, else the country of the
 * locale. Returns it, null if there is none; undefined if it is known already.
 */
async function chooseCountry(
  { db, now }: { db: Kysely<Database>; now: () => Date },
  { defaultCountry, localeCountry }: Config,
  { askCountry }: StartOptions,
): Promise<string | null | undefined> {
  if (defaultCountry !== undefined || (await firstStart.findDefaultCountry(db)) !== undefined)
    return undefined;
  const country = askCountry === undefined ? localeCountry : await askCountry(localeCountry);
  if (country === undefined) return null;
  return (await firstStart.chooseFirstCountry(db, { country, now: now() })) ? country : undefined;
}

/** Makes the link for the first person, if there is none yet and a browser may sign in at the address of the server. */
async function createLinkForFirst(
  context: { db: Kysely<Database>; now: () => Date },
  url: string,
  { publicUrl }: Config,
): Promise<string | undefined> {
  const origin = ownOriginOf({ host: new URL(url).host }, publicUrl);
  return origin === undefined || (await firstStart.hasPeople(context.db))
    ? undefined
    : createFirstLink(context, origin);
}

/**
 * Runs the pending migrations, over connections without a statement timeout, because a migration may take long.
 *
 * @param onProgress called if it waits for another server's migration, and if a newer release has migrated the database
 * @returns the names of the migrations it ran
 */
export async function runMigrations(options: ConnectOptions, onProgress?: Progress): Promise<string[]> {
  const db = connect({
    ...options,
    pool: { ...options.pool, max: 2 },
    timeouts: { ...options.timeouts, statementMs: 0 },
  });
  try {
    const names = await migrate(db, { ...(onProgress && { onWait: onProgress }) });
    const { unknown } = await migrationState(db);
    if (unknown.length > 0) onProgress?.(`a newer release has migrated the database: ${unknown.join(', ')}`);
    return names;
  } finally {
    await db.destroy();
  }
}

/** Runs the pending migrations. The log names them, except for a new database, and what the start waits for or finds. */
async function migrateAtStart(
  options: ConnectOptions,
  log: ServerLogger,
  onProgress?: Progress,
): Promise<void> {
  const migrations = await runMigrations(options, (message) => {
    log.warn(message);
    onProgress?.(message);
  });
  if (migrations.includes(BASELINE)) log.info('created the tables of the database');
  else if (migrations.length > 0) log.info({ migrations }, 'migrated the database');
}

/** The database in words for people: a directory, or a name and its hosts. */
function describeDatabase({ databaseUrl }: Config, localPostgres: LocalPostgres | undefined): string {
  if (localPostgres !== undefined) return `${localPostgres.directory} (local PostgreSQL)`;
  const { host, port, database } = parseConnectionString(databaseUrl ?? '');
  const place = host.startsWith('/') ? host : `${host}:${port}`;
  return `${database || 'the default database'} on ${place} (PostgreSQL)`;
}

/** Closes the server; connections that are open after `drainMs` are destroyed. */
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

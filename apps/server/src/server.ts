import { once } from 'node:events';
import { createServer } from 'node:net';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { createDenialLog, createFirstKey, hasKeys, hasPeople } from '@roster/api/server';
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
  type SessionSupport,
  startLocalPostgres,
} from '@roster/db';
import type { FastifyInstance } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { buildApp } from './app.ts';
import type { Config } from './config/config.ts';
import {
  addressFileOf,
  keyFileOf,
  readAddress,
  recordAddress,
  writePrivateFile,
} from './config/data-directory.ts';
import { prepareListening } from './http/listening.ts';
import { ownOriginOf } from './http/own-origin.ts';
import { faultsOf } from './known-faults.ts';
import { startTelemetry } from './observability/index.ts';
import { createLogger, isReadByPeople, logDestination, type ServerLogger } from './observability/logger.ts';
import type { ServeMetrics } from './observability/metrics/server.ts';
import { builtConsole, hasConsolePage, isConsoleBuilt } from './pages/console.ts';
import { createFirstLinkUrl } from './sign-in/link-routes.ts';
import { startDatabaseClock } from './workers/database-clock.ts';
import { createWorkers } from './workers/index.ts';
import { startMaintenance } from './workers/maintenance.ts';
import { startLagWatch } from './workers/webhook-lag.ts';

export interface Service {
  url: string;
  consoleUrl: string | undefined;
  /** False while `npm start` prepares the console, and its page says so. */
  isConsoleReady: boolean;
  metricsUrl: string | undefined;
  /** For people; without a password. */
  data: string;
  /** Set if this start created it; the secret is set only if people alone read the output. */
  firstKey: { secret: string | undefined } | undefined;
  keyFile: string | undefined;
  /** No key exists, and none was created because its secret would only be in a log. */
  isWithoutKey: boolean;
  /** Undefined if there are people, or the database is not the local one. */
  firstLink: string | undefined;
  /**
   * In order: `/readyz` fails for `drainDelayMs`, requests finish for at most `drainMs`, then the connections and the local PostgreSQL
   * close. Idempotent.
   */
  close(): Promise<void>;
}

/** Shorter if `drainMs` is. */
const RELEASE_DELIVERIES_MS = 3_000;
const WORKER_STATEMENT_TIMEOUT_MS = 5_000;

type Progress = (message: string) => void;

export interface StartOptions {
  onProgress?: Progress;
  /** Called as soon as it starts, so that you can stop it before the start is complete. */
  onDatabase?: (database: Promise<LocalPostgres>) => void;
  log?: ServerLogger;
  /** Whether the secret of the first key may be shown; found out unless given. */
  isReadByPeople?: boolean;
  serve?: Serve;
}

export class ServeError extends Error {}

/** Disposed of in order, as `close` of a service. */
type Serving = Pick<Service, 'url' | 'metricsUrl'> & AsyncDisposable;

interface ServeOptions {
  config: Config;
  connection: ConnectOptions['connection'];
  log: ServerLogger;
  serveMetrics?: ServeMetrics;
}

export type Serve = (options: ServeOptions) => Promise<Serving>;

/**
 * Starts the local PostgreSQL if no other database is set, migrates, prepares a new directory, and serves it. A failure stops what was
 * started. Throws if another server has the data, the database is unavailable, a migration fails, or the port is taken.
 */
export async function startService(config: Config, options: StartOptions = {}): Promise<Service> {
  const { onProgress, serve = startServer } = options;
  const isShared = config.processes > 1;
  const { log = createLogger(config.logLevel, logDestination(config.logFormat, { isShared })) } = options;
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
  await warnOfFaults(db, log);
  const { now } = preparing.use(
    await startDatabaseClock(db, (error) =>
      log.warn({ err: error }, 'the clock of the database was not read'),
    ),
  );
  const keyFile = localPostgres === undefined ? undefined : keyFileOf(config);
  const isShown = options.isReadByPeople ?? isReadByPeople(config.logFormat);
  const firstKey = await prepareFirstKey(db, { config, keyFile, isShown, now: now() });
  const { url, metricsUrl } = begun.use(await serve({ config, connection, log }));
  if (localPostgres !== undefined) begun.defer(await recordAddress(addressFileOf(config), url));
  const firstLink = localPostgres && (await createLinkForFirst({ db, now }, url, config));
  const running = begun.move();
  return {
    url,
    consoleUrl: config.isConsoleServed && hasConsolePage(builtConsole) ? `${url}/console/` : undefined,
    isConsoleReady: isConsoleBuilt(builtConsole),
    metricsUrl,
    data: describeDatabase(config, localPostgres),
    ...firstKey,
    keyFile,
    firstLink,
    close: () => running.disposeAsync(),
  };
}

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
  const listen = prepareListening(app, config.processes);
  workers.start();
  const metricsUrl = await telemetry.serveMetrics({ requests: db, background: workers.db });
  begun.defer(async () => {
    await Promise.all([drain(app, config.drainMs), workers.releaseDeliveries()]);
  });
  const url = await listen({ host: config.host, port: config.port });
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

/** Fails early, before a database is made that nothing would serve. */
async function checkMayStart(config: Config): Promise<void> {
  const { databaseUrl, dataDir, host, port } = config;
  if (databaseUrl === undefined)
    await checkLocalPostgresFree({ dataDir, ownerAddress: await readAddress(addressFileOf(config)) });
  if (port !== 0) await checkFree({ host, port });
}

/** Rejects with EADDRINUSE. */
async function checkFree(address: { host: string; port: number }): Promise<void> {
  const server = createServer().listen({ ...address, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

/** Behind a pooler in transaction mode some requests would fail. */
async function checkSessions(options: Parameters<typeof inspectSessions>[0]): Promise<void> {
  const found = sessionProblem(await inspectSessions(options));
  if (found !== undefined) throw new Error(`The database cannot be used: ${found}.`);
}

const POOLER_REMEDY =
  'connect to PostgreSQL itself, or set `pool_mode = session` in pgbouncer.ini (docs/operations/install.md, Connect through a pooler)';

/** The problem and what to set; undefined if the sessions can do what a server needs. */
export function sessionProblem({
  keepsStatements,
  receivesNotifications,
}: SessionSupport): string | undefined {
  if (receivesNotifications === false)
    return (
      'a session does not receive what another one notifies, as behind a pooler in transaction mode: the server would not ' +
      `learn of revoked keys and new events; ${POOLER_REMEDY}`
    );
  if (keepsStatements) return undefined;
  return `a session loses the statements that it has prepared, as behind a pooler that does not know them; ${POOLER_REMEDY}`;
}

async function openDatabase(
  { databaseUrl, dataDir }: Config,
  { onProgress, onDatabase }: StartOptions,
): Promise<LocalPostgres | undefined> {
  if (databaseUrl !== undefined) return undefined;
  const starting = startLocalPostgres({ dataDir, ...(onProgress && { onProgress }) });
  onDatabase?.(starting);
  return starting;
}

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

/** Creates the first API key, with all scopes, if the database has none. Without a file it is created only if its secret may be shown. */
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
  if (keyFile === undefined && !isShown) return { firstKey: undefined, isWithoutKey: !(await hasKeys(db)) };
  // Before the commit, so that no key exists whose secret is lost.
  const beforeCommit = async (secret: string) => {
    if (keyFile !== undefined) await writePrivateFile(keyFile, secret);
  };
  const key = await createFirstKey(db, { now, beforeCommit });
  return { firstKey: key && { secret: isShown ? key.secret : undefined }, isWithoutKey: false };
}

/** Undefined if there are people, or a browser may not sign in at this address. */
async function createLinkForFirst(
  context: { db: Kysely<Database>; now: () => Date },
  url: string,
  { publicUrl }: Config,
): Promise<string | undefined> {
  const origin = ownOriginOf({ host: new URL(url).host }, publicUrl);
  return origin === undefined || (await hasPeople(context.db))
    ? undefined
    : createFirstLinkUrl(context, origin);
}

/** Without a statement timeout: a migration may take long. Returns the names of those that ran. */
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

/** Names serious faults of the Node.js and PostgreSQL that run. */
async function warnOfFaults(db: Kysely<Database>, log: ServerLogger): Promise<void> {
  const { rows } = await sql<{ version: string }>`
    select current_setting('server_version') as version`.execute(db);
  const faults = rows.flatMap(({ version }) => faultsOf('PostgreSQL', version));
  for (const fault of [...faultsOf('Node.js', process.versions.node), ...faults]) log.warn(fault);
}

function describeDatabase({ databaseUrl }: Config, localPostgres: LocalPostgres | undefined): string {
  if (localPostgres !== undefined) return `${localPostgres.directory} (local PostgreSQL)`;
  const { host, port, database } = parseConnectionString(databaseUrl ?? '');
  const place = host.startsWith('/') ? host : `${host}:${port}`;
  return `${database || 'the default database'} on ${place} (PostgreSQL)`;
}

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

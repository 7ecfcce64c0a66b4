import {
  compactEvents,
  purgeAnswers,
  purgeDeliveries,
  purgeTombstones,
  renewRecords,
} from '@roster/api/hosting';
import { connect, type Database, type EmbeddedPostgres, migrate, startEmbedded } from '@roster/db';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { buildApp } from './app.ts';
import { openBackground } from './background.ts';
import type { Config } from './config.ts';
import { openDatabaseClock } from './database-clock.ts';
import { keyFileOf, makeFirstKey } from './first-key.ts';

type Connection = Parameters<typeof connect>[0]['connection'];

/** A service that is listening. */
export interface Service {
  /** Where it is, without a slash at the end: `http://127.0.0.1:3000`. */
  url: string;
  /** Where the data are, in words for people. */
  data: string;
  /** The secret of the first key, where this start made it: to be shown this once. */
  firstKey: string | undefined;
  /** The file that holds the first key of an embedded service. */
  keyFile: string | undefined;
  /**
   * Stops accepting, finishes what runs (at most 10 s), then leaves the database; the last to leave an
   * embedded one stops it. Idempotent.
   */
  close(): Promise<void>;
}

const DRAIN_MS = 10_000;
const SWEEP_MS = 60 * 60 * 1_000;

type Progress = (message: string) => void;

/** Starts the database where it is the embedded one, migrates, listens. Throws what keeps it from that. */
export async function startService(config: Config, onProgress?: Progress): Promise<Service> {
  // Whatever was begun is ended in the opposite order, whether by close() or because the start failed half-way.
  await using begun = new AsyncDisposableStack();
  const embedded = config.databaseUrl === undefined ? await startOwn(config, onProgress) : undefined;
  begun.defer(async () => embedded?.close());
  const connection = config.databaseUrl ?? (embedded as EmbeddedPostgres).connection;
  await migrateFirst(connection, onProgress);
  // Changes that wait for a connection never take all the places, so that reads go on where changes cannot.
  const waitingMax = Math.ceil(config.requestsMax / 2);
  const db = begun.adopt(connect({ connection, waitingMax }), (opened) => opened.destroy());
  const keyFile = embedded === undefined ? undefined : keyFileOf(config);
  let log: FastifyBaseLogger | undefined;
  const onFailure = (error: unknown) => log?.warn({ err: error }, 'something beside the requests failed');
  const { now } = begun.use(await openDatabaseClock(db, onFailure));
  const firstKey = await makeFirstKey(db, { adminKey: config.adminKey, keyFile, now: now() });
  const background = begun.use(
    openBackground({
      connection,
      db,
      adminKey: config.adminKey,
      webhooks: { isPrivateAllowed: config.isPrivateWebhookAllowed },
      rateLimit: config.rateLimit,
      now,
      onFailure,
    }),
  );
  const { keys, feed, sender, limits } = background;
  const app = await buildApp({ ...config, db, now, keys, feed, sender, limits });
  log = app.log;
  begun.defer(() => drain(app));
  const url = await app.listen({ host: config.host, port: config.port });
  begun.defer(sweep(() => purge(background.db, { ...config, now: now() }), app));
  const running = begun.move();
  return { url, data: whereIs(config, embedded), firstKey, keyFile, close: () => running.disposeAsync() };
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
  await purgeAnswers(db, now);
  await renewRecords(db);
}

function startOwn({ dataDir }: Config, onProgress: Progress | undefined) {
  return startEmbedded({ dataDir, ...(onProgress && { onProgress }) });
}

/** A migration may take as long as it needs, so it gets connections without a time limit on statements. */
async function migrateFirst(connection: Connection, onProgress: Progress | undefined): Promise<void> {
  const db = connect({ connection, connectionsMax: 2, statementTimeoutMs: 0 });
  try {
    for (const name of await migrate(db)) onProgress?.(`migrated: ${name}`);
  } finally {
    await db.destroy();
  }
}

function whereIs({ databaseUrl }: Config, embedded: EmbeddedPostgres | undefined): string {
  if (embedded !== undefined) return `${embedded.directory} (embedded PostgreSQL)`;
  const { host, pathname } = new URL(databaseUrl ?? '');
  return `${pathname.slice(1) || 'the default database'} on ${host || 'this machine'} (PostgreSQL)`;
}

/** Runs a clean-up now and then, on every server; each run is safe beside the others. */
function sweep(run: () => Promise<unknown>, app: FastifyInstance): () => void {
  const once = () => run().catch((error: unknown) => app.log.warn({ err: error }, 'a sweep failed'));
  const timer = setInterval(once, SWEEP_MS).unref();
  void once();
  return () => clearInterval(timer);
}

async function drain(app: FastifyInstance): Promise<void> {
  const deadline = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  await app.close();
  clearTimeout(deadline);
}

import { purgeTombstones } from '@roster/api/hosting';
import { connect, type EmbeddedPostgres, migrate, startEmbedded } from '@roster/db';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';

/** A service that is listening. */
export interface Service {
  /** Where it is, without a slash at the end: `http://127.0.0.1:3000`. */
  url: string;
  /** Where the data are, in words for people. */
  data: string;
  /**
   * Stops accepting, finishes what runs (at most 10 s), then leaves the database; the last to leave an
   * embedded one stops it. Idempotent.
   */
  close(): Promise<void>;
}

const DRAIN_MS = 10_000;
const SWEEP_MS = 60 * 60 * 1_000;

/** Starts the database where it is the embedded one, migrates, listens. Throws what keeps it from that. */
export async function startService(config: Config, onProgress?: (message: string) => void): Promise<Service> {
  const embedded = config.databaseUrl === undefined ? await startOwn(config, onProgress) : undefined;
  try {
    const connection = config.databaseUrl ?? (embedded as EmbeddedPostgres).connection;
    await migrateFirst(connection, onProgress);
    const db = connect({ connection });
    const app = await buildApp({ db, retentionDays: config.retentionDays, logLevel: config.logLevel });
    app.addHook('onClose', () => db.destroy());
    const url = await app.listen({ host: config.host, port: config.port });
    const stopSweeps = sweep(
      () => purgeTombstones(db, { now: new Date(), retentionDays: config.retentionDays }),
      app,
    );
    let closing: Promise<void> | undefined;
    const close = async () => {
      stopSweeps();
      await drain(app);
      await embedded?.close();
    };
    return { url, data: whereIs(config, embedded), close: () => (closing ??= close()) };
  } catch (error) {
    await embedded?.close();
    throw error;
  }
}

function startOwn({ dataDir }: Config, onProgress: ((message: string) => void) | undefined) {
  return startEmbedded({ dataDir, ...(onProgress && { onProgress }) });
}

/** A migration may take as long as it needs, so it gets connections without a time limit on statements. */
async function migrateFirst(
  connection: Parameters<typeof connect>[0]['connection'],
  onProgress: ((message: string) => void) | undefined,
): Promise<void> {
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

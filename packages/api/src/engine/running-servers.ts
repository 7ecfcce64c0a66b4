import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import process from 'node:process';
import { type Database, startPolling } from '@roster/db';
import { type Kysely, sql } from 'kysely';

/** A server, from its start to its end. */
export interface RunningServer {
  id: string;
  /** The name of the machine or the container. */
  host: string;
  pid: number;
  version: string;
  startedAt: Date;
}

/** The interval at which a server says that it runs. */
export const SEEN_EVERY_MS = 5_000;
/** A server that has not been seen for so long is not counted. */
export const ALIVE_MS = 3 * SEEN_EVERY_MS;

/** Describes this process as a server that starts. */
export function describeServer(start: Pick<RunningServer, 'version' | 'startedAt'>): RunningServer {
  return { id: randomUUID(), host: hostname(), pid: process.pid, ...start };
}

/** Records that a server runs, and counts those that do. */
async function recordSeen(db: Kysely<Database>, server: RunningServer): Promise<number> {
  const { id, host, pid, version, startedAt } = server;
  await db
    .insertInto('running_server')
    .values({ id, host, pid, version, started_at: startedAt, seen_at: sql`now()` })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => ({ seen_at: row.ref('excluded.seen_at') })),
    )
    .execute();
  await sql`
    delete from running_server where id in (
      select id from running_server where seen_at < now() - ${`${ALIVE_MS} ms`}::interval for update skip locked
    )`.execute(db);
  const { running } = await db
    .selectFrom('running_server')
    .where('seen_at', '>=', sql<Date>`now() - ${`${ALIVE_MS} ms`}::interval`)
    .select((row) => row.fn.countAll().as('running'))
    .executeTakeFirstOrThrow();
  return Number(running);
}

interface RegistryOptions {
  server: RunningServer;
  /** Called with the number of the servers that run, this one included, each time it has been recorded. */
  onCount: (servers: number) => void;
  onError: (error: unknown) => void;
}

/**
 * Records at once and then every 5 seconds that a server runs, by the clock of the database.
 *
 * @returns a function that ends this, so that the server is not counted any more
 */
export function startServerRegistry(
  db: Kysely<Database>,
  { server, onCount, onError }: RegistryOptions,
): () => Promise<void> {
  const record = async () => onCount(await recordSeen(db, server));
  const polling = startPolling(record, { intervalMs: SEEN_EVERY_MS, onError });
  return async () => {
    await polling.stop();
    const own = db.deleteFrom('running_server').where('id', '=', server.id);
    await own.execute().catch(() => undefined);
  };
}

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

/** How often a server is seen. */
const SEEN_EVERY_MS = 5_000;
/** A server that has not been seen for so long is not listed. */
export const ALIVE_MS = 3 * SEEN_EVERY_MS;

/** Describes this process as a server that starts. */
export function describeServer(start: Pick<RunningServer, 'version' | 'startedAt'>): RunningServer {
  return { id: randomUUID(), host: hostname(), pid: process.pid, ...start };
}

async function recordSeen(db: Kysely<Database>, server: RunningServer): Promise<void> {
  const { id, host, pid, version, startedAt } = server;
  await sql`
    insert into running_server (id, host, pid, version, started_at, seen_at)
    values (${id}, ${host}, ${pid}, ${version}, ${startedAt}, now())
    on conflict (id) do update set seen_at = excluded.seen_at`.execute(db);
  await sql`
    delete from running_server where id in (
      select id from running_server where seen_at < now() - ${`${ALIVE_MS} ms`}::interval for update skip locked
    )`.execute(db);
}

/**
 * Records at once and then every 5 seconds that a server runs, by the clock of the database.
 *
 * @returns a function that ends this, so that the server is not listed any more
 */
export function startServerRegistry(
  db: Kysely<Database>,
  server: RunningServer,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const polling = startPolling(() => recordSeen(db, server), { intervalMs: SEEN_EVERY_MS, onError });
  return async () => {
    await polling.stop();
    await sql`delete from running_server where id = ${server.id}`.execute(db).catch(() => undefined);
  };
}

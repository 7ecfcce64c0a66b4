import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import process from 'node:process';
import { type Database, startPolling } from '@roster/db';
import { type Kysely, sql } from 'kysely';

export interface RunningServer {
  id: string;
  host: string;
  pid: number;
  version: string;
  startedAt: Date;
}

export const SEEN_EVERY_MS = 5_000;
export const ALIVE_MS = 3 * SEEN_EVERY_MS;

export function describeServer(start: Pick<RunningServer, 'version' | 'startedAt'>): RunningServer {
  return { id: randomUUID(), host: hostname(), pid: process.pid, ...start };
}

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
  onCount: (servers: number) => void;
  onError: (error: unknown) => void;
}

/** Every 5 seconds, by the database's clock. The returned function removes the server from the count. */
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

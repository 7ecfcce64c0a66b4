import { RosterError } from '@roster/api';
import { type Database, pendingMigrations } from '@roster/db';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';

/** For so long an answer of the database is shared by all who ask whether the server is ready. */
export const LOOK_MS = 250;

/**
 * /healthz says that the process lives; /readyz that it may be sent requests: the database answers and has all
 * migrations, and the server is not about to stop (`stopping`).
 */
export function registerHealth(
  app: FastifyInstance,
  { db, stopping }: { db: Kysely<Database>; stopping: AbortSignal },
): void {
  let look: Promise<void> | undefined;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  const checkDatabase = () => {
    if (look === undefined || performance.now() - lookedAtMs >= LOOK_MS) {
      lookedAtMs = performance.now();
      look = demandMigrated(db);
      // Whoever waits for it is told; it may be that nobody does any more.
      look.catch(() => undefined);
    }
    return look;
  };
  app.get('/healthz', async (_, reply) => {
    reply.header('Cache-Control', 'no-store');
    return { status: 'ok' };
  });
  app.get('/readyz', async (_, reply) => {
    if (stopping.aborted) throw new RosterError('unavailable', 'This server is stopping.');
    await checkDatabase();
    reply.header('Cache-Control', 'no-store');
    return { status: 'ready' };
  });
}

/** Throws `unavailable` unless the database answers and has all migrations. */
async function demandMigrated(db: Kysely<Database>): Promise<void> {
  const pending = await pendingMigrations(db).catch((cause: unknown) => {
    throw new RosterError('unavailable', 'The database does not answer.', { cause });
  });
  if (pending.length > 0) throw new RosterError('unavailable', 'The database is not migrated yet.');
}

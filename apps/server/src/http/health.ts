import { RosterError } from '@roster/api';
import { type Database, migrationState } from '@roster/db';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';

const CHECK_MS = 250;

/** /healthz says that the process is alive, /readyz that the database responds and is migrated, and the server is not stopping. */
export function registerHealth(
  app: FastifyInstance,
  { db, stopping }: { db: Kysely<Database>; stopping: AbortSignal },
): void {
  let check: Promise<void> | undefined;
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  const checkDatabase = () => {
    if (check === undefined || performance.now() - checkedAtMs >= CHECK_MS) {
      checkedAtMs = performance.now();
      check = requireMigrated(db);
      // The requests that wait for it handle it.
      check.catch(() => undefined);
    }
    return check;
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

async function requireMigrated(db: Kysely<Database>): Promise<void> {
  const { pending } = await migrationState(db).catch((cause: unknown) => {
    throw new RosterError('unavailable', 'The database does not respond.', { cause });
  });
  if (pending.length > 0) throw new RosterError('unavailable', 'The database is not migrated yet.');
}

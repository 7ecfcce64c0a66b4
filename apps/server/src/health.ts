import { RosterError } from '@roster/api';
import { type Database, pendingMigrations } from '@roster/db';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';

/**
 * /healthz says that the process lives; /readyz that it may be sent requests: the database answers and has all
 * migrations, and the server is not about to stop (`stopping`).
 */
export function registerHealth(
  app: FastifyInstance,
  { db, stopping }: { db: Kysely<Database>; stopping: AbortSignal },
): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    if (stopping.aborted) throw new RosterError('unavailable', 'This server is stopping.');
    const pending = await pendingMigrations(db).catch((cause: unknown) => {
      throw new RosterError('unavailable', 'The database does not answer.', { cause });
    });
    if (pending.length > 0) throw new RosterError('unavailable', 'The database is not migrated yet.');
    return { status: 'ready' };
  });
}

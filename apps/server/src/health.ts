import { RosterError } from '@roster/api';
import { type Database, pendingMigrations } from '@roster/db';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';

/** /healthz says that the process lives, /readyz that the database answers and has all migrations. */
export function registerHealth(app: FastifyInstance, db: Kysely<Database>): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    const pending = await pendingMigrations(db).catch((cause: unknown) => {
      throw new RosterError('unavailable', 'The database does not answer.', { cause });
    });
    if (pending.length > 0) throw new RosterError('unavailable', 'The database is not migrated yet.');
    return { status: 'ready' };
  });
}

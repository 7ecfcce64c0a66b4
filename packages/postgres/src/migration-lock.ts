import { setTimeout } from 'node:timers/promises';
import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** The lock of Kysely's own adapter, so that processes with either adapter exclude each other. */
export const MIGRATION_LOCK = sql.lit('3853314791062309107');
const POLL_INTERVAL_MS = 50;
/** The same as in Kysely's own adapter. */
const TIMEOUT_MS = 60 * 60 * 1_000;

/**
 * Polls for the migration lock, while Kysely's own adapter waits for it in one statement. `create index concurrently` waits
 * for every statement that began before it, so a migration that runs it would deadlock with those that wait for its lock.
 */
export class PollingMigrationLock extends PostgresAdapter {
  // biome-ignore lint/suspicious/noExplicitAny: it is Kysely's own signature
  override async acquireMigrationLock(db: Kysely<any>): Promise<void> {
    for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline; ) {
      const { rows } = await sql<{ isTaken: boolean }>`
        select pg_try_advisory_lock(${MIGRATION_LOCK}::bigint) as "isTaken"`.execute(db);
      if (rows[0]?.isTaken) return;
      await setTimeout(POLL_INTERVAL_MS);
    }
    throw new Error('The migration lock was not acquired within an hour: another process holds it.');
  }
}

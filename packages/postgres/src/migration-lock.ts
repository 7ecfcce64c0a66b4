import { setTimeout } from 'node:timers/promises';
import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** The lock that Kysely's own adapter takes, so that servers of every release exclude each other. */
const LOCK = sql.lit('3853314791062309107');
const LOOK_EVERY_MS = 50;
/** As long as Kysely's own would wait. */
const PATIENCE_MS = 60 * 60 * 1_000;

/**
 * Waits for the migration lock by asking for it again and again, where Kysely's waits in one statement: an index that is
 * built concurrently waits for every statement which began before it, so that the builder, who holds this lock, and the
 * servers that wait for it would wait for each other.
 */
export class MigrationAdapter extends PostgresAdapter {
  // biome-ignore lint/suspicious/noExplicitAny: it is Kysely's own signature
  override async acquireMigrationLock(db: Kysely<any>): Promise<void> {
    for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; ) {
      const { rows } = await sql<{ isTaken: boolean }>`
        select pg_try_advisory_lock(${LOCK}::bigint) as "isTaken"`.execute(db);
      if (rows[0]?.isTaken) return;
      await setTimeout(LOOK_EVERY_MS);
    }
    throw new Error('Another server has been migrating the database for an hour.');
  }
}

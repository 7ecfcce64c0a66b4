import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from './migrations/index.ts';
import type { Database } from './tables.ts';

function migratorFor(db: Kysely<Database>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

/**
 * Brings the database up to date: all pending migrations in one transaction, under an advisory lock, so
 * that any number of servers may start at once. Returns the names of those it ran, oldest first.
 * Throws what PostgreSQL says when one fails; then none of them is applied.
 */
export async function migrate(db: Kysely<Database>): Promise<string[]> {
  const { error, results = [] } = await migratorFor(db).migrateToLatest();
  if (error !== undefined) throw error;
  return results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName);
}

/** The names of the migrations the database has not had yet, oldest first; empty when it is up to date. */
export async function pendingMigrations(db: Kysely<Database>): Promise<string[]> {
  const known = await migratorFor(db).getMigrations();
  return known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}

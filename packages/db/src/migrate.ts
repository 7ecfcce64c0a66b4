import { setTimeout } from 'node:timers/promises';
import { codeOf, prepared, SQLSTATE } from '@roster/postgres';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { type ReleasedMigration, migrations as released } from './migrations/index.ts';
import type { Database } from './tables.ts';

export interface MigrateOptions {
  /** By their names, in whose order they are run; all of this release unless given. */
  migrations?: Record<string, ReleasedMigration>;
  /**
   * How long a migration waits for the lock of a table: 1,000 ms unless given. Whoever wants the table after it waits
   * behind it, so that this is how long requests may stand; then it pauses for about as long.
   */
  lockTimeoutMs?: number;
  /** How long to try again where locks are not had, before that is an error: 300,000 ms unless given. */
  patienceMs?: number;
  /** Told, in words for people, that a lock was not had and will be tried again. */
  onWait?: (message: string) => void;
}

/** What a database has had, compared with what this release knows. */
export interface MigrationState {
  /** Not had yet, oldest first; empty when the database is up to date. */
  pending: string[];
  /** Had, but not known to this release, oldest first: a newer one has been here. */
  unknown: string[];
}

const LOCK_TIMEOUT_MS = 1_000;
const PATIENCE_MS = 300_000;

/** After these, another moment may be a better one. */
const passing: readonly string[] = [SQLSTATE.lockNotAvailable, SQLSTATE.deadlockDetected];

/**
 * Brings the database up to date, under an advisory lock, so that any number of servers may start at once. Consecutive
 * migrations share a transaction; one that is concurrent (`isConcurrent`) runs outside any, unless `db` is one. What a newer release has done
 * to the database stays, and is no reason to refuse: migrations only add (CONTRIBUTING.md).
 *
 * @returns the names of those it ran, oldest first
 * @throws what PostgreSQL says when one fails; then none of its transaction is applied
 */
export async function migrate(db: Kysely<Database>, options: MigrateOptions = {}): Promise<string[]> {
  const { migrations = released, patienceMs = PATIENCE_MS } = options;
  // A server of the release before may start while a newer one migrates, and has nothing to wait for.
  if ((await migrationState(db, migrations)).pending.length === 0) return [];
  const deadline = performance.now() + patienceMs;
  const ran: string[] = [];
  for (const stage of stagesOf(migrations)) {
    ran.push(...(await runStage(db, stage, { ...options, migrations, deadline })));
  }
  return ran;
}

/** What the database has not had yet, and what it has had that this release does not know. Changes nothing. */
export async function migrationState(
  db: Kysely<Database>,
  migrations: Record<string, Migration> = released,
): Promise<MigrationState> {
  const had = await executedMigrations(db);
  const known = Object.keys(migrations).sort();
  return {
    pending: known.filter((name) => !had.includes(name)),
    unknown: had.filter((name) => !known.includes(name)),
  };
}

/** The names of the migrations the database has not had yet, oldest first; empty when it is up to date. */
export async function pendingMigrations(db: Kysely<Database>): Promise<string[]> {
  return (await migrationState(db)).pending;
}

const executed = prepared<object, { name: string }>(
  () => sql`select name from kysely_migration order by name`,
  { reads: true },
);

async function executedMigrations(db: Kysely<Database>): Promise<string[]> {
  try {
    return (await executed.execute(db, {})).map(({ name }) => name);
  } catch (error) {
    if (codeOf(error) === SQLSTATE.undefinedTable) return [];
    throw error;
  }
}

interface Stage {
  /** What has to be there when it is over. */
  names: string[];
  isConcurrent: boolean;
}

/** The migrations in the order of their names, parted where one may not share a transaction. */
function stagesOf(migrations: Record<string, ReleasedMigration>): Stage[] {
  const stages: Stage[] = [];
  const names: string[] = [];
  for (const name of Object.keys(migrations).sort()) {
    const isConcurrent = migrations[name]?.isConcurrent === true;
    names.push(name);
    const before = stages.at(-1);
    if (before !== undefined && !isConcurrent && !before.isConcurrent) before.names = [...names];
    else stages.push({ names: [...names], isConcurrent });
  }
  return stages;
}

type StageOptions = MigrateOptions & Required<Pick<MigrateOptions, 'migrations'>> & { deadline: number };

async function runStage(db: Kysely<Database>, stage: Stage, options: StageOptions): Promise<string[]> {
  const { deadline, onWait, lockTimeoutMs = LOCK_TIMEOUT_MS } = options;
  for (;;) {
    const provider = { getMigrations: () => providedFor(db, stage, options) };
    const migrator = new Migrator({ db, provider });
    const { error, results = [] } = await migrator.migrateToLatest({
      // In a transaction of the caller's, as of a restore, nobody is there whom an index could hold up.
      disableTransactions: stage.isConcurrent && !db.isTransaction,
    });
    if (error === undefined) {
      return results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName);
    }
    if (!passing.includes(codeOf(error) ?? '') || performance.now() > deadline) throw error;
    onWait?.('a table is in use, so the migration lets go of it and tries again');
    // Not with others who try in step, and long enough for those who stood behind us to be served.
    await setTimeout(lockTimeoutMs * (0.5 + Math.random() / 2));
  }
}

/**
 * The migrations up to a stage, each with its bound on waiting for locks; and in the place of those the database has had besides,
 * nothing, because Kysely refuses a database that has had one it does not know.
 */
async function providedFor(
  db: Kysely<Database>,
  { names, isConcurrent }: Stage,
  { migrations, lockTimeoutMs = LOCK_TIMEOUT_MS }: StageOptions,
): Promise<Record<string, Migration>> {
  const provided: Record<string, Migration> = {};
  for (const name of await executedMigrations(db)) provided[name] = { up: async () => undefined };
  for (const name of names) {
    const migration = migrations[name];
    if (migration === undefined) continue;
    provided[name] = {
      async up(trx) {
        // A concurrent one lets everybody pass while it waits, and it waits for transactions of any length.
        if (!isConcurrent)
          await sql`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true)`.execute(trx);
        await migration.up(trx);
      },
    };
  }
  return provided;
}

/**
 * Brings an empty database to where it was after this migration, and no further; `db` may be a transaction.
 * Throws what PostgreSQL says when one fails.
 */
export async function migrateTo(db: Kysely<Database>, name: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => released } });
  const { error } = await migrator.migrateTo(name);
  if (error !== undefined) throw error;
}

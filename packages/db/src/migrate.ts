import { setTimeout } from 'node:timers/promises';
import { codeOf, compileOnce, SQLSTATE } from '@roster/postgres';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { BaselineChangedError, baselineChanged, isBeforeBaseline } from './migrations/baseline-changed.ts';
import { migrations as released } from './migrations/index.ts';
import type { ReleasedMigration } from './migrations/released-migration.ts';
import type { RepeatableMigrations } from './repeatable/repeatable-migration.ts';
import { pendingRepeatable, runRepeatable } from './repeatable/run.ts';
import type { Database } from './tables.ts';

/** The migration that makes the tables of a new database. */
export const BASELINE = '0001-baseline';

export interface MigrateOptions {
  /** By name; they run in the order of their names. Those of this release unless given. */
  migrations?: Record<string, ReleasedMigration>;
  /** The statements that build the JSON of records; those of this release unless given. */
  repeatable?: RepeatableMigrations;
  /**
   * The longest wait of a migration for the lock of a table: 1,000 ms unless given. Requests for the table queue behind it for
   * that long; then it pauses for about as long and tries again.
   */
  lockTimeoutMs?: number;
  /** The time after which a lock that is not acquired is an error instead of retried: 300,000 ms unless given. */
  timeoutMs?: number;
  /** Receives a message for people when a lock was not acquired and will be retried. */
  onWait?: (message: string) => void;
}

/** The migrations of a database, compared with those of this release. */
export interface MigrationState {
  /** Have not run, oldest first, the repeatable ones last; empty if the database is up to date. */
  pending: string[];
  /** Have run, but are unknown to this release, oldest first: a newer release has migrated the database. */
  unknown: string[];
}

const LOCK_TIMEOUT_MS = 1_000;
const TIMEOUT_MS = 300_000;

/** Errors after which a retry may succeed. */
const transient: readonly string[] = [SQLSTATE.lockNotAvailable, SQLSTATE.deadlockDetected];

/**
 * Runs the pending migrations under an advisory lock, so that any number of servers can start at the same time.
 * Consecutive migrations share a transaction; a concurrent one (`isConcurrent`) runs outside of any, unless `db` is one.
 * Migrations of a newer release are left alone, because migrations are additive (docs/contributing/migrations.md).
 *
 * @returns the names of the migrations that ran, oldest first
 * @throws the error of PostgreSQL if one fails; its transaction is rolled back
 * @throws BaselineChangedError if the database is from before 0.1.0
 */
export async function migrate(db: Kysely<Database>, options: MigrateOptions = {}): Promise<string[]> {
  const { migrations = released, repeatable, timeoutMs = TIMEOUT_MS } = options;
  const ran: string[] = [];
  // A server of an older release that starts while a newer one migrates does not wait for the lock.
  if ((await versionedState(db, migrations)).pending.length > 0) {
    const deadline = performance.now() + timeoutMs;
    for (const stage of stagesOf(migrations)) {
      ran.push(...(await runStage(db, stage, { ...options, migrations, deadline })));
    }
  }
  if ((await pendingRepeatable(db, repeatable)).length > 0)
    ran.push(...(await runRepeatable(db, repeatable)));
  return ran;
}

/** Which migrations are pending, and which are unknown to this release. Changes nothing. */
export async function migrationState(
  db: Kysely<Database>,
  migrations: Record<string, Migration> = released,
  repeatable?: RepeatableMigrations,
): Promise<MigrationState> {
  const { pending, unknown } = await versionedState(db, migrations);
  return { pending: [...pending, ...(await pendingRepeatable(db, repeatable))], unknown };
}

async function versionedState(
  db: Kysely<Database>,
  migrations: Record<string, Migration>,
): Promise<MigrationState> {
  const executed = await executedMigrations(db);
  const known = Object.keys(migrations).sort();
  return {
    pending: known.filter((name) => !executed.includes(name)),
    unknown: executed.filter((name) => !known.includes(name)),
  };
}

const executedQuery = compileOnce<object, { name: string }>(
  () => sql`select name from kysely_migration order by name`,
  { isReadOnly: true },
);

/**
 * The names of the migrations that have run, oldest first.
 * @throws BaselineChangedError if the database is from before 0.1.0
 */
export async function executedMigrations(db: Kysely<Database>): Promise<string[]> {
  const names = await executedQuery.execute(db, {}).then(
    (rows) => rows.map(({ name }) => name),
    (error: unknown) => {
      if (codeOf(error) === SQLSTATE.undefinedTable) return [];
      throw error;
    },
  );
  if (isBeforeBaseline(names)) throw new BaselineChangedError(baselineChanged('This database'));
  return names;
}

interface Stage {
  /** All migrations that have run after this stage. */
  names: string[];
  isConcurrent: boolean;
}

/** Splits the migrations, in the order of their names, where one must not share a transaction. */
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
      // In a transaction of the caller, as in a restore, no other session needs the table.
      disableTransactions: stage.isConcurrent && !db.isTransaction,
    });
    if (error === undefined) {
      return results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName);
    }
    if (!transient.includes(codeOf(error) ?? '') || performance.now() > deadline) throw error;
    onWait?.('a table is in use: the migration releases its locks and retries');
    // A random pause, so that servers do not retry at the same time, and queued requests are served meanwhile.
    await setTimeout(lockTimeoutMs * (0.5 + Math.random() / 2));
  }
}

/**
 * The migrations up to a stage, each with its lock timeout; and an empty one for each other that has run, because Kysely
 * rejects a database with unknown migrations.
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
        // A concurrent one blocks no other session while it waits, and it waits for transactions of any length.
        if (!isConcurrent)
          await sql`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true)`.execute(trx);
        await migration.up(trx);
      },
    };
  }
  return provided;
}

/**
 * Runs the migrations up to and including this one on an empty database; `db` may be a transaction.
 * @throws the error of PostgreSQL if one fails
 */
export async function migrateTo(
  db: Kysely<Database>,
  name: string,
  migrations: Record<string, Migration> = released,
): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateTo(name);
  if (error !== undefined) throw error;
}

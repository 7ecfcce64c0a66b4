import { setTimeout } from 'node:timers/promises';
import { codeOf, compileOnce, type Param, SQLSTATE } from '@roster/postgres';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { BaselineChangedError, baselineChanged, isBeforeBaseline } from './migrations/baseline-changed.ts';
import { migrations as released } from './migrations/index.ts';
import type { ReleasedMigration } from './migrations/released-migration.ts';
import type { RepeatableMigrations } from './repeatable/repeatable-migration.ts';
import { pendingRepeatable, runRepeatable } from './repeatable/run.ts';
import type { Database } from './tables.ts';

export const BASELINE = '0001-baseline';

export interface MigrateOptions {
  /** By name, run in the order of names. Defaults to those of this release. */
  migrations?: Record<string, ReleasedMigration>;
  /** The statements that build the JSON of records. Defaults to those of this release. */
  repeatable?: RepeatableMigrations;
  /** Requests queue behind the wait. Then it pauses as long and retries. Defaults to 1,000 ms. */
  lockTimeoutMs?: number;
  /** When waiting for a lock fails. Defaults to 300,000 ms. */
  timeoutMs?: number;
  onWait?: (message: string) => void;
}

export interface MigrationState {
  /** Oldest first, then the repeatable ones. */
  pending: string[];
  /** Executed by a newer release, oldest first. */
  unknown: string[];
}

const LOCK_TIMEOUT_MS = 1_000;
const TIMEOUT_MS = 300_000;

const transient: readonly string[] = [SQLSTATE.lockNotAvailable, SQLSTATE.deadlockDetected];

/**
 * Runs pending migrations under an advisory lock, so that servers can start concurrently. Consecutive ones
 * share a transaction; a concurrent one (`isConcurrent`) runs outside of any, unless `db` is one. Migrations
 * of a newer release are ignored, because migrations are additive (docs/contributing/migrations.md).
 *
 * @returns the names of the executed migrations, oldest first
 * @throws the error of PostgreSQL, after rolling back
 * @throws BaselineChangedError if the database is from before 0.1.0
 */
export async function migrate(db: Kysely<Database>, options: MigrateOptions = {}): Promise<string[]> {
  const { migrations = released, repeatable, timeoutMs = TIMEOUT_MS } = options;
  const ran: string[] = [];
  // An older release that starts during a migration does not wait for the lock.
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

const executedQuery = compileOnce(
  (_: Param<object>, db: Kysely<{ kysely_migration: { name: string } }>) =>
    db.selectFrom('kysely_migration').select('name').orderBy('name'),
  // On a connection of the pipeline: it is asked while a migration holds one of the pool, which may be the only one.
  { isReadOnly: true, lane: 'keys' },
);

/** Oldest first. Throws BaselineChangedError for a database from before 0.1.0. */
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
  /** All migrations up to the end of this stage. */
  names: string[];
  isConcurrent: boolean;
}

/** Splits where a migration must not share a transaction. */
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
      // In an existing transaction, as for a restore, no other session needs the table.
      disableTransactions: stage.isConcurrent && !db.isTransaction,
    });
    if (error === undefined) {
      return results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName);
    }
    if (!transient.includes(codeOf(error) ?? '') || performance.now() > deadline) throw error;
    onWait?.('a table is in use: the migration releases its locks and retries');
    // Random, so that servers don't retry together, and queued requests run in between.
    await setTimeout(lockTimeoutMs * (0.5 + Math.random() / 2));
  }
}

/** Other executed migrations are empty, because Kysely rejects unknown ones. */
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
        // A concurrent one blocks no one while it waits for transactions of any length.
        if (!isConcurrent)
          await sql`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true)`.execute(trx);
        await migration.up(trx);
      },
    };
  }
  return provided;
}

/** On an empty database; `db` can be a transaction. Throws the error of PostgreSQL. */
export async function migrateTo(
  db: Kysely<Database>,
  name: string,
  migrations: Record<string, Migration> = released,
): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateTo(name);
  if (error !== undefined) throw error;
}

import { compileOnce } from '@roster/postgres';
import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { buildIndex, dropIndex } from '../migrations/concurrent-index.ts';
import type { Database } from '../tables.ts';
import { records } from './records.ts';
import {
  commentOf,
  nameOf,
  type RecordTable,
  type RepeatableMigration,
  type RepeatableMigrations,
} from './repeatable-migration.ts';

/** A tag, because the builder knows no tables of the catalog. */
const commentsQuery = compileOnce<{ tables: readonly string[] }, { table: string; comment: string | null }>(
  (param) => sql`
    select tables.name as table, obj_description(to_regprocedure(tables.name || '_keep()'), 'pg_proc') as comment
    from unnest(${param('tables')}::text[]) as tables (name)`,
  { isReadOnly: true },
);

/** Leaves out tables with the version of a newer release. */
async function pendingTables(db: Kysely<Database>, migrations: RepeatableMigrations): Promise<RecordTable[]> {
  const rows = await commentsQuery.execute(db, { tables: Object.keys(migrations) });
  const comments = new Map(rows.map(({ table, comment }) => [table, comment ?? '']));
  const isPending = (table: RecordTable) => {
    const comment = comments.get(table) ?? '';
    const version = Number(/^version (\d+)/.exec(comment)?.[1] ?? 0);
    return comment !== commentOf(migrations[table]) && version <= migrations[table].version;
  };
  return (Object.keys(migrations) as RecordTable[]).filter(isPending);
}

export async function pendingRepeatable(
  db: Kysely<Database>,
  migrations: RepeatableMigrations = records,
): Promise<string[]> {
  const tables = await pendingTables(db, migrations);
  return tables.map((table) => nameOf(table, migrations[table]));
}

/**
 * Runs pending repeatable migrations under the migration lock. Running servers continue with the functions
 * and index of their version. The backfill updates existing rows.
 *
 * @returns the executed ones
 * @throws the error of PostgreSQL
 */
export async function runRepeatable(
  db: Kysely<Database>,
  migrations: RepeatableMigrations = records,
): Promise<string[]> {
  if (db.isTransaction) return runPending(db, migrations);
  return db.connection().execute(async (session) => {
    const { adapter } = session.getExecutor();
    const options = {
      lockTable: DEFAULT_MIGRATION_LOCK_TABLE,
      lockRowId: 'migration_lock',
      migrationTable: DEFAULT_MIGRATION_TABLE,
    };
    await adapter.acquireMigrationLock(session, options);
    try {
      return await runPending(session, migrations);
    } finally {
      await adapter.releaseMigrationLock(session, options);
    }
  });
}

async function runPending(db: Kysely<Database>, migrations: RepeatableMigrations): Promise<string[]> {
  const ran: string[] = [];
  for (const table of await pendingTables(db, migrations)) {
    const migration = migrations[table];
    // The index first, because the comment marks everything as done.
    await buildBackfillIndex(db, table, migration.version);
    await replaceFunctions(db, table, migration);
    ran.push(nameOf(table, migration));
  }
  return ran;
}

async function replaceFunctions(
  db: Kysely<Database>,
  table: RecordTable,
  migration: RepeatableMigration,
): Promise<void> {
  const replace = async (trx: Kysely<Database>) => {
    for (const statement of migration.statements) await sql.raw(statement).execute(trx);
    await sql`comment on function ${sql.id(`${table}_keep`)} is ${sql.lit(commentOf(migration))}`.execute(
      trx,
    );
  };
  await (db.isTransaction ? replace(db) : db.transaction().execute(replace));
}

interface BackfillIndex {
  name: string;
  version: number;
  isValid: boolean;
}

/** For the backfill. Drops the indexes before the previous version. They are read from the catalog. */
async function buildBackfillIndex(db: Kysely<Database>, table: RecordTable, version: number): Promise<void> {
  const { rows } = await sql<BackfillIndex>`
    select relname as name, indisvalid as "isValid", found.version::int as version
    from pg_index join pg_class on pg_class.oid = indexrelid,
      substring(pg_get_expr(indpred, indrelid) from 'record_shape IS DISTINCT FROM ([0-9]+)') as found (version)
    where indrelid = to_regclass(${table}::text) and found.version is not null`.execute(db);
  if (!rows.some((index) => index.version === version && index.isValid)) {
    const definition = `${table} (id) where record_shape is distinct from ${version}`;
    await buildIndex(db, `${table}_stale_${version}_idx`, definition);
  }
  const previous = Math.max(0, ...rows.map((index) => index.version).filter((other) => other < version));
  for (const { name } of rows.filter((index) => index.version < previous)) {
    await dropIndex(db, name);
  }
}

import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ConnectionTarget } from '@roster/postgres';
import { sql, type Transaction } from 'kysely';
import { migrate, migrateTo } from '../migrate.ts';
import { baselineChanged, isBeforeBaseline } from '../migrations/baseline-changed.ts';
import { migrations as released } from '../migrations/index.ts';
import type { ReleasedMigration } from '../migrations/released-migration.ts';
import type { Database } from '../tables.ts';
import { type Contents, dropPostData, findSchema, readContents } from './contents.ts';
import { copyTarget, type OnProgress, type Summary } from './create.ts';
import { type BackupFile, type Head, openBackupFile, type Totals } from './file.ts';
import { BackupError, openSession, type Session } from './session.ts';

export interface RestoreOptions {
  /** A database without tables, in which the user may create tables and the extension pg_trgm. */
  connection: ConnectionTarget;
  /** The bytes of a backup; destroyed at the end. */
  source: Readable;
  /**
   * Whether changes after the backup are lost, whose events clients may have read. If so, their positions are not assigned
   * again, and clients have to read the event log from its start. Otherwise the log continues where the backup ends.
   */
  isAfterLoss?: boolean;
  /** By name; those of this release unless given. */
  migrations?: Record<string, ReleasedMigration>;
  /** Cancels the restore. */
  signal?: AbortSignal;
  onProgress?: OnProgress;
}

/** More than the changes between a backup and a loss. A number in JavaScript can hold millions of these steps. */
const POSITIONS_LOST_MAX = 1_000_000_000;

export interface Restored extends Summary {
  /** The versioned migrations of this release that ran after loading. */
  migrated: string[];
  /** Tables of the backup that this release does not know, which were not restored. */
  leftOut: string[];
}

/**
 * Restores a backup into an empty database in one transaction: creates the tables as of the backup, loads the rows, and
 * runs the newer migrations of this release. Foreign keys check every row.
 * @throws BackupError if the backup is incomplete, from a newer release or from before 0.1.0, or the database is not empty, cannot be
 * reached, returns an error, or the connection is lost; errors of `source`; the signal's reason. The database is then unchanged.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  using file = openBackupFile(options.source);
  const head = await file.readHead();
  if (isBeforeBaseline(head.migrations)) throw new BackupError(baselineChanged('This backup'));
  const { migrations = released } = options;
  const known = Object.keys(migrations).sort();
  const unknown = head.migrations.find((name, index) => name !== known[index]);
  if (unknown !== undefined)
    throw new BackupError(
      `The backup is from a newer release of Roster (with the migration ${unknown}): restore it with that release.`,
    );
  await using session = await openSession(options.connection, options.signal);
  return await session.transaction('read committed', (trx) =>
    load({ ...options, migrations, session, trx, file, head }),
  );
}

interface Job extends Omit<RestoreOptions, 'connection'> {
  migrations: Record<string, ReleasedMigration>;
  session: Session;
  trx: Transaction<Database>;
  file: BackupFile;
  head: Head;
}

async function load(job: Job): Promise<Restored> {
  const { trx, head, migrations, isAfterLoss } = job;
  const { schema } = await findSchema(trx);
  await requireEmpty(trx, schema);
  await migrateTo(trx, head.migrations.at(-1) ?? '', migrations);
  const contents = await readContents(trx, schema);
  const recreatePostData = await dropPostData(trx, schema);
  // The migrations inserted rows, which those of the backup replace.
  const names = sql.join(contents.tables.map(({ name }) => sql.id(schema, name)));
  await sql`truncate ${names}`.execute(trx);
  const { totals, leftOut } = await loadRows(job, contents);
  for (const name of contents.sequences) {
    const last = totals.sequences[name];
    if (last === undefined) throw new BackupError(`The backup does not contain the sequence ${name}.`);
    if (last !== null)
      await sql`select setval(format('%I.%I', ${schema}::text, ${name}::text)::regclass, ${last}::bigint)`.execute(
        trx,
      );
  }
  await recreatePostData();
  const ran = await migrate(trx, { migrations });
  if (isAfterLoss) {
    // Every position that a client may have is now older than the start of the event log, and is rejected as expired.
    const end = sql`last_position + ${POSITIONS_LOST_MAX}::bigint`;
    await sql`update event_log set last_position = ${end}, compacted_to = ${end}`.execute(trx);
  }
  // Without statistics, the first statements after a restore are planned for empty tables.
  await sql`analyze`.execute(trx);
  return {
    takenAt: new Date(head.takenAt),
    migrations: head.migrations,
    rows: totals.rows,
    migrated: ran.filter((name) => name in migrations),
    leftOut,
  };
}

async function requireEmpty(trx: Transaction<Database>, schema: string): Promise<void> {
  const { tables } = await readContents(trx, schema);
  if (tables.length === 0) return;
  const some = tables.slice(0, 3).map(({ name }) => name);
  throw new BackupError(
    `The database is not empty (${some.join(', ')}${tables.length > 3 ? ', …' : ''}); nothing is overwritten. Restore into a new one.`,
  );
}

/** Loads the rows of all tables that this release knows, and compares their numbers with those of the backup. */
async function loadRows(
  job: Job,
  { schema, tables }: Contents,
): Promise<{ totals: Totals; leftOut: string[] }> {
  const { session, file, onProgress } = job;
  const missing = new Map(tables.map(({ name, columns }) => [name, columns]));
  const loaded: Record<string, number> = {};
  const leftOut: string[] = [];
  let bytes = 0;
  let next = await file.readNext();
  for (; 'table' in next; next = await file.readNext()) {
    const { table, columns } = next;
    const known = missing.get(table);
    if (known === undefined) {
      leftOut.push(table);
      for await (const _ of file.readRows());
      continue;
    }
    missing.delete(table);
    if (known.toSorted().join() !== columns.toSorted().join())
      throw new BackupError(`The table ${table} has other columns in the backup: it was changed by hand.`);
    const rows = async function* () {
      for await (const chunk of file.readRows()) {
        bytes += chunk.length;
        onProgress?.({ table, bytes });
        yield chunk;
      }
    };
    // The table is invisible to other sessions before the commit, so its rows can be loaded as frozen.
    const copying = session.copyIn(`copy ${copyTarget(schema, table, columns)} from stdin with (freeze)`);
    await pipeline(rows, copying);
    loaded[table] = copying.rowCount;
  }
  const [absent] = missing.keys();
  if (absent !== undefined) throw new BackupError(`The backup does not contain the table ${absent}.`);
  const totals = next;
  const wrong = Object.keys(loaded).find((name) => loaded[name] !== totals.rows[name]);
  if (wrong !== undefined)
    throw new BackupError(`The backup is damaged: the table ${wrong} has a different number of rows.`);
  return { totals, leftOut };
}

import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { type ConnectionTarget, MIGRATION_LOCK } from '@roster/postgres';
import { type Kysely, sql } from 'kysely';
import { executedMigrations } from '../migrate.ts';
import type { Database } from '../tables.ts';
import { readContents } from './contents.ts';
import { END_OF_ROWS, lineOf } from './file.ts';
import { BackupError, type Session, withSession } from './session.ts';

export interface Summary {
  takenAt: Date;
  rows: number;
}

/**
 * Writes a consistent snapshot to `target` in the format of `file.ts`, and ends the stream. Servers continue;
 * a migration waits. Memory does not grow with the data.
 *
 * @param connection a primary or a standby with Roster's tables
 * @throws BackupError if the database can't be reached, fails, or the connection is lost; errors of `target`.
 * The incomplete file is recognised when it is read.
 */
export function createBackup(connection: ConnectionTarget, target: Writable): Promise<Summary> {
  return withSession(connection, async ({ db, copyOut }) => {
    // Held until the connection ends.
    await sql`select pg_advisory_lock_shared(${MIGRATION_LOCK}::bigint)`.execute(db);
    const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
    return snapshot.execute(async (trx) => {
      const summary: Summary = { takenAt: await snapshotTime(trx), rows: 0 };
      const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
      await pipeline(writeContents({ db: trx, copyOut }, summary), compress, target);
      return summary;
    });
  });
}

async function* writeContents({ db, copyOut }: Pick<Session, 'db' | 'copyOut'>, summary: Summary) {
  const { schema, tables, sequences } = await readContents(db);
  const migrations = await executedMigrations(db);
  if (migrations.length === 0)
    throw new BackupError('The database contains no tables of Roster: there is nothing to back up.');
  const takenAt = summary.takenAt.toISOString();
  yield lineOf({ format: 'roster-backup', version: 1, takenAt, migrations });
  for (const table of tables) {
    yield lineOf({ table: table.name, columns: table.columns });
    const copying = copyOut(table);
    yield* copying;
    // The row count can arrive after the last row, but comes before the result of a later statement.
    await sql`select`.execute(db);
    summary.rows += copying.rowCount;
    yield Buffer.from(END_OF_ROWS);
  }
  // Read after all rows, so that no row has a higher number.
  const lastValues: Record<string, string | null> = {};
  for (const name of sequences) {
    // A tag, because the builder knows no sequences.
    const { rows } = await sql<{ last: string | null }>`
      select case when is_called then last_value::text end as last from ${sql.id(schema, name)}`.execute(db);
    lastValues[name] = rows[0]?.last ?? null;
  }
  yield lineOf({ sequences: lastValues });
}

async function snapshotTime(db: Kysely<Database>): Promise<Date> {
  const { now } = await db.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow();
  return now;
}

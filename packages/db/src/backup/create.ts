import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import type { ConnectionTarget } from '@roster/postgres';
import { sql, type Transaction } from 'kysely';
import { escapeIdentifier } from 'pg';
import { executedMigrations } from '../migrate.ts';
import type { Database } from '../tables.ts';
import { type Contents, findSchema, readContents } from './contents.ts';
import { END_OF_ROWS, headOf, type Totals } from './file.ts';
import { BackupError, openSession, type Session } from './session.ts';

/** Receives the current table and the number of bytes of rows so far, of all tables. */
export type OnProgress = (progress: { table: string; bytes: number }) => void;

export interface BackupOptions {
  /** A database with the tables of Roster: the primary or a standby. */
  connection: ConnectionTarget;
  /** Receives the bytes; ended after the last. */
  target: Writable;
  /** Cancels the backup. */
  signal?: AbortSignal;
  onProgress?: OnProgress;
}

/** The content of a backup. */
export interface Summary {
  /** The time of the snapshot. */
  takenAt: Date;
  migrations: string[];
  rows: Record<string, number>;
}

/**
 * Writes a consistent snapshot of the database to `target`, in the format that `file.ts` describes. Servers keep working
 * meanwhile; a migration waits. Memory does not grow with the data.
 * @throws BackupError if the database cannot be reached, returns an error, or the connection is lost; errors of `target`;
 * the signal's reason. What was written then is recognised as incomplete when it is read.
 */
export async function createBackup({
  connection,
  target,
  signal,
  onProgress,
}: BackupOptions): Promise<Summary> {
  await using session = await openSession(connection, signal);
  const { schema, isMigrated } = await session.transaction('read committed', findSchema);
  if (!isMigrated)
    throw new BackupError('The database contains no tables of Roster: there is nothing to back up.');
  // The tables are locked before the snapshot is taken by the first read, so they cannot change in between.
  const { tables } = await session.transaction('read committed', (trx) => readContents(trx, schema));
  return await session.transaction('snapshot', async (trx) => {
    const names = sql.join(tables.map(({ name }) => sql.id(schema, name)));
    await sql`lock table ${names} in access share mode`.execute(trx);
    const contents = await readContents(trx, schema);
    if (JSON.stringify(contents.tables) !== JSON.stringify(tables))
      throw new BackupError('A migration ran at the same time: start the backup again.');
    const summary = { takenAt: await snapshotTime(trx), migrations: await executedMigrations(trx), rows: {} };
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    const lines = writeLines({ session, trx, contents, onProgress }, summary);
    await pipeline(lines, compress, target, { ...(signal && { signal }) });
    return summary;
  });
}

interface Job {
  session: Session;
  trx: Transaction<Database>;
  contents: Contents;
  onProgress: OnProgress | undefined;
}

/** Writes everything, and sets the numbers of rows of the summary. */
async function* writeLines({ session, trx, contents, onProgress }: Job, summary: Summary) {
  const { takenAt, migrations, rows } = summary;
  const line = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`);
  let bytes = 0;
  yield line(headOf({ takenAt: takenAt.toISOString(), migrations }));
  for (const { name, columns } of contents.tables) {
    yield line({ table: name, columns });
    const copying = session.copyOut(`copy ${copyTarget(contents.schema, name, columns)} to stdout`);
    for await (const chunk of copying) {
      bytes += chunk.length;
      onProgress?.({ table: name, bytes });
      yield chunk;
    }
    // The number of rows may arrive after the last of them; an answer to a later statement is behind it.
    await sql`select`.execute(trx);
    rows[name] = copying.rowCount;
    yield Buffer.from(`${END_OF_ROWS}\n`);
  }
  // Read after all rows, so that no row has a higher number.
  const totals: Totals = { rows, sequences: await readSequences(trx, contents) };
  yield line(totals);
}

async function snapshotTime(trx: Transaction<Database>): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(trx);
  return rows[0]?.now ?? new Date();
}

async function readSequences(
  trx: Transaction<Database>,
  { schema, sequences }: Contents,
): Promise<Totals['sequences']> {
  const last: Totals['sequences'] = {};
  for (const name of sequences) {
    const { rows } = await sql<{ last: string | null }>`
      select case when is_called then last_value::text end as last from ${sql.id(schema, name)}`.execute(trx);
    last[name] = rows[0]?.last ?? null;
  }
  return last;
}

/** A table and its columns in the syntax of COPY. */
export function copyTarget(schema: string, table: string, columns: string[]): string {
  const list = columns.map((column) => escapeIdentifier(column)).join(', ');
  return `${escapeIdentifier(schema)}.${escapeIdentifier(table)} (${list})`;
}

import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import type { ConnectionTarget } from '@roster/postgres';
import { sql, type Transaction } from 'kysely';
import { escapeIdentifier } from 'pg';
import { executedMigrations } from '../migrate.ts';
import type { Database } from '../tables.ts';
import { type ArchiveWriter, createArchive } from './archive-writer.ts';
import { type Contents, findSchema, readContents } from './catalog.ts';
import { chunkRows } from './chunk-rows.ts';
import { type CopySession, openCopySession } from './copy-session.ts';
import { BackupError } from './errors.ts';
import { chunkName, MANIFEST, manifestOf, README, TOTALS, type Totals } from './format.ts';
import { readme } from './readme.ts';

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

/** Small enough for memory, large enough that a large database has only some thousands of files. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/**
 * Writes a consistent snapshot of the database to `target`: a tar archive, compressed with zstd, whose last file contains
 * the checksums of all others (docs/reference/backup-format.md). Servers keep working meanwhile; a migration waits. Memory does not
 * grow with the data.
 * @throws BackupError if the database cannot be reached, returns an error, or the connection is lost; errors of `target`;
 * the signal's reason. What was written then is recognised as incomplete when it is read.
 */
export async function createBackup({
  connection,
  target,
  signal,
  onProgress = () => undefined,
}: BackupOptions): Promise<Summary> {
  await using session = await openCopySession(connection, signal);
  const { schema, isMigrated } = await session.transaction('read committed', findSchema);
  if (!isMigrated)
    throw new BackupError('The database contains no tables of Roster: there is nothing to back up.');
  // The tables are locked before the snapshot is taken by the first read, so they cannot change in between.
  const { tables } = await session.transaction('read committed', (trx) => readContents(trx, schema));
  return await session.transaction('snapshot', async (trx) => {
    const names = sql.join(tables.map(({ name }) => sql.id(schema, name)));
    await sql`lock table ${names} in access share mode`.execute(trx);
    const contents = await readContents(trx, schema);
    if (JSON.stringify(contents.tables) !== JSON.stringify(tables)) {
      throw new BackupError('A migration ran at the same time: start the backup again.');
    }
    return writeContents({ session, trx, contents, target, signal, onProgress });
  });
}

interface BackupJob {
  session: CopySession;
  trx: Transaction<Database>;
  contents: Contents;
  target: Writable;
  signal: AbortSignal | undefined;
  onProgress: OnProgress;
}

async function writeContents(job: BackupJob): Promise<Summary> {
  const { trx, contents, target, signal } = job;
  const { takenAt, postgres } = await snapshotInfo(trx);
  const migrations = await executedMigrations(trx);
  if (migrations.length === 0)
    throw new BackupError('The database contains no tables of Roster: no migration has run.');
  const archive = createArchive(takenAt);
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const sent = pipeline(archive.bytes, compress, target, { ...(signal && { signal }) });
  const addText = (name: string, text: string) => archive.add(name, Buffer.from(text));
  const written = (async () => {
    await addText(README, readme);
    const manifest = manifestOf({
      takenAt: takenAt.toISOString(),
      postgres,
      migrations,
      tables: contents.tables,
    });
    await addText(MANIFEST, `${JSON.stringify(manifest, undefined, 2)}\n`);
    const copied = await writeRows(job, archive);
    // Read after all rows, so that no row has a higher number.
    const sequences = await readSequences(trx, contents);
    // Read after a later statement: the number of rows may arrive after the last of them.
    const rows = Object.fromEntries(Object.entries(copied).map(([name, { rowCount }]) => [name, rowCount]));
    const totals: Totals = { rows, sequences };
    await addText(TOTALS, `${JSON.stringify(totals, undefined, 2)}\n`);
    await archive.finish();
    return { takenAt, migrations, rows };
  })();
  // The first that fails ends the other. The error of the pipeline to the target is the one to report.
  written.catch((error: unknown) => archive.fail(error));
  await sent;
  return written;
}

async function writeRows(
  { session, contents, onProgress }: BackupJob,
  archive: ArchiveWriter,
): Promise<Record<string, { rowCount: number }>> {
  const copied: Record<string, { rowCount: number }> = {};
  let bytes = 0;
  for (const { name, columns } of contents.tables) {
    const copying = session.copyOut(`copy ${copyTarget(contents.schema, name, columns)} to stdout`);
    let number = 0;
    for await (const chunk of chunkRows(copying, CHUNK_BYTES)) {
      number += 1;
      await archive.add(chunkName(name, number), chunk);
      bytes += chunk.length;
      onProgress({ table: name, bytes });
    }
    copied[name] = copying;
  }
  return copied;
}

async function snapshotInfo(trx: Transaction<Database>): Promise<{ takenAt: Date; postgres: string }> {
  const { rows } = await sql<{ takenAt: Date; postgres: string }>`
    select now() as "takenAt", current_setting('server_version') as postgres`.execute(trx);
  const [info] = rows;
  if (info === undefined) throw new Error('a select without a table returned no row');
  return info;
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

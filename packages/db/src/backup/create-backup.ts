import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import type { ConnectOptions } from '@roster/postgres';
import { sql, type Transaction } from 'kysely';
import { escapeIdentifier } from 'pg';
import type { Database } from '../tables.ts';
import { type ArchiveWriter, createArchive } from './archive-writer.ts';
import { appliedMigrations, type Contents, contentsOf, findSchema } from './catalog.ts';
import { partsOf } from './chunk-rows.ts';
import { openSession, type Session } from './copy-session.ts';
import { BackupError } from './errors.ts';
import { MANIFEST, manifestOf, partName, README, TOTALS, type Totals } from './format.ts';
import { readme } from './readme.ts';

/** How far it is: which table, how many bytes of rows so far, of all tables. */
export type OnProgress = (progress: { table: string; bytes: number }) => void;

export interface BackupOptions {
  /** A PostgreSQL that holds Roster's tables: the primary, or a standby. */
  connection: ConnectOptions['connection'];
  /** Where the bytes go; ended when all are there. */
  target: Writable;
  /** Gives up when it fires. */
  signal?: AbortSignal;
  onProgress?: OnProgress;
}

/** What was backed up or restored. */
export interface Summary {
  /** The moment of the snapshot. */
  takenAt: Date;
  migrations: string[];
  rows: Record<string, number>;
}

/** Small enough to be held in memory a few times, large enough that a great database makes few thousand of them. */
const PART_BYTES = 4 * 1024 * 1024;

/**
 * Writes everything to `target`, as it was at one moment: a tar, compressed with zstd, whose last file holds the sums of
 * all others (docs/backup-format.md). Servers go on meanwhile; a migration waits. Memory does not grow with the data.
 * @throws BackupError where the database cannot be reached, refuses or is lost; whatever writing throws; the signal's
 * reason. Then what was written is no backup, and reading it says so.
 */
export async function takeBackup({
  connection,
  target,
  signal,
  onProgress = () => undefined,
}: BackupOptions): Promise<Summary> {
  await using session = await openSession(connection, signal);
  const { schema, isMigrated } = await session.transaction('read committed', findSchema);
  if (!isMigrated) throw new BackupError('The database holds no Roster: there is nothing to back up.');
  // Nothing was read yet in the transaction, so what is locked cannot change between its snapshot and its reading.
  const { tables } = await session.transaction('read committed', (trx) => contentsOf(trx, schema));
  return await session.transaction('snapshot', async (trx) => {
    const names = sql.join(tables.map(({ name }) => sql.id(schema, name)));
    await sql`lock table ${names} in access share mode`.execute(trx);
    const contents = await contentsOf(trx, schema);
    if (JSON.stringify(contents.tables) !== JSON.stringify(tables)) {
      throw new BackupError('A migration ran at this moment: start the backup again.');
    }
    return writeContents({ session, trx, contents, target, signal, onProgress });
  });
}

interface Writing {
  session: Session;
  trx: Transaction<Database>;
  contents: Contents;
  target: Writable;
  signal: AbortSignal | undefined;
  onProgress: OnProgress;
}

async function writeContents(writing: Writing): Promise<Summary> {
  const { trx, contents, target, signal } = writing;
  const { takenAt, postgres } = await momentOf(trx);
  const migrations = await appliedMigrations(trx, contents.schema);
  if (migrations.length === 0) throw new BackupError('The database holds no Roster: no migration has run.');
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
    const rows = await writeRows(writing, archive);
    // Read after all rows: a number that any of them has was given before.
    const totals: Totals = { rows, sequences: await sequencesOf(trx, contents) };
    await addText(TOTALS, `${JSON.stringify(totals, undefined, 2)}\n`);
    await archive.finish();
    return { takenAt, migrations, rows };
  })();
  // Whichever fails first ends the other; what reached the target is what counts, so its error is the one to tell.
  written.catch((error: unknown) => archive.fail(error));
  await sent;
  return written;
}

async function writeRows(
  { session, contents, onProgress }: Writing,
  archive: ArchiveWriter,
): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  let bytes = 0;
  for (const { name, columns } of contents.tables) {
    const copying = session.copyOut(`copy ${copyTarget(contents.schema, name, columns)} to stdout`);
    let number = 0;
    for await (const part of partsOf(copying, PART_BYTES)) {
      number += 1;
      await archive.add(partName(name, number), part);
      bytes += part.length;
      onProgress({ table: name, bytes });
    }
    rows[name] = copying.rowCount;
  }
  return rows;
}

async function momentOf(trx: Transaction<Database>): Promise<{ takenAt: Date; postgres: string }> {
  const { rows } = await sql<{ takenAt: Date; postgres: string }>`
    select now() as "takenAt", current_setting('server_version') as postgres`.execute(trx);
  const [moment] = rows;
  if (moment === undefined) throw new Error('a select without a table has no row');
  return moment;
}

async function sequencesOf(
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

/** A table and its columns as COPY takes them. */
export function copyTarget(schema: string, table: string, columns: string[]): string {
  const list = columns.map((column) => escapeIdentifier(column)).join(', ');
  return `${escapeIdentifier(schema)}.${escapeIdentifier(table)} (${list})`;
}

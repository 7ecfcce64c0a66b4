import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ConnectionTarget } from '@roster/postgres';
import { sql, type Transaction } from 'kysely';
import { migrate, migrateTo } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import type { Database } from '../tables.ts';
import { type Entry, openArchive, readText } from './archive-reader.ts';
import { type Contents, findSchema, readContents } from './catalog.ts';
import { type CopySession, openCopySession } from './copy-session.ts';
import { copyTarget, type OnProgress, type Summary } from './create-backup.ts';
import { BackupError, damaged } from './errors.ts';
import {
  MANIFEST,
  type Manifest,
  parseManifest,
  parseTotals,
  TOTALS,
  type Totals,
  tableOfChunk,
} from './format.ts';
import { dropPostData } from './post-data.ts';

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
  /** Cancels the restore. */
  signal?: AbortSignal;
  onProgress?: OnProgress;
}

/** More than the changes between a backup and a loss. A number in JavaScript can hold millions of these steps. */
const POSITIONS_LOST_MAX = 1_000_000_000;

export interface Restored extends Summary {
  /** The versioned migrations of this release that ran after loading. */
  migrated: string[];
  /** Tables and sequences of the backup that this release does not know, which were not restored. */
  leftOut: string[];
}

/**
 * Restores a backup into an empty database in one transaction: creates the tables as of the backup, loads the rows, and
 * runs the newer migrations of this release. Foreign keys check every row.
 * @throws BackupError if the backup is incomplete or from a newer release, or the database is not empty, cannot be reached,
 * returns an error, or the connection is lost; errors of `source`; the signal's reason. The database is then unchanged.
 */
export async function restoreBackup({
  connection,
  source,
  isAfterLoss = false,
  signal,
  onProgress = () => undefined,
}: RestoreOptions): Promise<Restored> {
  const entries = openArchive(source, signal);
  try {
    const manifest = await readManifest(entries);
    checkKnown(manifest.migrations);
    await using session = await openCopySession(connection, signal);
    return await session.transaction('read committed', (trx) =>
      load({ session, trx, manifest, entries, isAfterLoss, onProgress }),
    );
  } finally {
    await entries.return();
  }
}

/**
 * Checks that a backup is complete and unchanged, by reading it to its end. Uses no database.
 * @throws BackupError if it is not; errors of `source`; the signal's reason
 */
export async function checkBackup({
  source,
  signal,
}: Pick<RestoreOptions, 'source' | 'signal'>): Promise<Summary> {
  const entries = openArchive(source, signal);
  const { takenAt, migrations } = await readManifest(entries);
  let totals: Totals | undefined;
  for await (const entry of entries) if (entry.name === TOTALS) totals = parseTotals(await readText(entry));
  if (totals === undefined) throw damaged(TOTALS);
  return { takenAt: new Date(takenAt), migrations, rows: totals.rows };
}

async function readManifest(entries: AsyncGenerator<Entry>): Promise<Manifest> {
  for (;;) {
    const { value: entry } = await entries.next();
    if (entry === undefined) throw damaged(MANIFEST);
    if (entry.name === MANIFEST) return parseManifest(await readText(entry));
    if (tableOfChunk(entry.name) !== undefined) throw damaged(MANIFEST);
  }
}

function checkKnown(applied: string[]): void {
  const known = Object.keys(migrations).sort();
  const unknown = applied.filter((name, index) => name !== known[index]);
  if (unknown.length === 0) return;
  throw new BackupError(
    `The backup is from a newer release of Roster (with the migration ${unknown[0]}): restore it with that release.`,
  );
}

interface RestoreJob {
  session: CopySession;
  trx: Transaction<Database>;
  manifest: Manifest;
  entries: AsyncGenerator<Entry>;
  isAfterLoss: boolean;
  onProgress: OnProgress;
}

async function load(job: RestoreJob): Promise<Restored> {
  const { trx, manifest, isAfterLoss } = job;
  const { schema } = await findSchema(trx);
  await requireEmpty(trx, schema);
  await migrateTo(trx, manifest.migrations.at(-1) ?? '');
  const contents = await readContents(trx, schema);
  checkColumns(manifest, contents);
  const restorePostData = await dropPostData(trx, schema);
  // The migrations inserted rows, which those of the backup replace.
  const names = sql.join(contents.tables.map(({ name }) => sql.id(schema, name)));
  await sql`truncate ${names}`.execute(trx);
  const totals = await loadRows(job, contents);
  await setSequences(trx, contents, totals);
  await restorePostData();
  const ran = await migrate(trx);
  if (isAfterLoss) await restartEventLog(trx);
  // Without statistics, the first statements after a restore are planned for empty tables.
  await sql`analyze`.execute(trx);
  return {
    takenAt: new Date(manifest.takenAt),
    migrations: manifest.migrations,
    rows: totals.rows,
    migrated: ran.filter((name) => name in migrations),
    leftOut: unknownObjects(contents, manifest, totals),
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

function checkColumns(manifest: Manifest, { tables }: Contents): void {
  const columnsIn = new Map(manifest.tables.map(({ name, columns }) => [name, columns]));
  for (const { name, columns } of tables) {
    const written = columnsIn.get(name);
    if (written === undefined) throw new BackupError(`The backup does not contain the table ${name}.`);
    if (written.toSorted().join() !== columns.toSorted().join()) {
      throw new BackupError(`The table ${name} has other columns in the backup: it was changed by hand.`);
    }
  }
}

/** Loads all rows; returns the totals after everything was read and its checksums match. */
async function loadRows(job: RestoreJob, { schema, tables }: Contents): Promise<Totals> {
  const { session, manifest, entries, onProgress } = job;
  const known = new Set(tables.map(({ name }) => name));
  const loaded: Record<string, number> = {};
  let totals: Totals | undefined;
  let bytes = 0;
  let { value: entry } = await entries.next();

  async function* rowsOf(table: string): AsyncGenerator<Uint8Array, void, void> {
    while (entry !== undefined && tableOfChunk(entry.name) === table) {
      for await (const chunk of (entry as Entry).body) {
        bytes += chunk.length;
        yield chunk;
      }
      onProgress({ table, bytes });
      ({ value: entry } = await entries.next());
    }
  }

  while (entry !== undefined) {
    const table = tableOfChunk(entry.name);
    const columns = manifest.tables.find(({ name }) => name === table)?.columns;
    if (table !== undefined && columns !== undefined && known.has(table)) {
      // The table is invisible to other sessions before the commit, so its rows can be loaded as frozen.
      const copying = session.copyIn(`copy ${copyTarget(schema, table, columns)} from stdin with (freeze)`);
      await pipeline(rowsOf(table), copying);
      loaded[table] = copying.rowCount;
      continue;
    }
    if (entry.name === TOTALS) totals = parseTotals(await readText(entry));
    ({ value: entry } = await entries.next());
  }
  if (totals === undefined) throw damaged(TOTALS);
  for (const name of known) if ((loaded[name] ?? 0) !== totals.rows[name]) throw damaged(`data/${name}`);
  return totals;
}

async function setSequences(
  trx: Transaction<Database>,
  { schema, sequences }: Contents,
  totals: Totals,
): Promise<void> {
  for (const name of sequences) {
    const last = totals.sequences[name];
    if (last === undefined) throw new BackupError(`The backup does not contain the sequence ${name}.`);
    if (last === null) continue;
    await sql`select setval(format('%I.%I', ${schema}::text, ${name}::text)::regclass, ${last}::bigint)`.execute(
      trx,
    );
  }
}

/** Makes every position that a client may have older than the start of the event log, so that it is rejected as expired. */
async function restartEventLog(trx: Transaction<Database>): Promise<void> {
  const end = sql`last_position + ${POSITIONS_LOST_MAX}::bigint`;
  await sql`update event_log set last_position = ${end}, compacted_to = ${end}`.execute(trx);
}

function unknownObjects({ tables, sequences }: Contents, manifest: Manifest, totals: Totals): string[] {
  const known = new Set([...tables.map(({ name }) => name), ...sequences]);
  const held = [...manifest.tables.map(({ name }) => name), ...Object.keys(totals.sequences)];
  return held.filter((name) => !known.has(name));
}

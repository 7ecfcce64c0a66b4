import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ConnectOptions } from '@roster/postgres';
import { sql, type Transaction } from 'kysely';
import { migrate, migrateTo } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import type { Database } from '../tables.ts';
import { type Entry, openArchive, textOf } from './archive-reader.ts';
import { type Contents, contentsOf, findSchema } from './catalog.ts';
import { openSession, type Session } from './copy-session.ts';
import { copyTarget, type OnProgress, type Summary } from './create-backup.ts';
import { BackupError } from './errors.ts';
import {
  damaged,
  MANIFEST,
  type Manifest,
  parseManifest,
  parseTotals,
  TOTALS,
  type Totals,
  tableOfPart,
} from './format.ts';
import { standAside } from './post-data.ts';

export interface RestoreOptions {
  /** A database without tables; the user may make some in it, and the extension pg_trgm. */
  connection: ConnectOptions['connection'];
  /** The bytes of a backup; it is destroyed at the end. */
  source: Readable;
  /**
   * Whether changes were made after the backup that are lost with it, and may have been read as events. Then no position
   * of theirs is given again, and whoever reads the log starts anew. Otherwise the log goes on where the backup ends.
   */
  isAfterLoss?: boolean;
  /** Gives up when it fires. */
  signal?: AbortSignal;
  onProgress?: OnProgress;
}

/** More than any number of changes between a backup and a loss; a number in JavaScript has room for millions of these. */
const POSITIONS_LOST_MAX = 1_000_000_000;

export interface Restored extends Summary {
  /** Migrations of this Roster that the backup had not had. */
  migrated: string[];
  /** Tables and sequences of the backup that Roster does not know, and that were left out. */
  leftOut: string[];
}

/**
 * Loads a backup into an empty database, in one transaction: the tables as the backup knew them, the rows, and then what
 * this Roster adds. Foreign keys have looked at every row when it is done.
 * @throws BackupError where the backup is not whole or comes from a newer Roster, the database is not empty, cannot be
 * reached, refuses or is lost; whatever reading throws; the signal's reason. Then the database is as it was.
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
    const manifest = await manifestIn(entries);
    checkKnown(manifest.migrations);
    await using session = await openSession(connection, signal);
    return await session.transaction('read committed', (trx) =>
      load({ session, trx, manifest, entries, isAfterLoss, onProgress }),
    );
  } finally {
    await entries.return();
  }
}

/**
 * Reads a backup to its end, into nothing, and checks that it is whole and as it was written.
 * @throws BackupError where it is not; whatever reading throws; the signal's reason
 */
export async function checkBackup({
  source,
  signal,
}: Pick<RestoreOptions, 'source' | 'signal'>): Promise<Summary> {
  const entries = openArchive(source, signal);
  const { takenAt, migrations } = await manifestIn(entries);
  let totals: Totals | undefined;
  for await (const entry of entries) if (entry.name === TOTALS) totals = parseTotals(await textOf(entry));
  if (totals === undefined) throw damaged(TOTALS);
  return { takenAt: new Date(takenAt), migrations, rows: totals.rows };
}

async function manifestIn(entries: AsyncGenerator<Entry>): Promise<Manifest> {
  for (;;) {
    const { value: entry } = await entries.next();
    if (entry === undefined) throw damaged(MANIFEST);
    if (entry.name === MANIFEST) return parseManifest(await textOf(entry));
    if (tableOfPart(entry.name) !== undefined) throw damaged(MANIFEST);
  }
}

function checkKnown(applied: string[]): void {
  const known = Object.keys(migrations).sort();
  const unknown = applied.filter((name, place) => name !== known[place]);
  if (unknown.length === 0) return;
  throw new BackupError(
    `The backup was taken from a newer Roster (it has had the migration ${unknown[0]}): restore it with that one.`,
  );
}

interface Loading {
  session: Session;
  trx: Transaction<Database>;
  manifest: Manifest;
  entries: AsyncGenerator<Entry>;
  isAfterLoss: boolean;
  onProgress: OnProgress;
}

async function load(loading: Loading): Promise<Restored> {
  const { trx, manifest, isAfterLoss } = loading;
  const { schema } = await findSchema(trx);
  await demandEmpty(trx, schema);
  await migrateTo(trx, manifest.migrations.at(-1) ?? '');
  const contents = await contentsOf(trx, schema);
  checkColumns(manifest, contents);
  const bringBack = await standAside(trx, schema);
  // The migrations wrote rows of their own; those of the backup take their place.
  const names = sql.join(contents.tables.map(({ name }) => sql.id(schema, name)));
  await sql`truncate ${names}`.execute(trx);
  const totals = await loadRows(loading, contents);
  await setSequences(trx, contents, totals);
  await bringBack();
  const migrated = await migrate(trx);
  if (isAfterLoss) await beginLogAnew(trx);
  // Without it the first statements after a restore are planned for empty tables.
  await sql`analyze`.execute(trx);
  return {
    takenAt: new Date(manifest.takenAt),
    migrations: manifest.migrations,
    rows: totals.rows,
    migrated,
    leftOut: unknownTo(contents, manifest, totals),
  };
}

async function demandEmpty(trx: Transaction<Database>, schema: string): Promise<void> {
  const { tables } = await contentsOf(trx, schema);
  if (tables.length === 0) return;
  const some = tables.slice(0, 3).map(({ name }) => name);
  throw new BackupError(
    `The database is not empty (${some.join(', ')}${tables.length > 3 ? ', …' : ''}); nothing is ever overwritten. Restore into a new one.`,
  );
}

function checkColumns(manifest: Manifest, { tables }: Contents): void {
  const columnsIn = new Map(manifest.tables.map(({ name, columns }) => [name, columns]));
  for (const { name, columns } of tables) {
    const written = columnsIn.get(name);
    if (written === undefined) throw new BackupError(`The backup does not hold the table ${name}.`);
    if (written.toSorted().join() !== columns.toSorted().join()) {
      throw new BackupError(
        `The columns of the table ${name} are others in the backup: it was changed by hand.`,
      );
    }
  }
}

/** Loads part after part; returns the totals once everything has been read and is as it was written. */
async function loadRows(loading: Loading, { schema, tables }: Contents): Promise<Totals> {
  const { session, manifest, entries, onProgress } = loading;
  const known = new Set(tables.map(({ name }) => name));
  const loaded: Record<string, number> = {};
  let totals: Totals | undefined;
  let bytes = 0;
  let { value: entry } = await entries.next();

  async function* rowsOf(table: string): AsyncGenerator<Uint8Array, void, void> {
    while (entry !== undefined && tableOfPart(entry.name) === table) {
      for await (const chunk of (entry as Entry).body) {
        bytes += chunk.length;
        yield chunk;
      }
      onProgress({ table, bytes });
      ({ value: entry } = await entries.next());
    }
  }

  while (entry !== undefined) {
    const table = tableOfPart(entry.name);
    const columns = manifest.tables.find(({ name }) => name === table)?.columns;
    if (table !== undefined && columns !== undefined && known.has(table)) {
      // Frozen: nobody can see the table before the commit, so nobody has to be told when its rows became visible.
      const copying = session.copyIn(`copy ${copyTarget(schema, table, columns)} from stdin with (freeze)`);
      await pipeline(rowsOf(table), copying);
      loaded[table] = copying.rowCount;
      continue;
    }
    if (entry.name === TOTALS) totals = parseTotals(await textOf(entry));
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
    if (last === undefined) throw new BackupError(`The backup does not hold the sequence ${name}.`);
    if (last === null) continue;
    await sql`select setval(format('%I.%I', ${schema}::text, ${name}::text)::regclass, ${last}::bigint)`.execute(
      trx,
    );
  }
}

/** Every place in the log that anybody may hold lies before its compacted end now, and is refused as too old. */
async function beginLogAnew(trx: Transaction<Database>): Promise<void> {
  const end = sql`last_position + ${POSITIONS_LOST_MAX}::bigint`;
  await sql`update event_log set last_position = ${end}, compacted_to = ${end}`.execute(trx);
}

function unknownTo({ tables, sequences }: Contents, manifest: Manifest, totals: Totals): string[] {
  const known = new Set([...tables.map(({ name }) => name), ...sequences]);
  const held = [...manifest.tables.map(({ name }) => name), ...Object.keys(totals.sequences)];
  return held.filter((name) => !known.has(name));
}

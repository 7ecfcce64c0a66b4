import { z } from 'zod';
import { BackupError, damaged } from './errors.ts';

/** The directory of the archive that contains all files: manifest, rows, totals and checksums, in this order. */
export const DIRECTORY = 'roster-backup';
export const README = 'README.txt';
export const MANIFEST = 'manifest.json';
export const TOTALS = 'totals.json';
export const CHECKSUMS = 'SHA256SUMS';

const FORMAT = 'roster-backup';
/** Incremented when older releases could no longer read the format. */
const VERSION = 1;

const Head = z.object({ format: z.literal(FORMAT), version: z.int() });

const Manifest = z.object({
  ...Head.shape,
  /** The time of the snapshot, which contains what was committed before. */
  takenAt: z.iso.datetime(),
  /** The version of PostgreSQL, for information. */
  postgres: z.string(),
  /** The migrations that had run, oldest first. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
});

/** The first file of a backup that is read. */
export type Manifest = z.infer<typeof Manifest>;

const Totals = z.object({
  /** The number of rows of each table. */
  rows: z.record(z.string(), z.int()),
  /** The last value of each sequence; null if it was never used. */
  sequences: z.record(z.string(), z.string().nullable()),
});

/** The totals of a backup, which are known only after all rows are written. */
export type Totals = z.infer<typeof Totals>;

/** A manifest with these fields, in the current format. */
export function manifestOf(fields: Omit<Manifest, 'format' | 'version'>): Manifest {
  return { format: FORMAT, version: VERSION, ...fields };
}

/** Parses a manifest. @throws BackupError if it is not one, or is of a newer release */
export function parseManifest(text: string): Manifest {
  const json = parseJson(text);
  const head = Head.safeParse(json);
  if (!head.success)
    throw new BackupError('This is not a backup of Roster: its manifest has another format.');
  if (head.data.version > VERSION) {
    throw new BackupError(
      `The backup has format ${head.data.version}, this release reads format ${VERSION}: restore it with a newer release.`,
    );
  }
  const manifest = Manifest.safeParse(json);
  if (!manifest.success) throw damaged(MANIFEST);
  return manifest.data;
}

/** Parses the totals. @throws BackupError if they are not valid */
export function parseTotals(text: string): Totals {
  const totals = Totals.safeParse(parseJson(text));
  if (!totals.success) throw damaged(TOTALS);
  return totals.data;
}

/** The file name of one chunk of a table's rows. Table names with special characters stay readable. */
export function chunkName(table: string, number: number): string {
  return `data/${encodeURIComponent(table)}/${String(number).padStart(6, '0')}.copy`;
}

/** The table of a chunk; undefined if the file is not a chunk. */
export function tableOfChunk(name: string): string | undefined {
  const [, table] = /^data\/([^/]+)\/\d+\.copy$/.exec(name) ?? [];
  return table === undefined ? undefined : decodeURIComponent(table);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { z } from 'zod';
import { BackupError } from './errors.ts';

/** Everything is in one directory of the archive, in this order: the manifest, rows, totals, sums. */
export const DIRECTORY = 'roster-backup';
export const README = 'README.txt';
export const MANIFEST = 'manifest.json';
export const TOTALS = 'totals.json';
export const SUMS = 'SHA256SUMS';

const FORMAT = 'roster-backup';
/** Goes up when an older Roster could not read it. */
const VERSION = 1;

const Head = z.object({ format: z.literal(FORMAT), version: z.int() });

const Manifest = z.object({
  ...Head.shape,
  /** The moment of the snapshot: what was committed before is in it, what came later is not. */
  takenAt: z.iso.datetime(),
  /** The PostgreSQL it was taken from, for whoever looks into it. */
  postgres: z.string(),
  /** The migrations the tables had had, oldest first. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
});

/** What stands at the beginning of a backup. */
export type Manifest = z.infer<typeof Manifest>;

const Totals = z.object({
  /** How many rows each table has. */
  rows: z.record(z.string(), z.int()),
  /** The last number each sequence gave; null where it has given none. */
  sequences: z.record(z.string(), z.string().nullable()),
});

/** What is known only when all rows are written. */
export type Totals = z.infer<typeof Totals>;

export function manifestOf(fields: Omit<Manifest, 'format' | 'version'>): Manifest {
  return { format: FORMAT, version: VERSION, ...fields };
}

/** Reads a manifest. @throws BackupError where it is none, or one of a newer Roster */
export function parseManifest(text: string): Manifest {
  const json = parseJson(text);
  const head = Head.safeParse(json);
  if (!head.success) throw new BackupError('This is not a backup of Roster: its manifest is another one.');
  if (head.data.version > VERSION) {
    throw new BackupError(
      `The backup has format ${head.data.version}, this Roster knows ${VERSION}: restore it with a newer one.`,
    );
  }
  const manifest = Manifest.safeParse(json);
  if (!manifest.success) throw damaged(MANIFEST);
  return manifest.data;
}

/** Reads the totals. @throws BackupError where they are not as they must be */
export function parseTotals(text: string): Totals {
  const totals = Totals.safeParse(parseJson(text));
  if (!totals.success) throw damaged(TOTALS);
  return totals.data;
}

export function damaged(what: string): BackupError {
  return new BackupError(`The backup is damaged: ${what} is not what was written.`);
}

/** The name of one part of a table's rows. Table names are kept readable, whatever characters they have. */
export function partName(table: string, number: number): string {
  return `data/${encodeURIComponent(table)}/${String(number).padStart(6, '0')}.copy`;
}

/** The table a part belongs to; undefined where it is no part. */
export function tableOfPart(name: string): string | undefined {
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

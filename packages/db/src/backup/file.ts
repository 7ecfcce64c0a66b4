import { pipeline, type Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { BackupError } from './session.ts';

/*
 * A backup is a text compressed with zstd, whose frame has a checksum:
 *
 *   {"format":"roster-backup","version":1,"takenAt":…,"migrations":[…]}
 *   {"table":"agent","columns":["id",…]}
 *   …                                       its rows, as COPY writes them
 *   \.
 *   …                                       the other tables
 *   {"rows":{"agent":100,…},"sequences":{"event_id_seq":"200",…}}
 *
 * No row of COPY is `\.`, because it escapes backslashes. The last line is missing if the file is incomplete.
 */

const VERSION = 1;
/** Ends the rows of a table. */
export const END_OF_ROWS = '\\.';
const LINE_BYTES_MAX = 1024 * 1024;
const NEWLINE = 0x0a;

const Format = z.object({ format: z.literal('roster-backup'), version: z.int() });
const Head = z.object({
  ...Format.shape,
  /** The time of the snapshot, which contains what was committed before. */
  takenAt: z.iso.datetime(),
  /** The migrations that had run, oldest first. */
  migrations: z.array(z.string()).min(1),
});
const Table = z.object({ table: z.string(), columns: z.array(z.string()) });
const Totals = z.object({
  /** The number of rows of each table. */
  rows: z.record(z.string(), z.int()),
  /** The last value of each sequence; null if it was never used. */
  sequences: z.record(z.string(), z.string().nullable()),
});

export type Head = z.infer<typeof Head>;
type Table = z.infer<typeof Table>;
export type Totals = z.infer<typeof Totals>;

/** The first line of a backup. */
export function headOf(fields: Pick<Head, 'takenAt' | 'migrations'>): Head {
  return { format: 'roster-backup', version: VERSION, ...fields };
}

/** Reads a backup from its start to its end. */
export interface BackupFile extends Disposable {
  readHead(): Promise<Head>;
  /** The next table, whose rows must be read before the next call; or the last line. */
  readNext(): Promise<Table | Totals>;
  /** The rows of the table that was read last, in pieces of whole rows. */
  readRows(): AsyncGenerator<Uint8Array, void, void>;
}

/**
 * Opens a backup.
 * @param source the bytes; destroyed when the file is disposed of
 * @throws BackupError from each method if it is not a backup, is incomplete or damaged; errors of `source`
 */
export function openBackupFile(source: Readable): BackupFile {
  const bytes = createZstdDecompress();
  let sourceError: Error | undefined;
  source.once('error', (error) => {
    sourceError = error;
  });
  // Errors reach the reader through `bytes`.
  pipeline(source, bytes, () => undefined);
  const chunks: AsyncIterator<Buffer> = bytes[Symbol.asyncIterator]();
  let buffered: Buffer = Buffer.alloc(0);
  let hasHead = false;

  async function readMore(): Promise<void> {
    const next = await chunks.next().catch((error: unknown) => {
      throw sourceError ?? (hasHead ? damaged(error) : notABackup(error));
    });
    if (next.done) throw hasHead ? damaged() : notABackup();
    buffered = Buffer.concat([buffered, next.value]);
  }

  async function readLine(): Promise<string> {
    let end = buffered.indexOf(NEWLINE);
    while (end < 0) {
      if (buffered.length > LINE_BYTES_MAX) throw hasHead ? damaged() : notABackup();
      await readMore();
      end = buffered.indexOf(NEWLINE);
    }
    const line = buffered.toString('utf8', 0, end);
    buffered = buffered.subarray(end + 1);
    return line;
  }

  /** `buffered` always begins with a line here. */
  async function* readRows(): AsyncGenerator<Uint8Array, void, void> {
    const end = Buffer.from(`${END_OF_ROWS}\n`);
    const endAfterRow = Buffer.from(`\n${END_OF_ROWS}\n`);
    for (;;) {
      if (buffered.subarray(0, end.length).equals(end)) {
        buffered = buffered.subarray(end.length);
        return;
      }
      const found = buffered.indexOf(endAfterRow);
      const length = (found < 0 ? buffered.lastIndexOf(NEWLINE) : found) + 1;
      if (length > 0) {
        const rows = buffered.subarray(0, length);
        buffered = buffered.subarray(length);
        yield rows;
      } else await readMore();
    }
  }

  return {
    async readHead() {
      const json = parseJson(await readLine());
      const format = Format.safeParse(json);
      if (!format.success) throw notABackup();
      if (format.data.version > VERSION)
        throw new BackupError(
          `The backup has format ${format.data.version}, this release reads format ${VERSION}: restore it with a newer release.`,
        );
      const head = Head.safeParse(json);
      if (!head.success) throw damaged();
      hasHead = true;
      return head.data;
    },
    async readNext() {
      const json = parseJson(await readLine());
      const table = Table.safeParse(json);
      if (table.success) return table.data;
      const totals = Totals.safeParse(json);
      if (!totals.success) throw damaged();
      // The decoder compares the checksum at the end of its frame.
      const rest = await chunks.next().catch((error: unknown) => {
        throw damaged(error);
      });
      if (!rest.done || buffered.length > 0) throw damaged();
      return totals.data;
    },
    readRows,
    [Symbol.dispose]() {
      source.destroy();
      bytes.destroy();
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notABackup(cause?: unknown): BackupError {
  return new BackupError('This is not a backup of Roster, or only the beginning of one.', { cause });
}

function damaged(cause?: unknown): BackupError {
  return new BackupError('The backup is incomplete or damaged: it is not as it was written.', { cause });
}

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
 *   {"sequences":{"event_id_seq":"200",…}}
 *
 * No row of COPY is `\.`, because it escapes backslashes. The last line is missing if the file is incomplete.
 */

export const END_OF_ROWS = '\\.\n';
const NEWLINE = 0x0a;

const Head = z.object({
  format: z.literal('roster-backup'),
  version: z.literal(1),
  /** The snapshot contains all earlier commits. */
  takenAt: z.iso.datetime(),
  /** The executed migrations, oldest first. */
  migrations: z.array(z.string()).min(1),
});
const Next = z.union([
  z.object({ table: z.string(), columns: z.array(z.string()) }),
  /** The last line: the last value of each sequence; null if never used. */
  z.object({ sequences: z.record(z.string(), z.string().nullable()) }),
]);

export type Head = z.infer<typeof Head>;
export type Next = z.infer<typeof Next>;

export function lineOf(value: Head | Next): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

/** Reads a backup sequentially. Each method throws a BackupError for a damaged or incomplete file. */
export class BackupFile implements Disposable {
  readonly #source: Readable;
  readonly #chunks: AsyncIterator<Buffer>;
  #buffered: Buffer = Buffer.alloc(0);

  /** @param source destroyed when the file is disposed of */
  constructor(source: Readable) {
    this.#source = source;
    // Errors reach the reader of the last stream.
    const text = pipeline(source, createZstdDecompress(), () => undefined);
    this.#chunks = text[Symbol.asyncIterator]();
  }

  async readHead(): Promise<Head> {
    const message = 'The file is not a backup of Roster, or one of a newer format.';
    return await this.#readLine(Head).catch((cause) => {
      throw new BackupError(message, { cause });
    });
  }

  /** The next table, whose rows must be read before the next call, or the last line. */
  async readNext(): Promise<Next> {
    const next = await this.#readLine(Next);
    // The decoder compares the checksum at the end of the frame.
    if ('sequences' in next && (this.#buffered.length > 0 || (await this.#readMore()))) throw damaged();
    return next;
  }

  /** In pieces of whole rows. */
  async *readRows(): AsyncGenerator<Buffer, void, void> {
    for (;;) {
      // At the beginning of a line, and the end of rows is a line.
      if (this.#buffered.indexOf(END_OF_ROWS) === 0) return void this.#take(END_OF_ROWS.length);
      const end = this.#buffered.indexOf(`\n${END_OF_ROWS}`);
      const length = (end < 0 ? this.#buffered.lastIndexOf(NEWLINE) : end) + 1;
      if (length > 0) yield this.#take(length);
      else if (!(await this.#readMore())) throw damaged();
    }
  }

  async #readLine<Line>(schema: z.ZodType<Line>): Promise<Line> {
    while (!this.#buffered.includes(NEWLINE)) if (!(await this.#readMore())) throw damaged();
    const line = this.#take(this.#buffered.indexOf(NEWLINE) + 1).toString();
    try {
      return schema.parse(JSON.parse(line));
    } catch (error) {
      throw damaged(error);
    }
  }

  /** Returns whether there was more. */
  async #readMore(): Promise<boolean> {
    const next = await this.#chunks.next().catch((error: unknown) => {
      throw damaged(error);
    });
    if (!next.done) this.#buffered = Buffer.concat([this.#buffered, next.value]);
    return !next.done;
  }

  #take(length: number): Buffer {
    const taken = this.#buffered.subarray(0, length);
    this.#buffered = this.#buffered.subarray(length);
    return taken;
  }

  [Symbol.dispose](): void {
    this.#source.destroy();
  }
}

function damaged(cause?: unknown): BackupError {
  return new BackupError('The backup is incomplete or damaged.', { cause });
}

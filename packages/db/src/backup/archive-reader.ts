import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import { createZstdDecompress } from 'node:zlib';
import { createTarDecoder } from 'modern-tar';
import { BackupError, damaged } from './errors.ts';
import { CHECKSUMS, DIRECTORY } from './format.ts';

/** A file of a backup. Its body can be read once, before the next file. */
export interface Entry {
  name: string;
  body: AsyncIterable<Uint8Array>;
}

/** The maximum size of the files that are not rows. */
const TEXT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Reads the files of a backup in their order, except the checksums. Ends without an error only if the backup is complete
 * and all checksums match.
 * @throws BackupError if it is not a backup, is incomplete or was changed; errors of `source`
 */
export async function* openArchive(
  source: Readable,
  signal?: AbortSignal,
): AsyncGenerator<Entry, void, void> {
  const read: string[] = [];
  let isComplete = false;
  for await (const entry of entriesOf(source, signal)) {
    if (isComplete) throw damaged(entry.name);
    if (entry.name === CHECKSUMS) {
      compareChecksums(await readText(entry), read);
      isComplete = true;
      continue;
    }
    const hash = createHash('sha256');
    const body = hashed(entry.body, hash);
    yield { name: entry.name, body };
    // The checksum includes what the caller did not read.
    for await (const _ of body);
    read.push(`${hash.digest('hex')}  ${entry.name}`);
  }
  if (!isComplete) throw new BackupError(read.length === 0 ? NOT_A_BACKUP : INCOMPLETE);
}

const NOT_A_BACKUP = 'This is not a backup of Roster, or only the beginning of one.';
const INCOMPLETE = 'The backup is incomplete: its end is missing.';

/** The body of a file as text. @throws BackupError if it is longer than 64 MiB */
export async function readText({ name, body }: Entry): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > TEXT_BYTES_MAX) throw damaged(name);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function compareChecksums(written: string, read: string[]): void {
  const lines = written.split('\n').slice(0, -1);
  const wrong = lines.findIndex((line, index) => line !== read[index]);
  if (wrong >= 0) throw damaged(lines[wrong]?.replace(/^\S+ {2}/, '') || CHECKSUMS);
  if (lines.length !== read.length) throw damaged(CHECKSUMS);
}

async function* hashed(body: AsyncIterable<Uint8Array>, hash: { update(data: Uint8Array): unknown }) {
  for await (const chunk of body) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Decompresses and unpacks. Invalid bytes become a BackupError; errors of `source` are passed on. */
async function* entriesOf(source: Readable, signal?: AbortSignal): AsyncGenerator<Entry, void, void> {
  const decompress = createZstdDecompress();
  let sourceError: Error | undefined;
  source.once('error', (error) => {
    sourceError = error;
  });
  const piping = pipeline(source, decompress, { ...(signal && { signal }) }).catch(() => undefined);
  let count = 0;
  const describeError = (error: unknown): unknown => {
    if (signal?.aborted) return signal.reason;
    if (sourceError ?? error instanceof BackupError) return sourceError ?? error;
    return new BackupError(count === 0 ? NOT_A_BACKUP : INCOMPLETE, { cause: error });
  };
  async function* withErrors<Item>(items: AsyncIterable<Item>) {
    try {
      yield* items;
    } catch (error) {
      throw describeError(error);
    }
  }
  try {
    // Not Readable.toWeb: if it is cancelled at the wrong moment, it throws outside of any promise.
    const entries = ReadableStream.from<Uint8Array>(decompress).pipeThrough(
      createTarDecoder({ strict: true }),
    );
    for await (const { header, body } of withErrors(entries)) {
      if (!header.name.startsWith(`${DIRECTORY}/`)) {
        throw count === 0 ? new BackupError(NOT_A_BACKUP) : damaged(header.name);
      }
      count += 1;
      yield { name: header.name.slice(DIRECTORY.length + 1), body: withErrors(body) };
    }
  } finally {
    source.destroy();
    await piping;
  }
}

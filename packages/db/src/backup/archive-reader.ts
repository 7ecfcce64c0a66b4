import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import { createZstdDecompress } from 'node:zlib';
import { createTarDecoder } from 'modern-tar';
import { BackupError } from './errors.ts';
import { DIRECTORY, damaged, SUMS } from './format.ts';

/** A file of a backup; its body can be read once, before the next one. */
export interface Entry {
  name: string;
  body: AsyncIterable<Uint8Array>;
}

/** The texts of a backup itself are small; a body that is longer is none of them. */
const TEXT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * The files of a backup in their order, the sums left out. Comes to its end only when all that was written has been
 * read and is as it was written.
 * @throws BackupError where it is no backup, is not whole or was changed; whatever reading `source` throws
 */
export async function* openArchive(
  source: Readable,
  signal?: AbortSignal,
): AsyncGenerator<Entry, void, void> {
  const read: string[] = [];
  let isComplete = false;
  for await (const entry of entriesOf(source, signal)) {
    if (isComplete) throw damaged(entry.name);
    if (entry.name === SUMS) {
      compare(await textOf(entry), read);
      isComplete = true;
      continue;
    }
    const hash = createHash('sha256');
    const body = hashed(entry.body, hash);
    yield { name: entry.name, body };
    // What nobody wanted to read counts as well.
    for await (const _ of body);
    read.push(`${hash.digest('hex')}  ${entry.name}`);
  }
  if (!isComplete) throw new BackupError(read.length === 0 ? NO_BACKUP : NOT_WHOLE);
}

const NO_BACKUP = 'This is not a backup of Roster, or only the beginning of one.';
const NOT_WHOLE = 'The backup is not whole: its end is missing.';

/** The body of an entry as text. @throws BackupError where it is longer than any of ours */
export async function textOf({ name, body }: Entry): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > TEXT_BYTES_MAX) throw damaged(name);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function compare(written: string, read: string[]): void {
  const lines = written.split('\n').slice(0, -1);
  const wrong = lines.findIndex((line, place) => line !== read[place]);
  if (wrong >= 0) throw damaged(lines[wrong]?.replace(/^\S+ {2}/, '') || SUMS);
  if (lines.length !== read.length) throw damaged(SUMS);
}

async function* hashed(body: AsyncIterable<Uint8Array>, hash: { update(data: Uint8Array): unknown }) {
  for await (const chunk of body) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Decompresses and unpacks. What is wrong with the bytes is said in words; what reading them throws is passed on. */
async function* entriesOf(source: Readable, signal?: AbortSignal): AsyncGenerator<Entry, void, void> {
  const decompress = createZstdDecompress();
  let sourceError: Error | undefined;
  source.once('error', (error) => {
    sourceError = error;
  });
  const piping = pipeline(source, decompress, { ...(signal && { signal }) }).catch(() => undefined);
  let count = 0;
  const inWords = (error: unknown): unknown => {
    if (signal?.aborted) return signal.reason;
    if (sourceError ?? error instanceof BackupError) return sourceError ?? error;
    return new BackupError(count === 0 ? NO_BACKUP : NOT_WHOLE, { cause: error });
  };
  async function* wording<Item>(items: AsyncIterable<Item>) {
    try {
      yield* items;
    } catch (error) {
      throw inWords(error);
    }
  }
  try {
    // Not Readable.toWeb: it throws beside everybody when it is given up at the wrong moment.
    const entries = ReadableStream.from<Uint8Array>(decompress).pipeThrough(
      createTarDecoder({ strict: true }),
    );
    for await (const { header, body } of wording(entries)) {
      if (!header.name.startsWith(`${DIRECTORY}/`)) {
        throw count === 0 ? new BackupError(NO_BACKUP) : damaged(header.name);
      }
      count += 1;
      yield { name: header.name.slice(DIRECTORY.length + 1), body: wording(body) };
    }
  } finally {
    source.destroy();
    await piping;
  }
}

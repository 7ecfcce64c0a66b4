import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { CliError, usageError } from '../../errors/errors.ts';

const CHUNK_BYTES = 64 * 1024;

/**
 * Reads a file in chunks; with `isReused` each chunk overwrites the previous one. The reads are synchronous, because the
 * threads of the pool would each hold memory of their own.
 */
export function* bytesOf(path: string, { isReused = false } = {}): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    let chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    while (true) {
      const length = readSync(file, chunk);
      if (length === 0) return;
      yield chunk.subarray(0, length);
      if (!isReused) chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    }
  } finally {
    closeSync(file);
  }
}

/** The number of bytes at the end of a chunk that may start an incomplete character: at most three. */
function unfinished(chunk: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, chunk.length); back += 1) {
    const byte = chunk[chunk.length - back] ?? 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

/** The offset of the first byte that is not valid UTF-8. */
function firstBad(bytes: Buffer): number {
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const part = bytes.subarray(0, middle);
    if (isUtf8(part.subarray(0, part.length - unfinished(part)))) good = middle;
    else bad = middle;
  }
  // An incomplete character is invalid as well.
  return good - unfinished(bytes.subarray(0, good));
}

/** The line, from 1, of a byte offset in a file. */
function lineAt(path: string, offset: number): number {
  let [line, at] = [1, 0];
  for (const chunk of bytesOf(path)) {
    for (const byte of chunk.subarray(0, offset - at)) if (byte === 0x0a) line += 1;
    at += chunk.length;
    if (at >= offset) break;
  }
  return line;
}

function notUtf8(path: string, offset: number): CliError {
  return new CliError(`byte ${offset} (line ${lineAt(path, offset)}) is not UTF-8`, {
    hint: 'Save the file as UTF-8, or name its encoding: --encoding windows-1252, utf-16le …',
  });
}

function* utf8(path: string): Generator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  for (const chunk of bytesOf(path)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.length - unfinished(bytes);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) throw notUtf8(path, offset + firstBad(whole));
    yield whole;
    offset += end;
    rest = bytes.subarray(end);
  }
  if (rest.length > 0) throw notUtf8(path, offset);
}

/** Decodes a file to UTF-8. An error names only the chunk, because decoders report no offset. */
function* decoded(path: string, label: string): Generator<Buffer> {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  let offset = 0;
  const decode = (chunk?: Buffer) => {
    try {
      return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch {
      throw new CliError(`the file is not ${label}, somewhere after byte ${offset}`, {
        hint: 'Name its encoding with --encoding.',
      });
    }
  };
  for (const chunk of bytesOf(path)) {
    yield decode(chunk);
    offset += chunk.length;
  }
  yield decode();
}

/** The canonical name of an encoding (WHATWG Encoding). Throws a usage error for an unknown one. */
export function encodingOf(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw usageError(
      `--encoding: there is no encoding ${label}`,
      'Examples are utf-8, windows-1252, utf-16le and shift_jis.',
    );
  }
}

/**
 * Reads a file as UTF-8 in chunks, including a byte order mark. Throws `CliError` if it is not in the given encoding.
 */
export function utf8Of(path: string, encoding: string): Generator<Buffer> {
  return encoding === 'utf-8' ? utf8(path) : decoded(path, encoding);
}

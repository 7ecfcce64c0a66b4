import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { CliError, usageError } from '../../errors/errors.ts';

const CHUNK_BYTES = 64 * 1024;

/**
 * The bytes of a file, piece by piece; with `isReused` each piece is in the place of the one before. They are read at
 * once, not by the thread pool, whose threads would each keep memory of their own.
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

/** The last bytes of a chunk that may be the beginning of a character: at most three. */
function unfinished(chunk: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, chunk.length); back += 1) {
    const byte = chunk[chunk.length - back] ?? 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

/** The first byte that belongs to no character of UTF-8. */
function firstBad(bytes: Buffer): number {
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const part = bytes.subarray(0, middle);
    if (isUtf8(part.subarray(0, part.length - unfinished(part)))) good = middle;
    else bad = middle;
  }
  // The beginning of a character is bad too, where nothing of it follows.
  return good - unfinished(bytes.subarray(0, good));
}

/** The line, from 1, in which a byte of a file is. */
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
    remedy: 'Save the file as UTF-8, or name what it is written in: --encoding windows-1252, utf-16le …',
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

/** Where a text cannot be decoded, only the piece is known: no decoder says more. */
function* decoded(path: string, label: string): Generator<Buffer> {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  let offset = 0;
  const decode = (chunk?: Buffer) => {
    try {
      return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch {
      throw new CliError(`the file is not ${label}, somewhere after byte ${offset}`, {
        remedy: 'Name what it is written in with --encoding.',
      });
    }
  };
  for (const chunk of bytesOf(path)) {
    yield decode(chunk);
    offset += chunk.length;
  }
  yield decode();
}

/** The name of an encoding as the standard of browsers has it. Throws a usage error for one there is not. */
export function encodingOf(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw usageError(
      `--encoding: there is no encoding ${label}`,
      'It takes utf-8, windows-1252, utf-16le, shift_jis and so on.',
    );
  }
}

/**
 * A file as UTF-8, piece by piece, with the byte order mark where there is one. Throws where it is not in the encoding
 * that is said.
 */
export function utf8Of(path: string, encoding: string): Generator<Buffer> {
  return encoding === 'utf-8' ? utf8(path) : decoded(path, encoding);
}

import { closeSync, openSync, readSync } from 'node:fs';

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

import { isUtf8 } from 'node:buffer';
import { RosterError } from '../errors/roster-error.ts';

/** The encoding that a byte order mark names; undefined without one. */
function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/** UTF-16 without a mark: in a table every second byte is mostly zero. */
function wideEncoding(head: Uint8Array): string | undefined {
  let [even, odd] = [0, 0];
  for (const [index, byte] of head.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const many = head.length / 8;
  if (odd > many && odd > 4 * even) return 'utf-16le';
  return even > many && even > 4 * odd ? 'utf-16be' : undefined;
}

/** The encoding of a file that turns out not to be UTF-8: the one that Excel writes. Each byte is a character. */
export const FALLBACK_ENCODING = 'windows-1252';

/** The encoding of a file by its beginning: that of its byte order mark, UTF-16 if it is that, else UTF-8. */
export function detectEncoding(head: Uint8Array): string {
  return markedEncoding(head) ?? wideEncoding(head) ?? 'utf-8';
}

/** The canonical name of an encoding (WHATWG Encoding). Throws `invalid_parameter`. */
export function encodingOf(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    const detail = 'names no encoding; examples are utf-8, windows-1252, utf-16le and shift_jis';
    const errors = [{ parameter: 'encoding', code: 'invalid_choice', detail }];
    throw new RosterError('invalid_parameter', `encoding ${detail}.`, { errors });
  }
}

/** The offset of the first byte of a piece that is not UTF-8. */
export function findWrongByte(piece: Buffer): number {
  let [good, bad] = [0, piece.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const part = piece.subarray(0, middle);
    if (isUtf8(part.subarray(0, part.length - unfinishedBytes(part)))) good = middle;
    else bad = middle;
  }
  // An incomplete character is invalid as well.
  return good - unfinishedBytes(piece.subarray(0, good));
}

/** The error of a file that is not in its encoding, from a byte on, or after it. */
export function wrongEncoding(encoding: string, place: string): RosterError {
  const detail = `is not ${encoding} ${place}`;
  const errors = [{ pointer: '#', code: 'invalid_encoding', detail }];
  return new RosterError('validation_failed', `The file ${detail}. Name its encoding.`, { errors });
}

/** The number of bytes at the end of a piece of UTF-8 that may begin an incomplete character: at most three. */
export function unfinishedBytes(piece: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, piece.length); back += 1) {
    const byte = piece[piece.length - back] ?? 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

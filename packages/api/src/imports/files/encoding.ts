import { isUtf8 } from 'node:buffer';
import { invalidParameter, RosterError } from '../../errors/roster-error.ts';

/** The encoding of a file that turns out not to be UTF-8: the one that Excel writes. Each byte is a character. */
export const FALLBACK_ENCODING = 'windows-1252';

/** The canonical name of an encoding (WHATWG Encoding); undefined if it is none. */
function canonicalName(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

const noEncoding = 'is not a known encoding; examples are utf-8, windows-1252, utf-16le and shift_jis';

/** The encoding that a parameter names. Throws `invalid_parameter`. */
export function encodingOf(label: string): string {
  const name = canonicalName(label);
  if (name === undefined) throw invalidParameter('encoding', 'invalid_choice', noEncoding);
  return name;
}

/** The encoding that a media type names. Throws `unsupported_media_type`. */
export function encodingOfCharset(charset: string): string {
  const name = canonicalName(charset);
  if (name === undefined)
    throw new RosterError('unsupported_media_type', `The charset of the Content-Type ${noEncoding}.`);
  return name;
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
  return new RosterError('validation_failed', `The file ${detail}. Set its encoding.`, { errors });
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

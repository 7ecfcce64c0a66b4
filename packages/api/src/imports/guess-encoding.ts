import { isAscii, isUtf8 } from 'node:buffer';
import { invalidParameter, RosterError } from '../errors/roster-error.ts';

/** The encoding of a file without any UTF-8 beyond ASCII, if nothing speaks against it: the one that Excel writes. Each byte is a character. */
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
function findWrongByte(piece: Buffer): number {
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

/** A character of UTF-8 beyond ASCII, in bytes as characters of Latin 1. */
const beyondAscii = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;

/**
 * Decides whether a file is UTF-8, as its pieces arrive. In a file without a named encoding one wrong byte makes it windows-1252, unless
 * it also has characters of UTF-8 beyond ASCII: then it is UTF-8 with a damaged byte, because each of those characters would be read as
 * two or three others.
 */
export class EncodingGuess {
  readonly #isNamed: boolean;
  #hasCharacters = false;
  #hasCr = false;
  #hasLf = false;
  #doubt: string | undefined;
  #lines = 0;
  #bytes = 0;
  #rest: Buffer = Buffer.alloc(0);
  /** The place of the first byte that is not UTF-8. */
  #wrong: { byte: number; line: number } | undefined;

  /** @param isNamed whether the file says that it is UTF-8, so that every wrong byte is an error */
  constructor({ isNamed }: { isNamed: boolean }) {
    this.#isNamed = isNamed;
  }

  /**
   * Reads the next piece, and returns what can be decoded now: an incomplete character waits for the next piece. As long as nothing is
   * wrong in a file without a named encoding that turns out to be windows-1252, all of it was ASCII. Throws `validation_failed` with
   * the byte that is wrong and its line.
   *
   * @param isLast whether the file ends here, where an incomplete character is an error
   */
  add(piece: Buffer, isLast: boolean): Buffer {
    const whole = Buffer.concat([this.#rest, piece]);
    const text = whole.subarray(0, isLast ? whole.length : whole.length - unfinishedBytes(whole));
    const isGood = isUtf8(text);
    if (!isGood && this.#wrong === undefined) {
      const at = findWrongByte(text);
      this.#wrong = { byte: this.#bytes + at, line: this.#lines + countLines(text.subarray(0, at)) + 1 };
    }
    this.#hasCharacters ||= isGood ? !isAscii(text) : beyondAscii.test(text.toString('latin1'));
    if (this.#wrong !== undefined && (this.#isNamed || this.#hasCharacters))
      throw wrongEncoding('utf-8', `at byte ${this.#wrong.byte} (line ${this.#wrong.line})`);
    if (!this.#isNamed) this.#look(text);
    this.#rest = whole.subarray(text.length);
    this.#bytes += text.length;
    this.#lines += countLines(text);
    return text;
  }

  #look(text: Buffer): void {
    this.#hasCr ||= text.includes(0x0d);
    this.#hasLf ||= text.includes(0x0a);
    if (this.#wrong === undefined) return;
    this.#doubt ??= strangenessOf(new TextDecoder(FALLBACK_ENCODING).decode(text));
  }

  /**
   * Why the fallback encoding is probably wrong, as far as the file is read; undefined if it is not, or is not used. Lines that end in CR
   * alone are those of old Macs, which had their own encoding.
   */
  get doubt(): string | undefined {
    if (this.#isNamed || this.#wrong === undefined) return undefined;
    return this.#doubt ?? (this.#hasCr && !this.#hasLf ? 'has the line ends of old Macs' : undefined);
  }

  /** The encoding as far as the file is read. */
  get encoding(): 'utf-8' | typeof FALLBACK_ENCODING {
    return this.#wrong === undefined ? 'utf-8' : FALLBACK_ENCODING;
  }
}

/** Signs that windows-1252 has for letters of other encodings, and that no language writes inside words, or at one of their ends. */
const inside = '\\u0080-\\u0091\\u0093-\\u0096\\u0098-\\u009f¡-©«-¬®±-´¶¸»-¿×÷€‚ƒ„…†‡ˆ‰‹“”•˜™›';
const sign = new RegExp(
  `\\p{L}[${inside}]\\p{L}|(?:^|[^\\p{L}\\p{N}])[©®¬¹²³¼½¾¤¥¦±×÷¶¸†‡ƒ][\\p{L}]|\\p{L}[¹¾¼£±¶¤¬](?:$|[^\\p{L}\\p{N}])`,
  'u',
);
const manyAccents = /[À-ÖØ-öø-ÿŠŒŽšœžŸ]{3}/;
/** A capital with an accent inside a word in small letters, but for names such as McÉvoy. */
const innerCapital = /(?<!\b(?:Mc|Mac|De|Di|La|Le|Fitz))(?<=\p{Ll})[À-ÖØ-ÞŠŒŽŸ](?=\p{Ll})/u;
const noCharacter = /[\u0081\u008d\u008f\u0090\u009d]/;

/** Reasons why a text in windows-1252 is probably in a different encoding. */
const strangeness: readonly [pattern: RegExp, reason: string][] = [
  [noCharacter, 'has bytes that windows-1252 does not have'],
  [sign, 'would have signs inside words in windows-1252'],
  [innerCapital, 'would have capitals inside words in windows-1252'],
  [manyAccents, 'would have words of accented letters in windows-1252'],
];

/** Why a text that was decoded as windows-1252 probably has a different encoding; undefined for nothing. */
const strangenessOf = (text: string) => strangeness.find(([pattern]) => pattern.test(text))?.[1];

/** Encodings that files without a named one have, those of programs that people use for lists first. */
const possible = [
  ...[
    'windows-1252',
    'macintosh',
    'windows-1250',
    'iso-8859-2',
    'windows-1251',
    'windows-1253',
    'windows-1254',
  ],
  ...['koi8-r', 'ibm866', 'shift_jis', 'gbk', 'big5', 'euc-kr'],
];

/** Letters of two scripts in one word, or signs of boxes, which tables have in no language. */
const mixed =
  /\p{Script=Latin}(?=\p{L})\P{Script=Latin}|(?=\p{L})\P{Script=Latin}\p{Script=Latin}|[\u2300-\u259f]/u;

/** The encodings that the bytes of a file may have, each with a text of the file in it, the likeliest first. */
export function possibleEncodings(bytes: Uint8Array): { encoding: string; sample: string }[] {
  const isCr = !bytes.includes(0x0a) && bytes.includes(0x0d);
  const found = possible.flatMap((encoding) => {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
      const words = text.match(/[^\s,;|"]*[^\s\x20-\x7e,;|"][^\s,;|"]*/g) ?? [];
      const sample = words.slice(0, 3).join(' ');
      const isStrange =
        /[\u0080-\u009f\ufffd]/.test(text) ||
        words.some((word) => mixed.test(word) || strangenessOf(word) !== undefined);
      return [{ encoding, sample, rank: Number(isStrange) - Number(isCr && encoding === 'macintosh') }];
    } catch {
      return [];
    }
  });
  return found
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ encoding, sample }) => ({ encoding, sample }));
}

/** The error of a file whose encoding must be said. */
export function doubtfulEncoding(reason: string): RosterError {
  const detail = `is not UTF-8, and ${reason}`;
  const errors = [{ pointer: '#', code: 'ambiguous_encoding', detail }];
  const advice = 'Set its encoding, such as windows-1252 or macintosh, or save it as UTF-8.';
  return new RosterError('validation_failed', `The file ${detail}. ${advice}`, { errors });
}

/** The number of line breaks in a text. */
function countLines(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(0x0a); at >= 0; at = text.indexOf(0x0a, at + 1)) count += 1;
  return count;
}

/** The number of bytes at the end of a piece of UTF-8 that may begin an incomplete character: at most three. */
function unfinishedBytes(piece: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, piece.length); back += 1) {
    const byte = piece[piece.length - back] ?? 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

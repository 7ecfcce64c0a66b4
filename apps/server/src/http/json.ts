import { Buffer } from 'node:buffer';
import { RosterError } from '@roster/api';
import { type BinaryString, isAscii, pointerTo } from '@roster/api/server';
import { rejectTooManyValues } from './body-values.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** `"__proto__":`, however its characters are escaped. */
const suspect =
  /"(?:_|\\u005[Ff]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[Ff])(?:t|\\u0074)(?:o|\\u006[Ff])(?:_|\\u005[Ff]){2}"\s*:/;
/** Members named `__proto__` that one error names. */
const NAMES_MAX = 100;
/** Up to this size ASCII is sent as a string, which Node writes in one piece with the headers. */
const STRING_MAX_BYTES = 8_192;

/**
 * Decodes a body. Throws `invalid_json` for bytes that are not UTF-8, instead of replacing them with U+FFFD, and
 * `payload_too_large` if the JSON has too many values to parse at once.
 */
export function decodeBody(bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw new RosterError('invalid_json', 'The body is not UTF-8.', { cause });
  }
  rejectTooManyValues(bytes);
  return text;
}

/** Joins the parts of a response body for Fastify to send: each is copied once, and none is encoded again. */
export function encodeBody(parts: readonly BinaryString[]): string | Buffer {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  if (size <= STRING_MAX_BYTES && parts.every(isAscii)) return parts.join('');
  const payload = Buffer.allocUnsafe(size);
  let at = 0;
  for (const part of parts) at += payload.write(part, at, 'latin1');
  return payload;
}

/**
 * Rejects JSON in which an object has a member named `__proto__`: in JavaScript that is not an ordinary property, and
 * libraries drop it silently. `locate` gives the place of a member in the request. Throws `invalid_parameter` or
 * `validation_failed`.
 */
export function rejectReservedNames(
  text: string,
  value: unknown,
  locate: (path: string[]) => { pointer: string } | { parameter: string },
): void {
  if (!suspect.test(text)) return;
  const paths = reservedNamesIn(value);
  if (paths.length === 0) return;
  const errors = paths.map((path) => ({
    ...locate(path),
    code: 'not_allowed',
    detail: 'is a name that no field and no metadata may have',
  }));
  const isAboutParameters = errors.some((error) => 'parameter' in error);
  const code = isAboutParameters ? 'invalid_parameter' : 'validation_failed';
  throw new RosterError(code, '__proto__ is a name that no field and no metadata may have.', { errors });
}

/** The place of a member in a body. */
export function pointerInBody(path: string[]): { pointer: string } {
  return { pointer: pointerTo(path) };
}

/** The paths of members named `__proto__`, up to `NAMES_MAX`; without recursion, because a body may be very deep. */
function reservedNamesIn(root: unknown): string[][] {
  const found: string[][] = [];
  const stack: { value: unknown; path: string[] }[] = [{ value: root, path: [] }];
  for (let next = stack.pop(); next !== undefined && found.length < NAMES_MAX; next = stack.pop()) {
    const { value, path } = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const name of Object.keys(value)) {
      const member = [...path, name];
      if (name === '__proto__') found.push(member);
      else stack.push({ value: (value as Record<string, unknown>)[name], path: member });
    }
  }
  return found;
}

import { Buffer } from 'node:buffer';
import { RosterError } from '@roster/api';
import { type BinaryString, isAscii, pointerTo } from '@roster/api/server';
import { findMembers, hasRepeatedMembers } from '@roster/import/json-members';
import { rejectTooManyValues } from './body-values.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** `"__proto__":`, however its characters are escaped. */
const suspect =
  /"(?:_|\\u005[Ff]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[Ff])(?:t|\\u0074)(?:o|\\u006[Ff])(?:_|\\u005[Ff]){2}"\s*:/;
const reserved = { code: 'not_allowed', detail: 'is a name that no field and no metadata may have' };
const repeated = { code: 'repeated', detail: 'is there twice in its object' };
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
 * Rejects JSON of which libraries drop a member silently: of two of one name in an object (RFC 8259, section 4) `JSON.parse` keeps the
 * last, and `__proto__` is no ordinary property in JavaScript. `locate` gives the place of a member in the request. Throws
 * `invalid_parameter` or `validation_failed`.
 *
 * @param value what `JSON.parse` has made of the text
 */
export function rejectLostMembers(
  text: string,
  value: unknown,
  locate: (path: string[]) => { pointer: string } | { parameter: string },
): void {
  if (!suspect.test(text) && !hasRepeatedMembers(text, value)) return;
  const lost = findMembers(text, ({ name, isRepeated }) => isRepeated || name === '__proto__');
  const errors = lost.map(({ name, path }) => ({
    ...locate(path),
    ...(name === '__proto__' ? reserved : repeated),
  }));
  const [name] = lost.map((member) => member.name);
  if (name === undefined) return;
  const isAboutParameters = errors.some((error) => 'parameter' in error);
  const code = isAboutParameters ? 'invalid_parameter' : 'validation_failed';
  throw new RosterError(code, `${name} ${errors[0]?.detail}.`, { errors });
}

/** The place of a member in a body. */
export function pointerInBody(path: string[]): { pointer: string } {
  return { pointer: pointerTo(path) };
}

import { Buffer } from 'node:buffer';
import { RosterError } from '@roster/api';
import { type BinaryString, isAscii, pointerTo } from '@roster/api/server';
import { findLostMembers } from '@roster/import/json-members';
import { rejectTooManyValues } from './body-values.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
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
 * Rejects JSON of which a member is lost when it is read. `locate` gives the place of a member in the request. Throws
 * `invalid_parameter` or `validation_failed`.
 *
 * @param value what `JSON.parse` has made of the text
 */
export function rejectLostMembers(
  text: string,
  value: unknown,
  locate: (path: string[]) => { pointer: string } | { parameter: string },
): void {
  const lost = findLostMembers(text, value);
  const [first] = lost;
  if (first === undefined) return;
  const errors = lost.map(({ path, code, detail }) => ({ ...locate(path), code, detail }));
  const isAboutParameters = errors.some((error) => 'parameter' in error);
  const code = isAboutParameters ? 'invalid_parameter' : 'validation_failed';
  throw new RosterError(code, `${first.name} ${first.detail}.`, { errors });
}

/** The place of a member in a body. */
export function pointerInBody(path: string[]): { pointer: string } {
  return { pointer: pointerTo(path) };
}

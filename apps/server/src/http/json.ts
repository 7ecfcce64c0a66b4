import { RosterError } from '@roster/api';
import { pointerTo } from '@roster/api/server';
import { findLostMembers } from '@roster/import/json-members';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestBodies } from './limits/request-bodies.ts';

/** Parses JSON bodies in UTF-8, and no other type. */
export function registerJsonBodies(app: FastifyInstance, bodies: RequestBodies): void {
  bodies.parseIn(app, ['application/json', 'application/merge-patch+json'], parseBody);
}

/**
 * The value of a body; undefined of an empty one, which counts as none. That of a DELETE is not searched for lost members: it is
 * rejected unless it is `{}`.
 */
function parseBody(bytes: Buffer, { method }: FastifyRequest): unknown {
  if (bytes.length === 0) return undefined;
  const text = decodeBody(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new RosterError('invalid_json', `${(cause as Error).message}.`, { cause });
  }
  if (method !== 'DELETE') rejectLostMembers(text, value, pointerInBody);
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

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

/**
 * Values in one JSON body: 500 records of 100 fields. The time to parse JSON depends on its values, not its bytes: 4 MiB
 * of empty objects, 1.4 million of them, would block the process for half a second.
 */
export const BODY_VALUES_MAX = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/**
 * Whether JSON in UTF-8 has too many values: members of objects, items of arrays, and objects and arrays themselves. Strings
 * are skipped in a second loop, which is twice as fast as to check for each byte whether it is inside a string.
 */
function hasTooMany(bytes: Uint8Array): boolean {
  const { length } = bytes;
  let values = 1;
  let index = 0;
  while (index < length) {
    const byte = bytes[index++];
    if (byte === QUOTE) index = endOfString(bytes, index);
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) {
      values += 1;
      if (values > BODY_VALUES_MAX) return true;
    }
  }
  return false;
}

/** The index after the quote that ends a string. */
function endOfString(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let index = start;
  while (index < length) {
    const byte = bytes[index++];
    if (byte === QUOTE) break;
    if (byte === BACKSLASH) index += 1;
  }
  return index;
}

/** Rejects JSON in UTF-8 with too many values, before it is parsed. Throws `payload_too_large`. */
function rejectTooManyValues(bytes: Uint8Array): void {
  if (bytes.length <= BODY_VALUES_MAX || !hasTooMany(bytes)) return;
  const detail = `A body holds at most ${BODY_VALUES_MAX.toLocaleString('en-US')} values.`;
  throw new RosterError('payload_too_large', detail);
}

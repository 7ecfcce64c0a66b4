import { RosterError } from '@roster/api';
import { pointerTo } from '@roster/api/server';
import { findLostMembers } from '@roster/import/json-members';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestBodies } from './limits/request-bodies.ts';

export function registerJsonBodies(app: FastifyInstance, bodies: RequestBodies): void {
  bodies.parseIn(app, ['application/json', 'application/merge-patch+json'], parseBody);
}

/** Undefined for an empty body. That of a DELETE is not searched for lost members: only `{}` is accepted. */
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

/** Throws `invalid_json` for bytes that are not UTF-8, which a decoder would replace, and `payload_too_large` for too many values. */
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

/** Throws `invalid_parameter` or `validation_failed`. `locate` gives the place of a member in the request. */
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

export function pointerInBody(path: string[]): { pointer: string } {
  return { pointer: pointerTo(path) };
}

/** 500 records of 100 fields. Parsing depends on values, not bytes: 4 MiB of empty objects would block the process for half a second. */
export const BODY_VALUES_MAX = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** Strings are skipped in a loop of their own, which is twice as fast. */
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

function rejectTooManyValues(bytes: Uint8Array): void {
  if (bytes.length <= BODY_VALUES_MAX || !hasTooMany(bytes)) return;
  const detail = `A body holds at most ${BODY_VALUES_MAX.toLocaleString('en-US')} values.`;
  throw new RosterError('payload_too_large', detail);
}

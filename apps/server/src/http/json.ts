import { RosterError } from '@roster/api';
import { pointerTo } from '@roster/api/server';
import { findLostMembers } from '@roster/import/json-members';
import { rejectTooManyValues } from './body-values.ts';

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

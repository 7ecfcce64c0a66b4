import { RosterError } from '@roster/api';
import { pointerTo } from '@roster/api/server';
import { rejectTooManyValues } from './json-size.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** `"__proto__":`, however its characters are escaped. */
const suspect =
  /"(?:_|\\u005[Ff]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[Ff])(?:t|\\u0074)(?:o|\\u006[Ff])(?:_|\\u005[Ff]){2}"\s*:/;
const NAMES_MAX = 100;

/**
 * The text of a body. Throws `invalid_json` for bytes that are not UTF-8: a lenient reader would put U+FFFD in their place;
 * and `payload_too_large` where to read the text would take too long.
 */
export function textOfBody(bytes: Uint8Array): string {
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
 * Rejects JSON in which an object has a member named `__proto__`: in JavaScript that name is not a property like others,
 * and libraries drop it without a word. `placeOf` tells where in the request the member stands.
 */
export function rejectReservedNames(
  text: string,
  value: unknown,
  placeOf: (path: string[]) => { pointer: string } | { parameter: string },
): void {
  if (!suspect.test(text)) return;
  const paths = reservedNamesIn(value);
  if (paths.length === 0) return;
  const errors = paths.map((path) => ({
    ...placeOf(path),
    code: 'not_allowed',
    detail: 'is a name that no field and no metadata may have',
  }));
  const isAboutParameters = errors.some((error) => 'parameter' in error);
  const reason = isAboutParameters ? 'invalid_parameter' : 'validation_failed';
  throw new RosterError(reason, '__proto__ is a name that no field and no metadata may have.', { errors });
}

/** Where in a body a member stands. */
export function placeInBody(path: string[]): { pointer: string } {
  return { pointer: pointerTo(path) };
}

/** The paths of all members named `__proto__`, as far as they are told; without recursion, for a body may be very deep. */
function reservedNamesIn(root: unknown): string[][] {
  const found: string[][] = [];
  const left: { value: unknown; path: string[] }[] = [{ value: root, path: [] }];
  for (let next = left.pop(); next !== undefined && found.length < NAMES_MAX; next = left.pop()) {
    const { value, path } = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const name of Object.keys(value)) {
      const member = [...path, name];
      if (name === '__proto__') found.push(member);
      else left.push({ value: (value as Record<string, unknown>)[name], path: member });
    }
  }
  return found;
}

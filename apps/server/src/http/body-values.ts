import { RosterError } from '@roster/api';

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
export function rejectTooManyValues(bytes: Uint8Array): void {
  if (bytes.length <= BODY_VALUES_MAX || !hasTooMany(bytes)) return;
  const detail = `A body holds at most ${BODY_VALUES_MAX.toLocaleString('en-US')} values.`;
  throw new RosterError('payload_too_large', detail);
}

import { RosterError } from '@roster/api';

/**
 * Values in one JSON body: 500 records of 100 fields. To read JSON takes as long as it has values, not bytes: the 1.4
 * million empty objects that 4 MiB hold take half a second in which nothing else is served.
 */
export const BODY_VALUES_MAX = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/**
 * Whether UTF-8 is JSON of more values than may be read at once: members of objects, items of lists, and both of these.
 * Two loops, because one that asks of each byte whether it is in a string takes twice as long.
 */
function hasTooMany(bytes: Uint8Array): boolean {
  const { length } = bytes;
  let values = 1;
  let place = 0;
  while (place < length) {
    const byte = bytes[place++];
    if (byte === QUOTE) place = endOfString(bytes, place);
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) {
      values += 1;
      if (values > BODY_VALUES_MAX) return true;
    }
  }
  return false;
}

/** The place after the quote that ends a string. */
function endOfString(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let place = start;
  while (place < length) {
    const byte = bytes[place++];
    if (byte === QUOTE) break;
    if (byte === BACKSLASH) place += 1;
  }
  return place;
}

/** Rejects JSON, as UTF-8, of more values than may be read at once, before it is read. Throws `payload_too_large`. */
export function rejectTooManyValues(bytes: Uint8Array): void {
  if (bytes.length <= BODY_VALUES_MAX || !hasTooMany(bytes)) return;
  const detail = `A body holds at most ${BODY_VALUES_MAX.toLocaleString('en-US')} values.`;
  throw new RosterError('payload_too_large', detail);
}

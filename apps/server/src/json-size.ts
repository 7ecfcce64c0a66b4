import { RosterError } from '@roster/api';

/**
 * Values in one JSON body: 500 records of 100 fields. To read JSON takes as long as it has values, not bytes: the 1.4
 * million empty objects that 4 MiB hold take half a second in which nothing else is served.
 */
const BODY_VALUES_MAX = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** Whether text is JSON of more values than may be read at once: members of objects, items of lists, and both of these. */
function hasTooMany(text: string): boolean {
  let values = 1;
  let isInString = false;
  for (let place = 0; place < text.length; place += 1) {
    const character = text.charCodeAt(place);
    if (isInString) {
      if (character === BACKSLASH) place += 1;
      else if (character === QUOTE) isInString = false;
    } else if (character === QUOTE) isInString = true;
    else if (character === COMMA || character === BRACKET || character === BRACE) {
      values += 1;
      if (values > BODY_VALUES_MAX) return true;
    }
  }
  return false;
}

/** Rejects JSON of more values than may be read at once, before it is read. Throws `payload_too_large`. */
export function rejectTooManyValues(text: string): void {
  if (text.length <= BODY_VALUES_MAX || !hasTooMany(text)) return;
  const detail = `A body holds at most ${BODY_VALUES_MAX.toLocaleString('en-US')} values.`;
  throw new RosterError('payload_too_large', detail);
}

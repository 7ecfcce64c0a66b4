/** C0 and C1 control characters, bidirectional controls, line separators and lone surrogates. */
const control = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeOf(character: string): string {
  return short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * A text for a terminal: each character that would move its cursor, colour it or change the direction of writing is
 * written as JSON escapes it (`\u001b`), so no record can change the screen of the user who lists it, and JSON that is
 * shown stays the same JSON.
 */
export function printable(text: string): string {
  return text.replaceAll(control, escapeOf);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** An item of a list, in the form the option takes: `number=A1,expires-on=2027-12-31`. */
function itemText(item: unknown): string {
  if (!isObject(item)) return String(item);
  const parts = Object.entries(item).filter(([, value]) => value !== null);
  return parts.map(([name, value]) => `${kebab(name)}=${value}`).join(',');
}

/** Any value of a record in one text; null and undefined are empty. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(itemText).join(', ');
  return isObject(value) ? itemText(value) : String(value);
}

/** A record as pairs of a place and a value: the parts of an object each by itself; one without parts is null. */
export function* places(
  row: Readonly<Record<string, unknown>>,
  prefix = '',
): Generator<[place: string, value: unknown]> {
  for (const [name, value] of Object.entries(row)) {
    const place = `${prefix}${name}`;
    if (!isObject(value) || Array.isArray(value)) yield [place, value];
    else if (Object.keys(value).length === 0) yield [place, null];
    else yield* places(value, `${place}.`);
  }
}

/** The same as texts. */
export function* flattened(row: Readonly<Record<string, unknown>>): Generator<[place: string, text: string]> {
  for (const [place, value] of places(row)) yield [place, textOf(value)];
}

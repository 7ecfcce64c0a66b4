import { createColors } from 'picocolors';
import { kebab } from '../contract/fields.ts';

/** C0 and C1 control characters, bidirectional controls, line separators and lone surrogates. */
const control = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeOf(character: string): string {
  return short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Makes a text safe for a terminal: characters that would move the cursor, change colours or the direction of writing are
 * escaped as in JSON (`\u001b`), so that no record can manipulate the terminal, and printed JSON stays equivalent.
 */
export function printable(text: string): string {
  return text.replaceAll(control, escapeOf);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** An item of a list, in the format of its option: `number=A1,expires-on=2027-12-31`. What it contains is JSON. */
function itemText(item: unknown): string {
  if (!isObject(item)) return String(item);
  const parts = Object.entries(item).filter(([, value]) => value !== null);
  return parts
    .map(([name, value]) => `${kebab(name)}=${isObject(value) ? JSON.stringify(value) : value}`)
    .join(',');
}

/** A value of a record as text; null and undefined are empty. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(itemText).join(', ');
  return isObject(value) ? itemText(value) : String(value);
}

/** Flattens a record to pairs of path and value; an empty object becomes null. */
export function* fieldEntries(
  row: Readonly<Record<string, unknown>>,
  prefix = '',
): Generator<[field: string, value: unknown]> {
  for (const [name, value] of Object.entries(row)) {
    const field = `${prefix}${name}`;
    if (!isObject(value) || Array.isArray(value)) yield [field, value];
    else if (Object.keys(value).length === 0) yield [field, null];
    else yield* fieldEntries(value, `${field}.`);
  }
}

export function* fieldTexts(
  row: Readonly<Record<string, unknown>>,
): Generator<[field: string, text: string]> {
  for (const [field, value] of fieldEntries(row)) yield [field, textOf(value)];
}

/** A number as people read it: `410,000`. */
export const grouped = (value: number) => value.toLocaleString('en');

/** `24 agents` */
export function counted(count: number, [one, many]: readonly [string, string]): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Text that roster has formatted: the only text whose escape sequences reach a terminal. */
export class Styled {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | Styled;

function safe(part: Part): string {
  return part instanceof Styled ? part.text : printable(part);
}

/** Joins parts with a separator; control characters in plain parts become visible escapes. */
export function joined(parts: readonly Part[], separator = ''): Styled {
  return new Styled(parts.map(safe).join(separator));
}

/** A template tag: the literal text is trusted, the parts are escaped as by `joined`. */
export function styled(texts: TemplateStringsArray, ...parts: Part[]): Styled {
  return new Styled(String.raw({ raw: texts }, ...parts.map(safe)));
}

export function linesOf(lines: readonly Part[]): Styled {
  return new Styled(lines.map((line) => `${safe(line)}\n`).join(''));
}

type Ink = 'bold' | 'cyan' | 'dim' | 'green' | 'red';

type Styles = Record<Ink, (part: Part) => Styled>;

/** Functions that style text; without colour they leave it plain. */
export function stylesFor(color: boolean): Styles {
  const colors = createColors(color);
  const style = (ink: Ink) => (part: Part) => new Styled(colors[ink](safe(part)));
  return {
    bold: style('bold'),
    cyan: style('cyan'),
    dim: style('dim'),
    green: style('green'),
    red: style('red'),
  };
}

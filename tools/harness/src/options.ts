import { parseArgs } from 'node:util';

/** What is wrong with a command line, in words for people. */
export class UsageError extends Error {}

/** A default says what kind of value an option has; that of a text may be undefined. */
type Defaults = Readonly<Record<string, number | string | boolean | undefined>>;

type Value<Default> = Default extends number
  ? number
  : Default extends boolean
    ? boolean
    : string | Extract<Default, undefined>;
type Values<Known extends Defaults> = { -readonly [Name in keyof Known]: Value<Known[Name]> };

const hyphenated = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && Number.isFinite(value)) return value;
  throw new UsageError(`--${name} must be a number from 0 on, and is "${text}"`);
}

/**
 * Reads a command line by the defaults of its options: `warmUp: 3` is `--warm-up`, a number from 0 on; a boolean is a flag.
 * Throws UsageError.
 */
export function readOptions<const Known extends Defaults>(
  defaults: Known,
  args: readonly string[] = process.argv.slice(2),
): Values<Known> {
  const names = Object.keys(defaults);
  const typeOf = (name: string) => (typeof defaults[name] === 'boolean' ? 'boolean' : 'string') as 'string';
  const options = Object.fromEntries(names.map((name) => [hyphenated(name), { type: typeOf(name) }]));
  let given: Record<string, string | undefined>;
  try {
    given = parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const valueFor = (name: string) => {
    const text = given[hyphenated(name)];
    if (text === undefined) return defaults[name];
    return typeof defaults[name] === 'number' ? numberOf(hyphenated(name), text) : text;
  };
  return Object.fromEntries(names.map((name) => [name, valueFor(name)])) as Values<Known>;
}

/** The names in a text with commas that a list knows, in the order of the list; all of it without a text. Throws UsageError at any other. */
export function chooseNames<Name extends string>(
  option: string,
  known: readonly Name[],
  text: string | undefined,
): Name[] {
  if (text === undefined) return [...known];
  const wanted = text.split(',').map((name) => name.trim());
  const unknown = wanted.filter((name) => !known.some((one) => one === name));
  if (unknown.length === 0) return known.filter((name) => wanted.includes(name));
  throw new UsageError(`--${option}: no ${unknown.join(', ')}; there are ${known.join(', ')}`);
}

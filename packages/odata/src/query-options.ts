import type { Expression, OrderKey } from './expression.ts';
import { parseFilter } from './filter.ts';
import { limits } from './limits.ts';
import { TokenReader } from './token-reader.ts';
import { ODataSyntaxError } from './tokens.ts';

export interface Expansion extends Omit<QueryOptions, 'skipToken' | 'format'> {
  name: string;
  at: number;
  /** As written, for a link to more. */
  texts: Readonly<Record<string, string>>;
}

export interface QueryOptions {
  filter?: Expression;
  orderBy?: readonly OrderKey[];
  /** Names; `*` for all standard ones. */
  select?: readonly { name: string; at: number }[];
  expand?: readonly Expansion[];
  top?: number;
  skip?: number;
  count?: boolean;
  skipToken?: string;
  format?: string;
}

/** Edm.Int32. */
const NUMBER_MAX = 2_147_483_647;

type Parse = (text: string, option: string, now: Date) => QueryOptions;

const parsers: Readonly<Record<string, Parse>> = {
  $filter: (text, option, now) => ({ filter: parseFilter(text, { now, option }) }),
  $orderby: (text, option) => ({ orderBy: parseOrderBy(text, option) }),
  $select: (text, option) => ({ select: parseSelect(text, option) }),
  $expand: (text, option, now) => ({ expand: parseExpand(text, option, now) }),
  $top: (text, option) => ({ top: numberOf(text, option) }),
  $skip: (text, option) => ({ skip: numberOf(text, option) }),
  $count: (text, option) => ({ count: booleanOf(text, option) }),
  $skiptoken: (text) => ({ skipToken: text }),
  $format: (text) => ({ format: text }),
};
const nestedOptions = ['$filter', '$orderby', '$select', '$top', '$count', '$expand', '$skip'];

/** The `$` is optional (OData 4.01). Throws `ODataSyntaxError`: nothing is ignored. */
export function parseQueryOptions(
  parameters: Readonly<Record<string, readonly string[]>>,
  { now }: { now: Date },
): QueryOptions {
  const options: QueryOptions = {};
  const seen = new Set<string>();
  for (const [given, [value = '', ...others]] of Object.entries(parameters)) {
    const option = nameOf(given);
    const parse = Object.hasOwn(parsers, option) ? parsers[option] : undefined;
    if (parse === undefined) throw unsupported(given);
    if (others.length > 0 || seen.has(option))
      throw new ODataSyntaxError('invalid_format', 'must be given once', option);
    seen.add(option);
    Object.assign(options, parse(value, option, now));
  }
  return options;
}

function nameOf(given: string): string {
  const name = given.toLowerCase();
  return name.startsWith('$') ? name : `$${name}`;
}

function unsupported(option: string): ODataSyntaxError {
  const detail = 'is not a query option that this service supports';
  return new ODataSyntaxError('not_supported', detail, option.slice(0, 100));
}

function parseOrderBy(source: string, option: string): OrderKey[] {
  const tokens = new TokenReader(option, source);
  const keys: OrderKey[] = [];
  do {
    const { text: name, at } = tokens.expectName('the name of a property');
    if (tokens.isSymbol('(') || tokens.isSymbol('/'))
      throw tokens.error('not_supported', 'may name properties only', at);
    const isDescending = tokens.takeWord('desc');
    if (!isDescending) tokens.takeWord('asc');
    keys.push({ path: { kind: 'path', name, at }, isDescending });
    if (keys.length > limits.orderKeysMax)
      throw tokens.error('too_many', `has more than ${limits.orderKeysMax} keys`, at);
  } while (tokens.takeSymbol(','));
  tokens.expectEnd();
  return keys;
}

function parseSelect(source: string, option: string): { name: string; at: number }[] {
  const tokens = new TokenReader(option, source);
  const names: { name: string; at: number }[] = [];
  do {
    const { at } = tokens.peek();
    const name = tokens.takeSymbol('*') ? '*' : tokens.expectName('the name of a property').text;
    names.push({ name, at });
    if (names.length > limits.namesMax)
      throw tokens.error('too_many', `has more than ${limits.namesMax} names`, at);
  } while (tokens.takeSymbol(','));
  tokens.expectEnd();
  return names;
}

/** Comma-separated items, with options in parentheses, separated by semicolons. */
function parseExpand(source: string, option: string, now: Date): Expansion[] {
  if (source.length > limits.optionMax)
    throw new ODataSyntaxError('too_long', `must have at most ${limits.optionMax} characters`, option);
  const items = splitAt(source, ',', option);
  if (items.length > limits.expansionsMax)
    throw new ODataSyntaxError('too_many', `has more than ${limits.expansionsMax} items`, option);
  return items.map((item) => parseExpansion(item, option, now));
}

interface Part {
  text: string;
  at: number;
}

function parseExpansion({ text, at }: Part, option: string, now: Date): Expansion {
  const [, name, nested] = /^[ \t]*([A-Za-z_][A-Za-z0-9_]*)[ \t]*(?:\(([\s\S]*)\)[ \t]*)?$/.exec(text) ?? [];
  if (name === undefined)
    throw new ODataSyntaxError('invalid_format', 'has an item that is no navigation property', option, at);
  if (nested === undefined) return { name, at, texts: {} };
  const parameters: Record<string, string[]> = Object.create(null);
  for (const part of splitAt(nested, ';', option)) {
    const [, given = '', value = ''] = /^[ \t]*([$\w]*)[ \t]*(?:=([\s\S]*))?$/.exec(part.text) ?? [];
    const nestedName = nameOf(given);
    if (!nestedOptions.includes(nestedName))
      throw new ODataSyntaxError(
        'not_supported',
        `has an option of ${name} that is not supported`,
        option,
        at,
      );
    parameters[nestedName] = [...(parameters[nestedName] ?? []), value];
  }
  if (parameters.$expand !== undefined)
    throw new ODataSyntaxError('too_deep', 'must not have an $expand in another', option, at);
  const options = parseQueryOptions(parameters, { now });
  const texts = Object.fromEntries(Object.entries(parameters).map(([key, [value = '']]) => [key, value]));
  return { name, at, texts, ...options };
}

/** Ignores separators in parentheses and quotes. */
function splitAt(source: string, separator: ',' | ';', option: string): Part[] {
  const parts: Part[] = [];
  let depth = 0;
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at <= source.length; at += 1) {
    const character = source[at];
    if (character === "'") isQuoted = !isQuoted;
    else if (isQuoted && character !== undefined) continue;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth < 0) throw new ODataSyntaxError('invalid_format', 'has a ")" too many', option, at);
    const isEnd = character === undefined;
    if (!isEnd && (character !== separator || depth > 0)) continue;
    parts.push({ text: source.slice(start, at), at: start });
    start = at + 1;
  }
  if (depth > 0 || isQuoted)
    throw new ODataSyntaxError('invalid_format', 'has no end', option, source.length);
  return parts;
}

function numberOf(text: string, option: string): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= NUMBER_MAX) return value;
  const detail = `must be a whole number from 0 to ${NUMBER_MAX}`;
  throw new ODataSyntaxError('invalid_format', detail, option);
}

function booleanOf(text: string, option: string): boolean {
  const value = text.toLowerCase();
  if (value === 'true' || value === 'false') return value === 'true';
  throw new ODataSyntaxError('invalid_format', 'must be true or false', option);
}

import type { z } from 'zod';

/** The names of each object in a text in their order, by where the object stands. */
export type NameOrders = ReadonlyMap<string, readonly string[]>;

const STRING = String.raw`"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\x00-\x1f]*)*"`;
/** As many digits as a number holds exactly. */
const INTEGER = String.raw`-?(?:0|[1-9]\d{0,14})`;
const NOTHING = '(?!)';

/** What stands between: PostgreSQL puts a blank after the commas and colons of jsonb, and none in what it makes of a row. */
interface Style {
  comma: string;
  colon: string;
}
const ofRow: Style = { comma: ',', colon: ':' };
const ofJsonb: Style = { comma: ', ', colon: ': ' };

/** The names in their order, and where it is that a pattern is made of. */
interface Place {
  orders: NameOrders;
  at: string;
  style: Style;
}

/**
 * The regular expression of all JSON texts that hold to a schema and have their names in these orders: what it matches is
 * valid, and what it does not match may be. A text of an object whose order is not known is matched by none.
 * Throws for a schema of which that cannot be said, such as one with checks.
 */
export function patternOf(schema: z.core.$ZodObject, orders: NameOrders): string {
  return valuePattern(schema, { orders, at: '', style: ofRow });
}

function valuePattern(schema: z.core.$ZodType, place: Place): string {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  if ((def.checks?.length ?? 0) > 0) throw cannotSay(def.type, place.at);
  switch (def.type) {
    case 'string':
      return STRING;
    case 'number':
      if ('format' in def && def.format === 'safeint') return INTEGER;
      throw cannotSay(def.type, place.at);
    case 'enum':
      return anyOf(Object.values(def.entries).map((value) => literal(String(value))));
    case 'nullable':
      return anyOf(['null', valuePattern(def.innerType, place)]);
    case 'array':
    case 'record':
    case 'object':
      return compoundPattern(def, place);
    default:
      throw cannotSay(def.type, place.at);
  }
}

type Compound = z.core.$ZodArrayDef | z.core.$ZodRecordDef | z.core.$ZodObjectDef;

/** A part of a row may be jsonb, and then all of it is. */
function compoundPattern(def: Compound, place: Place): string {
  if (place.at === '' || place.style === ofJsonb) return patternIn(def, place);
  return anyOf([patternIn(def, place), patternIn(def, { ...place, style: ofJsonb })]);
}

function patternIn(def: Compound, { orders, at, style }: Place): string {
  if (def.type === 'object') return objectPattern(def, { orders, at, style });
  if (def.type === 'array') {
    return String.raw`\[${several(valuePattern(def.element, { orders, at: `${at}[]`, style }), style)}\]`;
  }
  const value = valuePattern(def.valueType, { orders, at: `${at}{}`, style });
  return String.raw`\{${several(STRING + style.colon + value, style)}\}`;
}

function cannotSay(type: string, at: string): Error {
  return new Error(`No pattern can be made of the ${type} at "${at}": teach patternOf what it looks like.`);
}

function anyOf(patterns: string[]): string {
  return `(?:${patterns.join('|')})`;
}

function several(pattern: string, { comma }: Style): string {
  return `(?:${pattern}(?:${comma}${pattern})*)?`;
}

/** A text in quotes, as JSON and as a regular expression. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** All names there must be, in their order; one that may be absent may be so. The first has to be there, for the commas. */
function objectPattern({ shape, catchall }: z.core.$ZodObjectDef, { orders, at, style }: Place): string {
  if (catchall?._zod.def.type !== 'never') throw cannotSay('open object', at);
  const order = orders.get(at);
  const isOptional = (name: string) => shape[name]?._zod.def.type === 'optional';
  const isKnown = order?.every((name) => name in shape) === true;
  const isWhole = Object.keys(shape).every((name) => isOptional(name) || order?.includes(name));
  // What is not matched yet is looked through all the same, so that a schema of which nothing can be said is found.
  const patterns = new Map(Object.entries(shape).map(([name, value]) => [name, member(name, value)]));
  function member(name: string, value: z.core.$ZodType): string {
    const { def } = value._zod as z.core.$ZodTypes['_zod'];
    const inner = def.type === 'optional' ? def.innerType : value;
    return (
      literal(name) +
      style.colon +
      named(name, valuePattern(inner, { orders, at: `${at}.${name}`, style }), at)
    );
  }
  const [first] = order ?? [];
  if (order === undefined || first === undefined || !isKnown || !isWhole || isOptional(first)) return NOTHING;
  const rest = order.slice(1).map((name) => {
    const next = style.comma + patterns.get(name);
    return isOptional(name) ? `(?:${next})?` : next;
  });
  return String.raw`\{${patterns.get(first)}${rest.join('')}\}`;
}

/** The doors read the version of a record, for its tag. */
function named(name: string, pattern: string, at: string): string {
  return at === '' && name === 'version' ? `(?<version>${pattern})` : pattern;
}

/** The names of all objects in a value, in their order, by where they stand. */
export function ordersIn(value: unknown, at = ''): [string, string[]][] {
  if (Array.isArray(value)) return value.flatMap((item) => ordersIn(item, `${at}[]`));
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, member]) => ordersIn(member, `${at}.${name}`));
  return [[at, Object.keys(value)], ...inner];
}

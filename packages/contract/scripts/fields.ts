import type { Field, Kind, Value } from '../src/field.ts';
import { isLimit, type Resolved, resolve, type Schema } from './json-schema.ts';

/** What the schema of a value is read with. */
interface Reading {
  definitions: Record<string, Schema>;
  /** Patterns that tell nothing new. */
  ignoredPatterns: readonly string[];
  /** Gets the pattern of every kind that has one. */
  patterns: Map<Kind, string>;
}

/** A text with more characters has more than a line. */
const LINE_LENGTH_MAX = 1_000;

const kindsOfFormats: Readonly<Record<string, Kind>> = {
  uuid: 'reference',
  date: 'date',
  'date-time': 'time',
  'idn-email': 'email',
  phone: 'phone',
  country: 'country',
  iri: 'url',
};

/** The one kind of a value. Throws if its schema has none. */
function kindOf(schema: Resolved, reading: Reading): Kind {
  const { type, format = '', enum: choices, const: constant } = schema;
  if (choices !== undefined || typeof constant === 'string') return 'choice';
  if (kindsOfFormats[format] !== undefined) return kindsOfFormats[format];
  if (type === 'boolean') return 'switch';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') {
    return resolve(schema.items ?? {}, reading.definitions).type === 'object' ? 'records' : 'list';
  }
  if (schema.oneOf !== undefined) return 'object';
  if (type === 'object') return schema.properties === undefined ? 'map' : 'object';
  if (type === 'string') return (schema.maxLength ?? 0) > LINE_LENGTH_MAX ? 'long-text' : 'text';
  // The parameter of a saved list is a text or several of them.
  if (Array.isArray(type) && type.includes('array')) return 'list';
  throw new Error(`The schema has no kind: ${JSON.stringify(schema)}`);
}

/** The members of an object that have a value. */
function present<T extends object>(object: T): { [Key in keyof T]?: Exclude<T[Key], undefined | false> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined && value !== false);
  return Object.fromEntries(entries) as { [Key in keyof T]?: Exclude<T[Key], undefined | false> };
}

/** The pattern of a text; undefined if its kind has it. Throws if two values of a kind have different ones. */
function patternOf(kind: Kind, { pattern }: Schema, { ignoredPatterns, patterns }: Reading) {
  if (pattern === undefined || ignoredPatterns.includes(pattern)) return undefined;
  if (kind === 'text' || kind === 'long-text') return pattern;
  if ((patterns.get(kind) ?? pattern) !== pattern) throw new Error(`Two patterns of the kind ${kind}`);
  patterns.set(kind, pattern);
  return undefined;
}

/** The kind and the limits of a value. */
function readValue(given: Schema, reading: Reading): Value {
  const { anyOf, ...own } = resolve(given, reading.definitions);
  const [absolute, ...relative] = anyOf ?? [];
  const schema = { ...absolute, ...own };
  const { const: constant, items, additionalProperties } = schema;
  const kind = kindOf(schema, reading);
  const record = kind === 'records' ? resolve(items ?? {}, reading.definitions) : schema;
  const values = typeof additionalProperties === 'object' ? additionalProperties : {};
  const item = kind === 'list' ? items : kind === 'map' ? values : undefined;
  const choices = typeof constant === 'string' ? [constant] : (schema.enum as string[] | undefined);
  return {
    kind,
    ...present({
      isNullable: schema.isNullable,
      isRelative: relative.length > 0 || undefined,
      acceptsOne: schema.isRepeated === true || Array.isArray(schema.type) || undefined,
      choices,
      constant: typeof constant === 'boolean' || typeof constant === 'number' ? constant : undefined,
      default: schema.default,
      minLength: schema.minLength,
      maxLength: schema.maxLength,
      minimum: isLimit(schema.minimum) ? schema.minimum : undefined,
      maximum: isLimit(schema.maximum) ? schema.maximum : undefined,
      isFraction: schema.type === 'number' || undefined,
      minItems: schema.minItems,
      maxItems: schema.maxItems ?? schema.maxProperties,
      pattern: patternOf(kind, schema, reading),
      item: item && readValue(item, reading),
      parts: kind === 'map' || record.properties === undefined ? undefined : readFields(record, reading),
      variants: schema.oneOf?.map((variant) => readFields(variant, reading)),
    }),
  };
}

/** The fields of an object, in the order of its schema. */
export function readFields(given: Schema, reading: Reading): Field[] {
  const { properties = {}, required = [] } = resolve(given, reading.definitions);
  return Object.entries(properties).map(([name, schema]) => {
    const { description = '', items, ...own } = resolve(schema, reading.definitions);
    const example = own.example ?? resolve(items ?? {}, reading.definitions).example;
    return {
      name,
      ...readValue(schema, reading),
      description,
      ...(example !== undefined && { example }),
      ...(required.includes(name) && { isRequired: true as const }),
    };
  });
}

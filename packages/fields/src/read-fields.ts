import type { Field, Kind, Value } from './field.ts';
import { patterns } from './patterns.ts';

export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: (string | number)[];
  const?: string | number | boolean | null;
  format?: string;
  pattern?: string;
  description?: string;
  example?: unknown;
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  /** A single item stands for a list. */
  isRepeated?: boolean;
}

export const nameOf = ($ref: string): string => $ref.replace('#/$defs/', '');

/** Zod limits every integer to the safe ones. */
export const isLimit = (limit: number | undefined) =>
  limit !== undefined && Math.abs(limit) !== Number.MAX_SAFE_INTEGER;

/** Without references; null becomes `isNullable`. */
export type Resolved = Schema & { isNullable?: true };

export function resolve(schema: Schema, definitions: Record<string, Schema>): Resolved {
  const { $ref, anyOf, type, ...own } = schema;
  if ($ref !== undefined) {
    const target = definitions[nameOf($ref)];
    if (target === undefined) throw new Error(`${$ref} is not defined`);
    return { ...resolve(target, definitions), ...own };
  }
  if (Array.isArray(type) && type.includes('null')) {
    const [only, ...others] = type.filter((name) => name !== 'null');
    if (only === undefined) return schema;
    return { ...own, type: others.length === 0 ? only : [only, ...others], isNullable: true };
  }
  const present = (anyOf ?? []).filter((choice) => choice.type !== 'null');
  const [only] = present;
  if (anyOf?.length !== 2 || present.length !== 1 || only === undefined) return schema;
  return { ...resolve(only, definitions), ...own, isNullable: true };
}

interface Reading {
  definitions: Record<string, Schema>;
  ignoredPatterns: readonly string[];
}

/** Longer texts have several lines. */
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

/** Throws if the schema has none. */
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
  // The parameter of a saved list is one or several texts.
  if (Array.isArray(type) && type.includes('array')) return 'list';
  throw new Error(`The schema has no kind: ${JSON.stringify(schema)}`);
}

function present<T extends object>(object: T): { [Key in keyof T]?: Exclude<T[Key], undefined | false> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined && value !== false);
  return Object.fromEntries(entries) as { [Key in keyof T]?: Exclude<T[Key], undefined | false> };
}

const patternsOfKinds: Partial<Record<Kind, string>> = patterns;

/** Undefined if the kind implies it. Throws for a different pattern. */
function patternOf(kind: Kind, { pattern }: Schema, { ignoredPatterns }: Reading): string | undefined {
  if (pattern === undefined || ignoredPatterns.includes(pattern)) return undefined;
  if (kind === 'text' || kind === 'long-text') return pattern;
  if (patternsOfKinds[kind] !== pattern)
    throw new Error(`The kind ${kind} has another pattern than ${pattern}`);
  return undefined;
}

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

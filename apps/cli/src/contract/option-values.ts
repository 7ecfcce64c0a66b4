import { usageError } from '../errors.ts';
import { camelCase, type Field } from './fields.ts';
import { rejectLostParts } from './lossless-text.ts';

type Pair = [key: string, value: string];

function pairOf(text: string, { flag, placeholder }: Field): Pair {
  const at = text.indexOf('=');
  if (at < 1) throw usageError(`--${flag} takes ${placeholder}, not "${text}"`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function parseJson(text: string, flag: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usageError(`--${flag} takes JSON, not "${text}"`);
  }
  rejectLostParts(text, value, `--${flag}`);
  return value;
}

const isNumber = (text: string) => /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text);

/** The value of a part of a record: an empty one is null, that of a switch true or false. */
function partOf(name: string, value: string, { parts }: Field): string | number | boolean | null {
  const kind = parts?.find((part) => part.name === name)?.kind;
  if (kind === 'number' && isNumber(value)) return Number(value);
  if (kind === 'switch' && (value === 'true' || value === 'false')) return value === 'true';
  return value === '' ? null : value;
}

/** Parses an item of `records`: JSON, or `number=A1,expires-on=2027-12-31`, in which an empty value is null. */
function recordOf(text: string, field: Field): unknown {
  if (text.startsWith('{')) return parseJson(text, field.flag);
  const pairs = text.split(',').map((part) => pairOf(part, field));
  return objectOfMembers(
    pairs.map(([key, value]) => [camelCase(key), partOf(camelCase(key), value, field)]),
    `--${field.flag}`,
  );
}

function mapOf(texts: string[], field: Field): Record<string, string | null> {
  const pairs = texts.map((text) => pairOf(text, field));
  return objectOfMembers(
    pairs.map(([key, value]) => [key, value === '' && field.areValuesNullable ? null : value]),
    `--${field.flag}`,
  );
}

/** Parses the values of a repeated option; a single empty one clears the field. */
function repeatedValueOf(field: Field, texts: string[]): unknown {
  if (field.isNullable && texts.length === 1 && texts[0] === '') return null;
  if (field.kind === 'map') return mapOf(texts, field);
  return field.kind === 'records' ? texts.map((text) => recordOf(text, field)) : texts;
}

function singleValueOf({ kind, flag, isNullable }: Field, text: string): unknown {
  if (text === '' && isNullable) return null;
  if (kind === 'object') return parseJson(text, flag);
  if (kind === 'number' && isNumber(text)) return Number(text);
  return text;
}

/**
 * Parses the text of an option. An empty text clears a nullable field. Text that doesn't fit the kind stays as it is, because
 * the service validates values. Throws a usage error if it can't be parsed.
 */
export function parseOptionValue(field: Field, given: string | string[] | boolean): unknown {
  if (Array.isArray(given)) return repeatedValueOf(field, given);
  return typeof given === 'string' ? singleValueOf(field, given) : given;
}

export function objectOfMembers<Value>(
  members: readonly (readonly [name: string, value: Value])[],
  source: string,
): Record<string, Value> {
  const names = new Set<string>();
  for (const [name] of members) {
    if (names.has(name)) throw usageError(`${source}: ${name} is given twice`);
    names.add(name);
  }
  return Object.fromEntries(members);
}

import type { BareField, BareValue, Kind } from './field.ts';
import { isObject, type Members } from './objects.ts';
import { patterns } from './patterns.ts';
import { choiceOf, exactText, trimmedText } from './text.ts';

type Code =
  | 'required'
  | 'unknown_field'
  | 'not_allowed'
  | 'invalid_type'
  | 'invalid_choice'
  | 'invalid_format'
  | 'too_long'
  | 'too_many'
  | 'too_few'
  | 'out_of_range';

export interface Violation {
  /** Such as `licenses`, `0`, `number`. */
  path: readonly string[];
  code: Code;
  /** The service's message, which follows the name of the value. */
  detail: string;
  /** The exceeded maximum of characters or items. */
  max?: number;
}

const matches = (pattern: string) => {
  const expression = new RegExp(pattern, 'u');
  return (text: string) => expression.test(text);
};

/** A signed ISO 8601 duration; the service checks the allowed units. */
const isDuration = matches('^-?P[\\dYMWDTHS]+$');

/** As in the service (`fields/contact.ts`). */
const surroundings = /[:;,()<>‹›«»〈〉《》＜＞]/u;
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]/u;
const isBare = (address: string) =>
  !invisible.test(address) && !surroundings.test(address.replace(/^"[^"]*"(?=@)|\[[\w.:]+\]$/g, ''));

/** By kind: a test and the name of the form. */
const forms: Partial<Record<Kind, { test: (text: string) => boolean; name: string; relative?: string }>> = {
  reference: { test: matches(patterns.reference), name: 'a UUID' },
  email: {
    test: matches('^[^\\s@]{1,64}@[^\\s@.]+(\\.[^\\s@.]+)*$'),
    name: 'an email address such as ana@example.com',
  },
  url: {
    test: (text) => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text),
    name: 'an http or https URL',
  },
  date: {
    test: matches(patterns.date),
    name: 'a date such as 2026-01-31',
    relative: 'a day such as 2026-01-31, or a duration from today such as P60D or -P30D',
  },
  time: {
    test: matches(patterns.time),
    name: 'an RFC 3339 time such as 2026-01-31T08:00:00Z',
    relative: 'an RFC 3339 time such as 2026-01-31T08:00:00Z, or a duration from now such as P60D or -PT12H',
  },
};

const violation = (code: Code, detail: string, max?: number): Violation[] => [
  { path: [], code, detail, ...(max !== undefined && { max }) },
];

const within = (name: string | number, violations: readonly Violation[]): Violation[] =>
  violations.map((one) => ({ ...one, path: [String(name), ...one.path] }));

const withArticle = (type: string) => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;

function wrongType(expected: string, value: unknown): Violation[] {
  const must = `must be ${withArticle(expected)}`;
  if (expected === 'whole number') return violation('invalid_type', must);
  return violation('invalid_type', `${must}, not ${value === null ? 'null' : withArticle(typeOf(value))}`);
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'whole number' : typeof value;
}

function checkText(
  { kind, choices, minLength = 0, maxLength, pattern, isRelative }: BareValue,
  text: string,
) {
  const sent = kind === 'email' ? exactText(text) : trimmedText(text);
  // The service reads an empty text as none.
  if (sent === '') return minLength > 0 ? violation('required', 'must not be empty') : [];
  if (choices !== undefined)
    return choiceOf(sent, choices) !== undefined
      ? []
      : violation('invalid_choice', `must be one of ${choices.join(', ')}`);
  const { length } = Array.from(sent);
  if (maxLength !== undefined && length > maxLength)
    return violation('too_long', `must be at most ${maxLength} characters long, and is ${length}`, maxLength);
  const form = forms[kind];
  if (isRelative && isDuration(sent)) return [];
  if (form !== undefined && !form.test(sent))
    return violation('invalid_format', `must be ${(isRelative && form.relative) || form.name}`);
  if (kind === 'email' && !isBare(sent))
    return violation(
      'invalid_format',
      `must be ${form?.name}, without invisible characters, angle quotes or : ; , ( )`,
    );
  const isWrong = pattern !== undefined && !matches(pattern)(sent);
  return isWrong ? violation('invalid_format', 'has an invalid format') : [];
}

function checkNumber({ constant, minimum, maximum, isFraction }: BareValue, value: unknown): Violation[] {
  if (typeof value !== 'number' || (!isFraction && !Number.isInteger(value)))
    return wrongType('whole number', value);
  if (constant !== undefined && value !== constant) return violation('not_allowed', 'is not allowed');
  if (minimum !== undefined && value < minimum)
    return violation('out_of_range', `must be at least ${minimum}`);
  if (maximum !== undefined && value > maximum)
    return violation('out_of_range', `must be at most ${maximum}`);
  return [];
}

function checkList(value: BareValue, given: unknown): Violation[] {
  const { kind, parts = [], item = { kind: 'text' }, minItems = 0, maxItems, acceptsOne } = value;
  if (acceptsOne && typeof given === 'string') return [];
  if (!Array.isArray(given)) return wrongType('array', given);
  const items: readonly unknown[] = given;
  const whole: BareValue = kind === 'records' ? { kind: 'object', parts } : item;
  return [
    ...(items.length < minItems ? violation('too_few', `must hold at least ${minItems} item`) : []),
    ...(maxItems !== undefined && items.length > maxItems
      ? violation('too_many', `must hold at most ${maxItems} items`, maxItems)
      : []),
    ...items.flatMap((one, index) => within(index, checkValue(whole, one))),
  ];
}

function checkMap({ item, maxItems }: BareValue, given: unknown): Violation[] {
  if (!isObject(given)) return wrongType('object', given);
  const members = Object.entries(given);
  return [
    ...(maxItems !== undefined && members.length > maxItems
      ? violation('too_many', `must hold at most ${maxItems} pairs`, maxItems)
      : []),
    ...(item === undefined ? [] : members.flatMap(([name, one]) => within(name, checkValue(item, one)))),
  ];
}

function variantOf(variants: readonly BareField[][], given: Members): BareField[] | undefined {
  return variants.find((fields) =>
    fields.every(
      ({ name, isRequired, choices }) => !isRequired || !choices || choices.includes(String(given[name])),
    ),
  );
}

function checkObject({ parts = [], variants }: BareValue, given: unknown): Violation[] {
  if (!isObject(given)) return wrongType('object', given);
  const fields = variants === undefined ? parts : variantOf(variants, given);
  return fields === undefined ? violation('not_allowed', 'is not allowed') : checkFields(fields, given);
}

function checkSwitch({ constant }: BareValue, given: unknown): Violation[] {
  if (typeof given !== 'boolean') return wrongType('boolean', given);
  return constant === undefined || given === constant ? [] : violation('not_allowed', 'is not allowed');
}

function checkValue(value: BareValue, given: unknown): Violation[] {
  if (given === null && value.isNullable) return [];
  switch (value.kind) {
    case 'switch':
      return checkSwitch(value, given);
    case 'number':
      return checkNumber(value, given);
    case 'list':
    case 'records':
      return checkList(value, given);
    case 'map':
      return checkMap(value, given);
    case 'object':
      return checkObject(value, given);
    default:
      return typeof given === 'string' ? checkText(value, given) : wrongType('string', given);
  }
}

/**
 * Checks a new record as `checkFields` does, and that its name has one of its parts.
 *
 * @returns violations, that of the name first
 */
export function checkNewRecord(
  { fields, nameParts = [] }: { fields: readonly BareField[]; nameParts?: readonly string[] },
  given: Members,
): Violation[] {
  const [first, ...others] = nameParts;
  const isNamed = nameParts.some((name) => trimmedText(String(given[name] ?? '')) !== '');
  return [
    ...(first === undefined || isNamed
      ? []
      : within(first, violation('required', `is required unless ${others.join(' or ')} is set`))),
    ...checkFields(fields, given),
  ];
}

/**
 * Checks an object as the service would before it asks the database: types, forms, limits, choices, required
 * and unknown fields. Only the service checks rules between records, and a few that the contract lacks.
 *
 * @returns violations in the order of the fields
 */
export function checkFields(fields: readonly BareField[], given: Members): Violation[] {
  const known = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(given).filter((name) => !known.has(name));
  return [
    ...fields.flatMap((field) => {
      const value = given[field.name];
      if (value !== undefined) return within(field.name, checkValue(field, value));
      return field.isRequired ? within(field.name, violation('required', 'is required')) : [];
    }),
    ...unknown.flatMap((name) => within(name, violation('unknown_field', 'is not a field of this body'))),
  ];
}

import type { FieldError } from '@roster/client';
import { inputSchema } from '@roster/contract';
import { operations, patterns } from '@roster/contract/operations';
import type { DefinedError, ValidateFunction } from 'ajv';
import type { Input } from '../options/fields.ts';

type Validator = ValidateFunction<unknown>;

const matches = (pattern = '') => {
  const expression = new RegExp(pattern);
  return (text: string) => expression.test(text);
};

/** Whether a text is a duration of ISO 8601, with a sign; the service checks which units it may have. */
const isDuration = matches('^-?P[\\dYMWDTHS]+$');
const isDate = matches(patterns.date);
const isTime = matches(patterns.time);

/** The formats of texts, checked as the service checks them. */
const formats: Record<string, (text: string) => boolean> = {
  'idn-email': (text) => /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)*$/u.test(text),
  uuid: matches(patterns.reference),
  date: isDate,
  'date-time': isTime,
  'date-or-duration': (text) => isDuration(text) || isDate(text),
  'date-time-or-duration': (text) => isDuration(text) || isTime(text),
  iri: (text) => /^https?:\/\//i.test(text) && URL.canParse(text) && !/\s/.test(text),
};

const formatMessages: Record<string, string> = {
  'idn-email': 'must be an e-mail address such as ana@example.com',
  iri: 'must be an http or https URL',
  uuid: 'must be a UUID',
  date: 'must be a date such as 2026-01-31',
  'date-time': 'must be an RFC 3339 time such as 2026-01-31T08:00:00Z',
  'date-or-duration': 'must be a day such as 2026-01-31, or a duration from today such as P60D or -P30D',
  'date-time-or-duration':
    'must be an RFC 3339 time such as 2026-01-31T08:00:00Z, or a duration from now such as P60D or -PT12H',
};

const validators = new Map<string, Validator | undefined>();

/** The compiled schema of the input of a procedure; undefined for a query. */
async function loadValidator(procedure: string): Promise<Validator | undefined> {
  if (validators.has(procedure)) return validators.get(procedure);
  const { Ajv } = await import('ajv');
  const operation = operations[procedure];
  const isChange = operation !== undefined && !operation.isQuery;
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    validateFormats: true,
    logger: false,
  });
  for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate);
  const validator = isChange ? ajv.compile<unknown>(inputSchema(operation)) : undefined;
  validators.set(procedure, validator);
  return validator;
}

/** Trims all texts in a value, as the service does. */
function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(trimmed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, trimmed(part)]));
}

function article(type: string): string {
  if (type === 'integer' || type === 'number') return 'a whole number';
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

function wrongType(expected: string, value: unknown): string {
  if (expected === 'integer') return 'must be a whole number';
  return `must be ${article(expected)}, not ${value === null ? 'null' : article(typeof value)}`;
}

/** The error code and message for a violated rule, worded as the service words them. */
function describeError(error: DefinedError): { code: string; detail: string } {
  const { format } = (error.parentSchema ?? {}) as { format?: string };
  switch (error.keyword) {
    case 'enum':
      return { code: 'invalid_choice', detail: `must be one of ${error.params.allowedValues.join(', ')}` };
    case 'maxLength':
      return { code: 'too_long', detail: `must be at most ${error.params.limit} characters long` };
    case 'minLength':
      return { code: 'required', detail: 'must not be empty' };
    case 'maxItems':
      return { code: 'too_many', detail: `must hold at most ${error.params.limit} items` };
    case 'minItems':
      return { code: 'too_few', detail: `must hold at least ${error.params.limit} item` };
    case 'minimum':
      return { code: 'out_of_range', detail: `must be at least ${error.params.limit}` };
    case 'maximum':
      return { code: 'out_of_range', detail: `must be at most ${error.params.limit}` };
    case 'type':
      return { code: 'invalid_type', detail: wrongType([error.params.type].flat()[0] ?? '', error.data) };
    case 'format':
    case 'pattern':
      return {
        code: 'invalid_format',
        detail: formatMessages[format ?? ''] ?? 'has an invalid format',
      };
    default:
      return { code: 'not_allowed', detail: 'is not allowed' };
  }
}

const escaped = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

function toFieldError(error: DefinedError): FieldError {
  const parent = `#${error.instancePath}`;
  if (error.keyword === 'required') {
    const pointer = `${parent}/${escaped(error.params.missingProperty)}`;
    return { pointer, code: 'required', detail: 'is required' };
  }
  if (error.keyword === 'additionalProperties') {
    const pointer = `${parent}/${escaped(error.params.additionalProperty)}`;
    return { pointer, code: 'unknown_field', detail: 'is not a field of this body' };
  }
  return { pointer: parent, ...describeError(error) };
}

/** Whether an error is worth reporting: not "or null", and not an empty text, which the service reads as null. */
function isRelevant({ keyword, params, data }: DefinedError): boolean {
  if (keyword === 'anyOf' || (keyword === 'type' && params.type === 'null')) return false;
  return data !== '' || keyword === 'minLength';
}

/**
 * Validates the input of a change against its JSON Schema, without calling the service. Rules that depend on other records,
 * and a few that no schema can express, are checked only by the service. Returns an empty list for a valid input.
 */
export async function validateInput(procedure: string, input: Input): Promise<FieldError[]> {
  const validate = await loadValidator(procedure);
  if (validate === undefined || validate(trimmed(input))) return [];
  const errors = ((validate.errors ?? []) as DefinedError[]).filter(isRelevant).map(toFieldError);
  // A value may violate both the pattern and the format of one rule.
  const seen = new Set<string>();
  return errors.filter(({ pointer, detail }) => {
    const key = `${pointer} ${detail}`;
    return !seen.has(key) && seen.add(key);
  });
}

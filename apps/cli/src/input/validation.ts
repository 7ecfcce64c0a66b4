import type { FieldError } from '@roster/client';
import type { DefinedError, ValidateFunction } from 'ajv';
import type { Input } from './fields.ts';

type Check = ValidateFunction<unknown>;

/** Formats that the schemas do not give a pattern for, as the service reads them. */
const formats: Record<string, (text: string) => boolean> = {
  'idn-email': (text) => /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)*$/u.test(text),
  iri: (text) => /^https?:\/\//i.test(text) && URL.canParse(text) && !/\s/.test(text),
};

const wordsOfFormats: Record<string, string> = {
  'idn-email': 'must be an e-mail address such as ana@example.com',
  iri: 'must be an http or https URL',
  uuid: 'must be a UUID',
  date: 'must be a date such as 2026-01-31',
  'date-time': 'must be an RFC 3339 time such as 2026-01-31T08:00:00Z',
};

const checks = new Map<string, Check | undefined>();

/** The check of a procedure's input; undefined for one that changes nothing. */
async function checkOf(procedure: string): Promise<Check | undefined> {
  if (checks.has(procedure)) return checks.get(procedure);
  const [{ Ajv }, { default: schemas }] = await Promise.all([
    import('ajv'),
    import('../contract/schemas.json', { with: { type: 'json' } }),
  ]);
  const schema = (schemas as Record<string, object>)[procedure];
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    validateFormats: true,
    logger: false,
  });
  for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate);
  const check = schema && ajv.compile(schema);
  checks.set(procedure, check);
  return check;
}

/** Texts without the space around them, which the service takes off too. */
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

/** What a broken rule means to a person: in the words of the service. */
function meaningOf(error: DefinedError): { code: string; detail: string } {
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
        detail: wordsOfFormats[format ?? ''] ?? 'has not the form it needs',
      };
    default:
      return { code: 'not_allowed', detail: 'is not allowed' };
  }
}

const escaped = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

function faultOf(error: DefinedError): FieldError {
  const place = `#${error.instancePath}`;
  if (error.keyword === 'required') {
    const pointer = `${place}/${escaped(error.params.missingProperty)}`;
    return { pointer, code: 'required', detail: 'is required' };
  }
  if (error.keyword === 'additionalProperties') {
    const pointer = `${place}/${escaped(error.params.additionalProperty)}`;
    return { pointer, code: 'unknown_field', detail: 'is not a field of this body' };
  }
  return { pointer: place, ...meaningOf(error) };
}

/** Whether an error says something: "or null" is no news, nor is an empty text that the service takes for null. */
function isTelling({ keyword, params, data }: DefinedError): boolean {
  if (keyword === 'anyOf' || (keyword === 'type' && params.type === 'null')) return false;
  return data !== '' || keyword === 'minLength';
}

/**
 * All that is wrong with the input of a change, as far as its schema tells without the service: what depends on other
 * records, and a few rules no schema can say, are for the service alone. Empty for what may be sent.
 */
export async function faultsOf(procedure: string, input: Input): Promise<FieldError[]> {
  const check = await checkOf(procedure);
  if (check === undefined || check(trimmed(input))) return [];
  const telling = ((check.errors ?? []) as DefinedError[]).filter(isTelling).map(faultOf);
  // One place may break the pattern and the format of one rule.
  const seen = new Set<string>();
  return telling.filter(({ pointer, detail }) => {
    const key = `${pointer} ${detail}`;
    return !seen.has(key) && seen.add(key);
  });
}

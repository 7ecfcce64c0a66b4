import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { readOnlyFields } from '../resources/fields/field.ts';
import { refusalOfConstraint } from './constraint-errors.ts';
import type { ErrorCode } from './error-codes.ts';
import { ERRORS_PER_RECORD_MAX, formatNumber, listNames, UNKNOWN_NAMES_MAX } from './issue-text.ts';
import { type FieldError, RosterError } from './roster-error.ts';

/** Where the parts of an input travel in REST; RPC refuses with the same words. */
export interface InputPlaces {
  /** Names of path and query parameters; everything else is in the body. */
  isParameter: (name: string) => boolean;
}

/** What the caller sent, for telling what is missing from what is of the wrong type. */
interface Sent extends InputPlaces {
  input: unknown;
  /** Where in the body the input stands, if it is not the body itself. */
  within?: PropertyKey[];
}

/**
 * What was thrown inside a procedure, as the refusal the caller sees.
 * - a refusal of ours passes as it is;
 * - an input that breaks its schema names every field: 400 where a parameter is wrong, else 422;
 * - what a constraint of the database refused gets its reason (`constraints.ts`);
 * - a database that is away, slow or overloaded is 503;
 * - everything else is `internal`, whose cause is for the log alone.
 */
export function toRosterError(thrown: unknown, sent: Partial<Sent> = {}): RosterError {
  if (thrown instanceof RosterError) return thrown;
  if (thrown instanceof TRPCError) {
    if (thrown.code === 'BAD_REQUEST' && thrown.cause instanceof z.ZodError) {
      return refusalOfInput(thrown.cause, { ...nothingSent, ...sent });
    }
    // tRPC has no code of its own for an input that JSON.parse refused.
    if (thrown.code === 'BAD_REQUEST' && thrown.cause instanceof SyntaxError) {
      return new RosterError('invalid_json', `${thrown.message}.`, { cause: thrown });
    }
    const reason = reasonsOfTrpc[thrown.code];
    if (reason !== undefined) return new RosterError(reason, thrown.message, { cause: thrown });
    return refusalOfDatabase(thrown.cause) ?? new RosterError('internal', undefined, { cause: thrown });
  }
  return refusalOfDatabase(thrown) ?? new RosterError('internal', undefined, { cause: thrown });
}

const nothingSent: Sent = { isParameter: () => false, input: undefined };

/** What tRPC itself refuses before a procedure runs. */
const reasonsOfTrpc: Partial<Record<TRPCError['code'], ErrorCode>> = {
  PARSE_ERROR: 'invalid_json',
  BAD_REQUEST: 'bad_request',
  NOT_FOUND: 'no_such_route',
  METHOD_NOT_SUPPORTED: 'method_not_allowed',
  PAYLOAD_TOO_LARGE: 'payload_too_large',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
};

/** PostgreSQL's SQLSTATE classes and codes after which trying again makes sense; of the first the statement or its wait for a lock was given up. */
const TOO_LONG = new Set(['57014', '55P03']);
const TOO_MANY_CONNECTIONS = '53300';
const AWAY = /^(08|53|57P|40001|40P01|25006)/;
const socketErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

function refusalOfDatabase(error: unknown): RosterError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === undefined) {
    // node-postgres gives these two no code; nothing else of its errors is told by text.
    const isConnectionLost = /^(Connection terminated|timeout exceeded when trying to connect)/.test(
      error.message,
    );
    return isConnectionLost ? new RosterError('unavailable', undefined, { cause: error }) : undefined;
  }
  if (TOO_LONG.has(code)) return new RosterError('timeout', undefined, { cause: error });
  if (code === TOO_MANY_CONNECTIONS) return new RosterError('overloaded', undefined, { cause: error });
  if (AWAY.test(code) || socketErrors.has(code))
    return new RosterError('unavailable', undefined, { cause: error });
  return refusalOfConstraint({ ...error, code });
}

/** What is wrong with an input, field by field, and how many faults there are beside those that are named. */
export interface NamedFaults {
  errors: FieldError[];
  omitted: number;
}

function refusalOfInput(error: z.ZodError, sent: Sent): RosterError {
  const { errors, omitted } = namedFaults(error.issues, sent);
  const isAboutParameters = errors.some(({ parameter }) => parameter !== undefined);
  const reason = isAboutParameters ? 'invalid_parameter' : 'validation_failed';
  return new RosterError(reason, summaryOf(errors, omitted), {
    errors,
    errorsOmitted: omitted,
    cause: error,
  });
}

/**
 * What is wrong with one part of a body, which stands within it at a path; of that so many faults are named. What is
 * read-only in a record is so in a record of many.
 */
export function fieldErrorsWithin(
  within: PropertyKey[],
  { issues, input }: { issues: readonly z.core.$ZodIssue[]; input: unknown },
  namedMax: number,
): NamedFaults {
  return namedFaults(issues, { ...nothingSent, input, within }, namedMax);
}

function namedFaults(
  issues: readonly z.core.$ZodIssue[],
  sent: Sent,
  namedMax = ERRORS_PER_RECORD_MAX,
): NamedFaults {
  const errors: FieldError[] = [];
  let count = 0;
  for (const issue of issues) {
    if (errors.length < namedMax) errors.push(...fieldErrorsOf(issue, sent));
    count += faultsIn(issue);
  }
  errors.splice(namedMax);
  return { errors, omitted: count - errors.length };
}

/** The first few things that are wrong, in a sentence, and how many more there are. */
export function summaryOf(errors: FieldError[], omitted = 0): string {
  const sentences = errors.slice(0, 3).map(({ pointer, parameter, detail }) => {
    const place = parameter ?? pointer?.slice(2).replaceAll('/', '.');
    return `${place || 'The body'} ${detail}`;
  });
  const more = errors.length - sentences.length + omitted;
  return more > 0 ? `${sentences.join('; ')}; and ${formatNumber(more)} more.` : `${sentences.join('; ')}.`;
}

/** How many faults an issue is: unknown names are one each where they are few, else one together. */
function faultsIn(issue: z.core.$ZodIssue): number {
  const isEach = issue.code === 'unrecognized_keys' && issue.keys.length <= UNKNOWN_NAMES_MAX;
  return isEach ? issue.keys.length : 1;
}

function fieldErrorsOf(issue: z.core.$ZodIssue, sent: Sent): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    if (issue.keys.length > UNKNOWN_NAMES_MAX) return [unknownFields(issue, sent)];
    return issue.keys.map((key) => unknownField([...issue.path, key], sent));
  }
  return [{ ...placeOf(issue.path, sent), ...meaningOf(issue, valueAt(sent.input, issue.path)) }];
}

function placeOf(
  path: PropertyKey[],
  { isParameter, within = [] }: Pick<Sent, 'isParameter' | 'within'>,
): { parameter: string } | { pointer: string } {
  const [first] = path;
  if (typeof first === 'string' && isParameter(first)) return { parameter: nameShown(first) };
  const long = path.findIndex((key) => typeof key === 'string' && key.length > NAME_MAX);
  return { pointer: pointerTo([...within, ...(long === -1 ? path : path.slice(0, long))]) };
}

/** Longer than any field, parameter or pair of metadata is called; what has such a name is placed where it stands. */
const NAME_MAX = 200;

function nameShown(name: string): string {
  return name.length > NAME_MAX ? listNames([name]) : name;
}

/** A place in the body, as a JSON Pointer in a URI fragment. */
export function pointerTo(path: PropertyKey[]): string {
  return `#/${path.map(tokenOf).join('/')}`;
}

/** RFC 6901: `~` and `/` inside a name are escaped; in a URI fragment the rest is percent-encoded. */
function tokenOf(key: PropertyKey): string {
  // JSON can hold half of a surrogate pair, which has no percent-encoding.
  const name = String(key).toWellFormed();
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function unknownField(path: PropertyKey[], places: Sent): FieldError {
  const place = placeOf(path, places);
  const [first] = path;
  if ('parameter' in place)
    return { ...place, code: 'unknown_parameter', detail: 'is not a parameter of this operation' };
  const readOnly = path.length === 1 && typeof first === 'string' ? readOnlyFields.get(first) : undefined;
  if (readOnly !== undefined) return { ...place, code: 'read_only', detail: readOnly };
  return { ...place, code: 'unknown_field', detail: 'is not a field of this body' };
}

/** Many unknown names of one object, in one fault. */
function unknownFields({ keys, path }: z.core.$ZodIssueUnrecognizedKeys, sent: Sent): FieldError {
  const [first = ''] = keys;
  const isParameter = path.length === 0 && sent.isParameter(first);
  const place = isParameter ? { parameter: nameShown(first) } : placeOf(path, sent);
  const what = isParameter ? 'parameters of this operation' : 'fields of this body';
  const detail = `has ${formatNumber(keys.length)} names that are not ${what}: ${listNames(keys)}`;
  return { ...place, code: isParameter ? 'unknown_parameter' : 'unknown_field', detail };
}

/** The value an issue is about, in what was sent. */
function valueAt(input: unknown, path: PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function meaningOf(issue: z.core.$ZodIssue, value: unknown): { code: string; detail: string } {
  switch (issue.code) {
    case 'custom':
      return { code: String(issue.params?.code ?? 'not_allowed'), detail: issue.message };
    case 'invalid_type':
      if (value === undefined) return { code: 'required', detail: 'is required' };
      if (Array.isArray(value))
        return { code: 'invalid_type', detail: `must be ${article(issue.expected)}, given once` };
      return { code: 'invalid_type', detail: wrongType(issue.expected, value) };
    case 'invalid_value':
      return {
        code: 'invalid_choice',
        detail: `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`,
      };
    case 'invalid_format':
      return { code: 'invalid_format', detail: formats[issue.format] ?? 'has not the form it needs' };
    case 'too_big':
      return tooBig(issue);
    case 'too_small':
      return tooSmall(issue);
    case 'invalid_key':
      return issue.issues[0]
        ? meaningOf(issue.issues[0], value)
        : { code: 'invalid_key', detail: 'has a key that is not allowed' };
    default:
      return { code: 'not_allowed', detail: 'is not allowed' };
  }
}

function tooBig({ origin, maximum }: z.core.$ZodIssueTooBig): { code: string; detail: string } {
  if (origin === 'array') return { code: 'too_many', detail: `must hold at most ${maximum} items` };
  if (origin === 'string') return { code: 'too_long', detail: `must be at most ${maximum} characters long` };
  return { code: 'out_of_range', detail: `must be at most ${maximum}` };
}

function tooSmall({ origin, minimum }: z.core.$ZodIssueTooSmall): { code: string; detail: string } {
  if (origin === 'array') return { code: 'too_few', detail: `must hold at least ${minimum} item` };
  if (origin === 'string') return { code: 'too_short', detail: 'must not be empty' };
  return { code: 'out_of_range', detail: `must be at least ${minimum}` };
}

const formats: Record<string, string> = {
  uuid: 'must be a UUID',
  datetime: 'must be an RFC 3339 time such as 2026-01-31T08:00:00Z',
  date: 'must be a date such as 2026-01-31',
};

/** Every number of ours is a whole one; in a URL it is text, and `1.5` is a number too: neither is worth saying. */
function wrongType(expected: string, value: unknown): string {
  if (expected === 'int' || expected === 'number') return 'must be a whole number';
  return `must be ${article(expected)}, not ${article(typeOf(value))}`;
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

function article(type: string): string {
  if (type === 'null') return type;
  if (type === 'int' || type === 'number') return 'a whole number';
  if (type === 'record') return 'an object';
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

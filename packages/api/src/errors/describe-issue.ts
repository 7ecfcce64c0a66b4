import type { z } from 'zod';
import {
  ERRORS_PER_RECORD_MAX,
  formatNumber,
  type IssueError,
  listNames,
  readOnlyFields,
  UNKNOWN_NAMES_MAX,
} from './issue-text.ts';

export interface RejectedInput {
  /** As sent. Distinguishes missing values from wrong types. */
  input: unknown;
  isParameter: (name: string) => boolean;
  /** The parameter with the whole input, as in RPC queries; undefined if it is the body. */
  whole?: string | undefined;
  within?: PropertyKey[];
}

export interface ListedErrors {
  errors: IssueError[];
  omitted: number;
}

type Issue = z.core.$ZodIssue;
type Description = Pick<IssueError, 'code' | 'detail'>;

export function describeIssues(
  issues: readonly Issue[],
  input: RejectedInput,
  max = ERRORS_PER_RECORD_MAX,
): ListedErrors {
  const errors: IssueError[] = [];
  let count = 0;
  for (const issue of issues) {
    if (errors.length < max) errors.push(...toFieldErrors(issue, input));
    count += errorCount(issue);
  }
  errors.splice(max);
  return { errors, omitted: count - errors.length };
}

export function summarize(errors: IssueError[], omitted = 0): string {
  const sentences = errors.slice(0, 3).map(({ pointer, parameter, detail }) => {
    const name = parameter ?? pointer?.slice(2).replaceAll('/', '.');
    return `${name || 'The body'} ${detail}`;
  });
  const more = errors.length - sentences.length + omitted;
  return more > 0 ? `${sentences.join('; ')}; and ${formatNumber(more)} more.` : `${sentences.join('; ')}.`;
}

type UnknownNames = z.core.$ZodIssueUnrecognizedKeys;

function readOnlyDetail(name: string, { path }: UnknownNames): string | undefined {
  return path.length === 0 || path.at(-1) === 'patch' ? readOnlyFields.get(name) : undefined;
}

function sortNames(issue: UnknownNames) {
  const isReadOnly = (name: string) => readOnlyDetail(name, issue) !== undefined;
  const unknown = issue.keys.filter((name) => !isReadOnly(name));
  return { readOnly: issue.keys.filter(isReadOnly), unknown, areMany: unknown.length > UNKNOWN_NAMES_MAX };
}

function errorCount(issue: Issue): number {
  if (issue.code !== 'unrecognized_keys') return 1;
  const { readOnly, unknown, areMany } = sortNames(issue);
  return readOnly.length + (areMany ? 1 : unknown.length);
}

function toFieldErrors(issue: Issue, rejected: RejectedInput): IssueError[] {
  if (issue.code === 'unrecognized_keys') {
    const { readOnly, unknown, areMany } = sortNames(issue);
    const named = areMany ? readOnly : issue.keys;
    return [
      ...named.map((name) => unknownField(name, issue, rejected)),
      ...(areMany ? [manyUnknownFields({ ...issue, keys: unknown }, rejected)] : []),
    ];
  }
  const location = locate(issue.path, rejected);
  const isParameter = 'parameter' in location && issue.path.length > 0;
  const given = { value: valueAt(rejected.input, issue.path), isParameter };
  return [{ ...location, ...describeIssue(issue, given) }];
}

function locate(
  path: PropertyKey[],
  { isParameter, whole, within = [] }: RejectedInput,
): { parameter: string } | { pointer: string } {
  if (path.length === 0 && whole !== undefined) return { parameter: whole };
  const [first] = path;
  if (typeof first === 'string' && isParameter(first)) return { parameter: shortened(first) };
  const long = path.findIndex((key) => typeof key === 'string' && key.length > NAME_MAX);
  return { pointer: pointerTo([...within, ...(long === -1 ? path : path.slice(0, long))]) };
}

/** Longer than any valid name; a pointer ends before a longer one. */
const NAME_MAX = 200;

function shortened(name: string): string {
  return name.length > NAME_MAX ? listNames([name]) : name;
}

/** As a URI fragment (RFC 6901, section 6). */
export function pointerTo(path: PropertyKey[]): string {
  return `#/${path.map(pointerToken).join('/')}`;
}

/** RFC 6901 escapes `~` and `/`; the rest is percent-encoded for the fragment. */
function pointerToken(key: PropertyKey): string {
  // JSON can contain lone surrogates, which have no percent-encoding.
  const name = String(key).toWellFormed();
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function unknownField(name: string, issue: UnknownNames, rejected: RejectedInput): IssueError {
  const location = locate([...issue.path, name], rejected);
  if ('parameter' in location)
    return { ...location, code: 'unknown_parameter', detail: 'is not a parameter of this operation' };
  const readOnly = readOnlyDetail(name, issue);
  if (readOnly !== undefined) return { ...location, code: 'read_only', detail: readOnly };
  return { ...location, code: 'unknown_field', detail: 'is not a field of this body' };
}

function manyUnknownFields({ keys, path }: UnknownNames, rejected: RejectedInput): IssueError {
  const [first = ''] = keys;
  const isParameter = path.length === 0 && rejected.isParameter(first);
  const location = isParameter ? { parameter: shortened(first) } : locate(path, rejected);
  const known = isParameter ? 'parameters of this operation' : 'fields of this body';
  const detail = `has ${formatNumber(keys.length)} names that are not ${known}: ${listNames(keys)}`;
  return { ...location, code: isParameter ? 'unknown_parameter' : 'unknown_field', detail };
}

function valueAt(input: unknown, path: PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

interface Given {
  value: unknown;
  isParameter: boolean;
}

function describeIssue(issue: Issue, given: Given): Description {
  switch (issue.code) {
    case 'custom':
      return { code: String(issue.params?.code ?? 'not_allowed'), detail: issue.message };
    case 'invalid_type':
      return wrongType(issue, given);
    case 'invalid_value':
      return {
        code: 'invalid_choice',
        detail: `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}${once(given)}`,
      };
    case 'invalid_union':
      return unionMember(issue);
    case 'invalid_format':
      return { code: 'invalid_format', detail: formats[issue.format] ?? 'has an invalid format' };
    case 'too_big':
      return tooBig(issue);
    case 'too_small':
      return tooSmall(issue);
    case 'invalid_key':
      return issue.issues[0]
        ? describeIssue(issue.issues[0], given)
        : { code: 'invalid_key', detail: 'has a key that is not allowed' };
    default:
      return { code: 'not_allowed', detail: 'is not allowed' };
  }
}

function unionMember(issue: z.core.$ZodIssueInvalidUnion): Description {
  if (!('options' in issue) || issue.options === undefined)
    return { code: 'not_allowed', detail: 'is not allowed' };
  return { code: 'invalid_choice', detail: `must be one of ${issue.options.map(String).join(', ')}` };
}

function tooBig({ origin, maximum }: z.core.$ZodIssueTooBig): Description {
  if (origin === 'array') return { code: 'too_many', detail: `must hold at most ${maximum} items` };
  if (origin === 'string') return { code: 'too_long', detail: `must be at most ${maximum} characters long` };
  return { code: 'out_of_range', detail: `must be at most ${maximum}` };
}

function tooSmall({ origin, minimum }: z.core.$ZodIssueTooSmall): Description {
  if (origin === 'array') return { code: 'too_few', detail: `must hold at least ${minimum} item` };
  if (origin === 'string') return { code: 'too_short', detail: 'must not be empty' };
  return { code: 'out_of_range', detail: `must be at least ${minimum}` };
}

const formats: Record<string, string> = {
  uuid: 'must be a UUID',
  datetime: 'must be an RFC 3339 time such as 2026-01-31T08:00:00Z',
  date: 'must be a date such as 2026-01-31',
};

function once({ value, isParameter }: Given): string {
  return isParameter && Array.isArray(value) ? ', given once' : '';
}

function wrongType({ expected }: z.core.$ZodIssueInvalidType, given: Given): Description {
  const { value, isParameter } = given;
  if (value === undefined) return { code: 'required', detail: 'is required' };
  const code = 'invalid_type';
  const must = `must be ${isParameter && expected === 'boolean' ? 'true or false' : withArticle(expected)}`;
  // All numbers of the API are integers, and values in URLs are texts, so don't call either the wrong type.
  const isPlain = isParameter && (expected === 'boolean' || Array.isArray(value));
  if (isPlain || expected === 'int' || expected === 'number') return { code, detail: must + once(given) };
  return { code, detail: `${must}, not ${actualType(value)}` };
}

function actualType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  // Numbers too large for JSON are infinite.
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a number';
  return withArticle(typeof value);
}

function withArticle(type: string): string {
  if (type === 'null') return type;
  if (type === 'int' || type === 'number') return 'a whole number';
  if (type === 'record') return 'an object';
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

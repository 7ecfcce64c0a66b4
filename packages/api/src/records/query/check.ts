import { z } from 'zod';
import { isStorable } from '../../engine/fields/field.ts';
import { Time } from '../../engine/fields/schemas.ts';
import { invalidParameter } from '../../errors/roster-error.ts';
import type { Condition, ItemCondition, Literal, RecordQuery } from './condition.ts';
import { queried } from './fields.ts';
import type { QueryFieldType, StoredField } from './queried.ts';

/** Comparisons and functions in a condition. */
const TERMS_MAX = 200;
const DEPTH_MAX = 20;
const VALUES_MAX = 500;
const ORDERS_MAX = 5;
const LIMIT_MAX = 1_000;
const SKIP_MAX = 10_000;

type Parameter = 'where' | 'orderBy' | 'limit' | 'skip';

type Fields = Readonly<Record<string, StoredField>>;

/** Throws `invalid_parameter` for an unknown field. */
export function fieldOf(fields: Fields, path: string, parameter: Parameter): StoredField {
  const field = Object.hasOwn(fields, path) ? fields[path] : undefined;
  if (field === undefined)
    throw invalidParameter(parameter, 'unknown_field', `contains an unknown field: ${path}`);
  return field;
}

const expected: Record<Exclude<QueryFieldType, 'texts'>, { schema: z.ZodType; words: string }> = {
  text: { schema: z.string(), words: 'a text' },
  id: { schema: z.string(), words: 'a text' },
  number: { schema: z.number(), words: 'a number' },
  boolean: { schema: z.boolean(), words: 'true or false' },
  time: { schema: Time, words: 'an RFC 3339 time such as 2026-01-31T08:00:00Z' },
  day: { schema: z.iso.date(), words: 'a day such as 2026-01-31' },
};

export function expectedOf(type: QueryFieldType, value: Literal): string | undefined {
  if (type === 'texts') return 'a condition on its items, with any or all';
  const { schema, words } = expected[type];
  return schema.safeParse(value).success ? undefined : words;
}

type AnyCondition = Condition | ItemCondition;
type Term = Exclude<AnyCondition, { parts: unknown } | { part: unknown }>;

const isText = (type: QueryFieldType) => type === 'text' || type === 'id';

class Checker {
  readonly #fields: Fields;
  #terms = 0;

  constructor(fields: Fields) {
    this.#fields = fields;
  }

  /** @param isOfItem whether the condition is on a text of a list and so has no field */
  check(condition: AnyCondition, depth: number, isOfItem: boolean): void {
    if (depth > DEPTH_MAX)
      throw invalidParameter('where', 'too_deep', `is nested deeper than ${DEPTH_MAX} levels`);
    const checkPart = (part: AnyCondition) => this.check(part, depth + 1, isOfItem);
    if ('parts' in condition) {
      if (condition.parts.length === 0) this.#countTerm();
      condition.parts.forEach(checkPart);
    } else if ('part' in condition) {
      checkPart(condition.part);
    } else {
      this.#countTerm();
      const path = 'field' in condition ? condition.field : undefined;
      const type = isOfItem || path === undefined ? 'text' : fieldOf(this.#fields, path, 'where').type;
      checkTerm(condition, { type, name: path ?? 'an item' });
      if ('item' in condition && condition.item !== undefined) this.check(condition.item, depth + 1, true);
    }
  }

  #countTerm(): void {
    this.#terms += 1;
    if (this.#terms > TERMS_MAX)
      throw invalidParameter('where', 'too_many', `has more than ${TERMS_MAX} terms`);
  }
}

/** Throws `invalid_parameter` for a term that does not fit its field. */
function checkTerm(term: Term, { type, name }: { type: QueryFieldType; name: string }): void {
  const reject = (detail: string) => invalidParameter('where', 'invalid_type', `${detail}: ${name}`);
  switch (term.kind) {
    case 'compare':
      checkValue(type, term.value, name);
      if ('isLowered' in term && term.isLowered && !isText(type))
        throw reject('lowers a value that is not text');
      return;
    case 'in':
      if (term.values.length > VALUES_MAX) {
        throw invalidParameter('where', 'too_many', `has more than ${VALUES_MAX} values for ${name}`);
      }
      for (const value of term.values) checkValue(type, value, name);
      return;
    case 'text':
      if (!isText(type)) throw reject(`uses ${term.function} on a value that is not text`);
      checkValue(type, term.value, name);
      return;
    default:
      if (type !== 'texts') throw reject(`uses ${term.kind} on a value that is not a list of texts`);
      if (term.kind === 'all' && term.item === undefined) throw reject('uses all without a condition');
  }
}

function checkValue(type: QueryFieldType, value: Literal | null, name: string): void {
  if (type === 'texts' || value !== null) {
    const words = expectedOf(type, value ?? '');
    if (words !== undefined)
      throw invalidParameter('where', 'invalid_type', `must compare ${name} with ${words}`);
  }
  if (typeof value !== 'string' || isStorable(value)) return;
  throw invalidParameter(
    'where',
    'invalid_character',
    `must compare ${name} with well-formed Unicode without NUL`,
  );
}

function checkNumber(parameter: Parameter, value: number, [min, max]: [number, number]): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw invalidParameter(
    parameter,
    'out_of_range',
    `must be a whole number from ${min} to ${max.toLocaleString('en')}`,
  );
}

/** Throws `invalid_parameter` for unknown fields, values of the wrong type and exceeded limits. */
export function checkQuery({ resource, where, orderBy, limit, skip = 0 }: RecordQuery): void {
  const { fields } = queried[resource];
  checkNumber('limit', limit, [1, LIMIT_MAX]);
  checkNumber('skip', skip, [0, SKIP_MAX]);
  if (orderBy.length > ORDERS_MAX)
    throw invalidParameter('orderBy', 'too_many', `contains more than ${ORDERS_MAX} fields`);
  for (const { field } of orderBy) {
    if (fieldOf(fields, field, 'orderBy').type === 'texts') {
      throw invalidParameter('orderBy', 'invalid_type', `contains a list: ${field}`);
    }
  }
  if (where !== undefined) new Checker(fields).check(where, 1, false);
}

import { invalidParameter, isStorable, Time } from '@roster/api';
import type { Condition, ItemCondition, Literal as Value } from '@roster/api/query';
import type { ComparisonOperator, Expression, Literal, Operand, Path } from '@roster/odata';
import { findOwn } from '../definitions/lookups.ts';
import { isSortable, type ResoField } from './fields.ts';

type Fields = ReadonlyMap<string, ResoField>;

const functions = { contains: 'contains', startswith: 'startsWith', endswith: 'endsWith' } as const;

function invalid(code: string, detail: string, { at }: { at: number }) {
  return invalidParameter('$filter', code, `${detail} (character ${at + 1})`);
}

/** Throws `invalid_parameter`. */
function fieldOf(fields: Fields, path: Path): ResoField {
  const { name } = path;
  if (name.includes('/'))
    throw invalid('not_supported', `names ${shortened(name)}, a property of another entity`, path);
  const field = fields.get(name);
  if (field === undefined)
    throw invalid('unknown_field', `names ${shortened(name)}, which is no property here`, path);
  return field;
}

const shortened = (name: string) => (name.length > 100 ? `${name.slice(0, 100)}…` : name);

/** Throws `invalid_parameter` for unknown properties and wrong types. */
export function conditionOf(expression: Expression, fields: Fields): Condition {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return { kind: expression.kind, parts: expression.parts.map((part) => conditionOf(part, fields)) };
    case 'not':
      return { kind: 'not', part: conditionOf(expression.part, fields) };
    case 'compare': {
      const { operand, operator, value } = expression;
      return comparisonOf(fieldOf(fields, operand.path), operand, { operator, value });
    }
    case 'in': {
      const { operand, values } = expression;
      return membershipOf(fieldOf(fields, operand.path), operand, values);
    }
    case 'text': {
      const { operand, value, at } = expression;
      const { path, type, lookup } = fieldOf(fields, operand.path);
      if ((type !== 'text' && type !== 'id') || lookup?.isConverted)
        throw invalid('invalid_type', `uses ${expression.function} on what is no text`, { at });
      checkText(value, { at });
      return {
        kind: 'text',
        field: path,
        function: functions[expression.function],
        value,
        ...lowered(operand),
      };
    }
    case 'any':
    case 'all': {
      const { kind, variable, body, at } = expression;
      const { path, type } = fieldOf(fields, expression.path);
      if (type !== 'texts') throw invalid('invalid_type', `uses ${kind} on what is no collection`, { at });
      if (body === undefined) return { kind, field: path };
      return { kind, field: path, item: itemConditionOf(body, variable ?? '') };
    }
  }
}

const lowered = ({ isLowered }: Operand) => (isLowered ? { isLowered } : {});

function comparisonOf(
  field: ResoField,
  operand: Operand,
  { operator, value }: { operator: ComparisonOperator; value: Literal },
): Condition {
  if (field.isDayOfTime && value.kind === 'day') return dayComparison(field, operator, value);
  const own = literalValue(field, operand, value);
  if (!isSortable(field) && operator !== 'eq' && operator !== 'ne')
    throw invalid('not_supported', `orders ${field.name}, whose values have no order`, operand.path);
  return { kind: 'compare', field: field.path, comparison: operator, value: own, ...lowered(operand) };
}

function membershipOf(field: ResoField, operand: Operand, values: readonly Literal[]): Condition {
  if (!operand.isLowered && !field.isDayOfTime)
    return {
      kind: 'in',
      field: field.path,
      values: values.map((value) => literalValue(field, operand, value)),
    };
  const parts = values.map((value) => comparisonOf(field, operand, { operator: 'eq', value }));
  return { kind: 'or', parts };
}

/** A day in UTC as a range of times in milliseconds. */
function dayComparison(
  { name, path: field }: ResoField,
  operator: ComparisonOperator,
  { value: day, at }: { value: string; at: number },
): Condition {
  const start = storableTime(name, { value: `${day}T00:00:00.000Z`, at });
  const end = `${day}T23:59:59.999Z`;
  const compare = (comparison: ComparisonOperator, value: string): Condition => ({
    kind: 'compare',
    field,
    comparison,
    value,
  });
  const within: Condition = { kind: 'and', parts: [compare('ge', start), compare('le', end)] };
  switch (operator) {
    case 'eq':
      return within;
    case 'ne':
      return { kind: 'not', part: within };
    case 'gt':
      return compare('gt', end);
    case 'ge':
      return compare('ge', start);
    case 'lt':
      return compare('lt', start);
    case 'le':
      return compare('le', end);
  }
}

const expected: Record<Exclude<ResoField['type'], 'texts'>, { kind: Literal['kind']; words: string }> = {
  text: { kind: 'text', words: 'a text in quotes' },
  id: { kind: 'text', words: 'a text in quotes' },
  number: { kind: 'number', words: 'a number' },
  boolean: { kind: 'boolean', words: 'true or false' },
  time: { kind: 'time', words: 'a time such as 2026-01-31T08:00:00Z' },
  day: { kind: 'day', words: 'a day such as 2026-01-31' },
};

/** Throws `invalid_parameter` for NUL and lone surrogates. */
function checkText(value: string, place: { at: number }): void {
  if (!isStorable(value))
    throw invalid('invalid_character', 'has a text with NUL or with half a character', place);
}

function literalValue(field: ResoField, operand: Operand, literal: Literal): Value | null {
  const { name, type, lookup, isDayOfTime } = field;
  if (type === 'texts')
    throw invalid('invalid_type', `compares ${name}, a collection: use any or all`, operand.path);
  const isLookup = lookup?.isConverted === true;
  if (operand.isLowered && (type !== 'text' || isLookup))
    throw invalid('invalid_type', `uses tolower on ${name}, which is no text`, operand.path);
  if (literal.kind === 'null') return null;
  const { kind, words } = expected[isDayOfTime ? 'day' : type];
  if (literal.kind !== kind) throw invalid('invalid_type', `must compare ${name} with ${words}`, literal);
  if (literal.kind === 'time') return storableTime(name, literal);
  if (literal.kind === 'text') checkText(literal.value, literal);
  if (!isLookup) return literal.value;
  const own = findOwn(lookup, literal.value);
  if (own !== undefined) return own;
  const values = lookup.values.map(({ standard }) => `'${standard}'`).join(', ');
  throw invalid('invalid_value', `must compare ${name} with one of ${values}`, literal);
}

/** RFC 3339; OData can omit seconds. Throws `invalid_parameter` for a time that can't be stored. */
function storableTime(name: string, literal: { value: string; at: number }): string {
  const time = literal.value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?!:)/, '$1:00');
  const [issue] = Time.safeParse(time).error?.issues ?? [];
  if (issue === undefined) return time;
  throw invalid('out_of_range', `compares ${name} with ${literal.value}, which ${issue.message}`, literal);
}

function itemConditionOf(expression: Expression, variable: string): ItemCondition {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return {
        kind: expression.kind,
        parts: expression.parts.map((part) => itemConditionOf(part, variable)),
      };
    case 'not':
      return { kind: 'not', part: itemConditionOf(expression.part, variable) };
    case 'compare':
      checkItem(expression.operand, variable);
      return { kind: 'compare', comparison: expression.operator, value: itemValue(expression.value) };
    case 'in':
      checkItem(expression.operand, variable);
      return { kind: 'in', values: expression.values.map(itemValue) };
    case 'text':
      checkItem(expression.operand, variable);
      checkText(expression.value, expression);
      return { kind: 'text', function: functions[expression.function], value: expression.value };
    default:
      throw invalid('not_supported', `uses ${expression.kind} on an item of a collection`, expression);
  }
}

function checkItem({ path, isLowered }: Operand, variable: string): void {
  if (isLowered) throw invalid('not_supported', 'uses tolower on an item of a collection', path);
  if (path.name !== variable)
    throw invalid(
      'not_supported',
      `names ${shortened(path.name)} in a lambda, which may name its variable alone`,
      path,
    );
}

function itemValue(literal: Literal): string | null {
  if (literal.kind === 'text') {
    checkText(literal.value, literal);
    return literal.value;
  }
  if (literal.kind === 'null') return null;
  throw invalid('invalid_type', 'must compare an item of a collection with a text in quotes', literal);
}

export function allOf(conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const parts = conditions.filter((condition) => condition !== undefined);
  return parts.length > 1 ? { kind: 'and', parts } : parts[0];
}

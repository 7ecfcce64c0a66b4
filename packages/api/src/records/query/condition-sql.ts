import { normalText } from '@roster/fields/text';
import { type RawBuilder, sql } from 'kysely';
import { withoutCaseSql } from '../../engine/sameness/sql.ts';
import type { Comparison, Condition, ItemCondition, Literal, TextFunction } from './condition.ts';
import { type QueriedName, queried } from './fields.ts';
import type { Queried, QueryFieldType, StoredField } from './queried.ts';

type Sql = RawBuilder<unknown>;
type Fields = Queried['fields'];

interface Operand extends Pick<StoredField, 'type' | 'value' | 'canonical' | 'sameness' | 'implied'> {
  isLowered: boolean;
}

const castOf: Record<QueryFieldType, Sql> = {
  text: sql.raw('text'),
  number: sql.raw('float8'),
  boolean: sql.raw('boolean'),
  time: sql.raw('timestamptz'),
  day: sql.raw('text'),
  id: sql.raw('uuid'),
  texts: sql.raw('text[]'),
};

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
export const isId = (value: unknown) => typeof value === 'string' && uuid.test(value);

const always = sql`true`;
const never = sql`false`;

/** IDs have no capitals. Language-independent; for agents' emails it is the indexed expression. */
const operandSql = ({ type, value, isLowered }: Operand) =>
  isLowered && type === 'text' ? withoutCaseSql(value) : value;

function givenValue({ type, canonical, isLowered }: Operand, value: Literal): Literal {
  if (type !== 'text' || typeof value !== 'string') return value;
  const text = normalText(value);
  return isLowered || canonical === undefined ? text : canonical(text);
}

const samenessOf = ({ sameness, isLowered }: Operand) => (isLowered ? undefined : sameness);

/** Texts are ordered by code point, regardless of collation. */
export function orderedSql(type: QueryFieldType, value: Sql): Sql {
  return type === 'text' || type === 'day' ? sql`(${value}) collate "C"` : value;
}

export const valueSql = (type: QueryFieldType, value: Literal) => sql`${value}::${castOf[type]}`;

function equals(operand: Operand, value: Literal | null, isNegated: boolean): Sql {
  const left = operandSql(operand);
  if (value === null) return isNegated ? sql`${left} is not null` : sql`${left} is null`;
  if (operand.type === 'id' && !isId(value)) return isNegated ? always : never;
  const sameness = samenessOf(operand);
  const parameter = valueSql(operand.type, givenValue(operand, value));
  const right = sameness === undefined ? parameter : sameness.given(parameter);
  const compared = sameness?.stored ?? left;
  if (isNegated) return sql`${compared} is distinct from ${right}`;
  const equal = sql`${compared} = ${right}`;
  const { implied, isLowered } = operand;
  return implied === undefined || isLowered ? equal : sql`(${equal} and ${implied(right)})`;
}

const operators: Record<Exclude<Comparison, 'eq' | 'ne'>, { sql: Sql; isEqual: boolean }> = {
  gt: { sql: sql.raw('>'), isEqual: false },
  ge: { sql: sql.raw('>='), isEqual: true },
  lt: { sql: sql.raw('<'), isEqual: false },
  le: { sql: sql.raw('<='), isEqual: true },
};

function compares(
  operand: Operand,
  { comparison, value }: { comparison: Comparison; value: Literal | null },
  isNegated: boolean,
): Sql {
  if (comparison === 'eq' || comparison === 'ne') {
    return equals(operand, value, isNegated !== (comparison === 'ne'));
  }
  const operator = operators[comparison];
  if (value === null) {
    if (operator.isEqual) return equals(operand, null, isNegated);
    return isNegated ? always : never;
  }
  const isText = operand.type === 'id' && !isId(value);
  const type = isText ? 'text' : operand.type;
  const left = orderedSql(type, isText ? sql`${operand.value}::text` : operandSql(operand));
  const given = type === 'text' ? normalText(String(value)) : value;
  const holds = sql`${left} ${operator.sql} ${valueSql(type, given)}`;
  return isNegated ? sql`(${holds}) is not true` : holds;
}

function isOneOf(operand: Operand, values: readonly (Literal | null)[], isNegated: boolean): Sql {
  const { type } = operand;
  const given = values.flatMap((value) =>
    value !== null && (type !== 'id' || isId(value)) ? [givenValue(operand, value)] : [],
  );
  const sameness = samenessOf(operand);
  const texts = sql`${given}::${castOf[type]}[]`;
  const held =
    sameness === undefined
      ? sql`${operandSql(operand)} = any(${texts})`
      : sql`${sameness.stored} = any(select ${sameness.given(sql`given.text`)} from unnest(${texts}) as given (text))`;
  const parts = [
    ...(given.length > 0 ? [isNegated ? sql`(${held}) is not true` : held] : []),
    ...(values.includes(null) ? [equals(operand, null, isNegated)] : []),
  ];
  return joined(parts, isNegated ? 'and' : 'or');
}

/** Without patterns, so that no character is special. */
const functions: Record<TextFunction, (text: Sql, value: Sql) => Sql> = {
  contains: (text, value) => sql`strpos(${text}, ${value}) > 0`,
  startsWith: (text, value) => sql`starts_with(${text}, ${value})`,
  endsWith: (text, value) => sql`right(${text}, char_length(${value})) = ${value}`,
};

function textMeets(
  operand: Operand,
  { function: name, value }: { function: TextFunction; value: string },
  isNegated: boolean,
): Sql {
  const text = operand.type === 'id' ? sql`${operand.value}::text` : operandSql(operand);
  const holds = functions[name](text, valueSql('text', normalText(value)));
  return isNegated ? sql`not (${holds})` : holds;
}

function joined(parts: readonly Sql[], kind: 'and' | 'or'): Sql {
  if (parts.length === 0) return kind === 'and' ? always : never;
  return sql`(${sql.join(parts, kind === 'and' ? sql` and ` : sql` or `)})`;
}

/** `not` is pushed down to the terms, so that null and false only differ there. */
function conditionOf<One extends Condition | ItemCondition>(
  condition: One,
  isNegated: boolean,
  operandOf: (term: One) => Operand,
): Sql {
  switch (condition.kind) {
    case 'not':
      return conditionOf(condition.part as One, !isNegated, operandOf);
    case 'and':
    case 'or': {
      const parts = condition.parts.map((part) => conditionOf(part as One, isNegated, operandOf));
      return joined(parts, (condition.kind === 'and') === isNegated ? 'or' : 'and');
    }
    case 'compare':
      return compares(operandOf(condition), condition, isNegated);
    case 'in':
      return isOneOf(operandOf(condition), condition.values, isNegated);
    case 'text':
      return textMeets(operandOf(condition), condition, isNegated);
    default:
      return itemsMeet(operandOf(condition), condition, isNegated);
  }
}

/** Neither lists nor their items are ever null. */
function itemsMeet(
  { value: list, canonical }: Operand,
  { kind, item: condition }: { kind: 'any' | 'all'; item?: ItemCondition },
  isNegated: boolean,
): Sql {
  if (condition === undefined)
    return isNegated ? sql`cardinality(${list}) = 0` : sql`cardinality(${list}) > 0`;
  const item = {
    type: 'text' as const,
    value: sql.ref('item.value'),
    isLowered: false,
    ...(canonical && { canonical }),
  };
  const isAny = kind === 'any';
  const met = conditionOf(condition, false, () => item);
  const wanted = isAny ? met : sql`(${met}) is not true`;
  const found = sql`exists (select from unnest(${list}) as item (value) where ${wanted})`;
  return isAny === isNegated ? sql`not ${found}` : found;
}

function operandIn(fields: Fields, term: Condition): Operand {
  const field = ('field' in term ? fields[term.field] : undefined) as StoredField;
  return { ...field, isLowered: 'isLowered' in term && term.isLowered === true };
}

export function conditionSql(resource: QueriedName, condition: Condition): RawBuilder<boolean> {
  const { fields } = queried[resource];
  return sql<boolean>`${conditionOf(condition, false, (term) => operandIn(fields, term))}`;
}

import { normalText, withoutCase } from '@roster/fields/text';
import {
  countryCode,
  languageCode,
  licenseNumberKey,
  regionCode,
} from '../../../src/engine/sameness/keys.ts';
import type { Condition, ItemCondition, Literal, OrderBy } from '../../../src/records/query/condition.ts';
import type { QueryFieldType } from '../../../src/records/query/queried.ts';

/**
 * What OData 4.01 says of conditions and orders, written down a second time, for records as the API shows them: `eq`, `ne` and `in` find what
 * is the same in all of Roster.
 */

export type Json = Record<string, unknown>;
type Value = Literal | null;
type Types = Readonly<Record<string, { type: QueryFieldType }>>;
/** True, false or unknown (OData's null). */
type Truth = boolean | null;

/** The value of a field that a path names; undefined parts are null. */
export function fieldIn(record: Json, path: string): unknown {
  let value: unknown = record;
  for (const key of path.replace('[0]', '.0').split('.')) {
    value = value === null || value === undefined ? null : (value as Json)[key];
  }
  return value ?? null;
}

/** Less than 0, 0 or more than 0; UTF-8 has the order of code points. */
function compareValues(type: QueryFieldType, left: Literal, right: Literal): number {
  if (type === 'time') return Date.parse(String(left)) - Date.parse(String(right));
  if (typeof left === 'string') return Buffer.compare(Buffer.from(left), Buffer.from(String(right)));
  return Number(left) - Number(right);
}

const and = (parts: Truth[]): Truth => (parts.includes(false) ? false : parts.includes(null) ? null : true);
const or = (parts: Truth[]): Truth => (parts.includes(true) ? true : parts.includes(null) ? null : false);
const not = (part: Truth): Truth => (part === null ? null : !part);

type Term = Exclude<
  Condition | ItemCondition,
  { parts: unknown } | { part: unknown } | { kind: 'any' | 'all' }
>;

/** The form by which texts of a field are the same, by its name or that of its last part. */
const forms: Readonly<Record<string, (text: string) => string>> = {
  email: withoutCase,
  number: licenseNumberKey,
  country: countryCode,
  region: regionCode,
  languages: languageCode,
};
const formOf = (path: string) => forms[path.split('.').at(-1) ?? ''] ?? ((text: string) => text);

const normal = (type: QueryFieldType, value: Value) =>
  type === 'text' && typeof value === 'string' ? normalText(value) : value;

function termHolds(
  term: Term,
  { type, path, given }: { type: QueryFieldType; path: string; given: Value },
): Truth {
  const isLowered = 'isLowered' in term && term.isLowered === true;
  const left = isLowered && typeof given === 'string' ? given.toLowerCase() : given;
  const equals = (right: Value) =>
    left === null || right === null ? left === right : compareValues(type, left, right) === 0;
  const form = (value: Value) =>
    type === 'text' && !isLowered && typeof value === 'string' ? formOf(path)(value) : value;
  const isSame = (value: Value) => {
    const [one, right] = [form(left), form(normal(type, value))];
    return one === null || right === null ? one === right : compareValues(type, one, right) === 0;
  };
  if (term.kind === 'in') return term.values.some(isSame);
  if (term.kind === 'text') {
    if (typeof left !== 'string') return null;
    const value = normalText(term.value);
    return {
      contains: left.includes(value),
      startsWith: left.startsWith(value),
      endsWith: left.endsWith(value),
    }[term.function];
  }
  const value = normal(type, term.value);
  const isAbove = left !== null && value !== null && compareValues(type, left, value) > 0;
  const isBelow = left !== null && value !== null && compareValues(type, left, value) < 0;
  return {
    eq: isSame(value),
    ne: !isSame(value),
    gt: isAbove,
    ge: isAbove || equals(value),
    lt: isBelow,
    le: isBelow || equals(value),
  }[term.comparison];
}

function itemMeets(condition: ItemCondition, path: string, item: string): Truth {
  if (condition.kind === 'not') return not(itemMeets(condition.part, path, item));
  if (condition.kind === 'and') return and(condition.parts.map((part) => itemMeets(part, path, item)));
  if (condition.kind === 'or') return or(condition.parts.map((part) => itemMeets(part, path, item)));
  return termHolds(condition as Term, { type: 'text', path, given: item });
}

/** Whether a record meets a condition: true, false or null. */
function truthOf(condition: Condition, record: Json, types: Types): Truth {
  const truth = (part: Condition) => truthOf(part, record, types);
  switch (condition.kind) {
    case 'not':
      return not(truth(condition.part));
    case 'and':
      return and(condition.parts.map(truth));
    case 'or':
      return or(condition.parts.map(truth));
    case 'any':
    case 'all': {
      const items = fieldIn(record, condition.field) as string[];
      const { item } = condition;
      if (item === undefined) return items.length > 0;
      const truths = items.map((one) => itemMeets(item, condition.field, one));
      return condition.kind === 'any' ? or(truths) : and(truths);
    }
    default:
      return termHolds(condition, {
        type: types[condition.field]?.type ?? 'text',
        path: condition.field,
        given: fieldIn(record, condition.field) as Value,
      });
  }
}

/** First and last names break each other's ties. */
const tieBreaks: Readonly<Record<string, string>> = { firstName: 'lastName', lastName: 'firstName' };

/**
 * The records that meet a condition, in an order: null is lowest, the other name breaks the ties of a name that comes last, and the id
 * all others, both in the direction of the last field.
 */
export function expectedRecords(
  records: readonly Json[],
  { where, orderBy, types }: { where?: Condition | undefined; orderBy: readonly OrderBy[]; types: Types },
): Json[] {
  const { field: lastField = '', isDescending: isLastDescending = false } = orderBy.at(-1) ?? {};
  const terms = [
    ...orderBy,
    ...[tieBreaks[lastField] ?? 'id', 'id'].map((field) => ({ field, isDescending: isLastDescending })),
  ];
  const byTerms = (one: Json, other: Json) => {
    for (const { field, isDescending } of terms) {
      const [left, right] = [fieldIn(one, field) as Value, fieldIn(other, field) as Value];
      const nulls = Number(left !== null) - Number(right !== null);
      const order =
        left === null || right === null ? nulls : compareValues(types[field]?.type ?? 'text', left, right);
      if (order !== 0) return isDescending ? -order : order;
    }
    return 0;
  };
  return records
    .filter((record) => where === undefined || truthOf(where, record, types) === true)
    .toSorted(byTerms);
}

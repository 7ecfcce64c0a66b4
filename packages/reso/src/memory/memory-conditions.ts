import type { Condition } from '@roster/api/query';
import { normalText } from '@roster/fields/text';

type Item = Readonly<Record<string, string | null>>;
type Compare = Extract<Condition, { kind: 'compare' }>;
/** As in OData: null is unknown. */
type Truth = boolean | null;

export function meets(item: Item, condition: Condition): boolean {
  return truthOf(item, condition) === true;
}

function truthOf(item: Item, condition: Condition): Truth {
  switch (condition.kind) {
    case 'and':
      return every(condition.parts.map((part) => truthOf(item, part)));
    case 'or':
      return negated(every(condition.parts.map((part) => negated(truthOf(item, part)))));
    case 'not':
      return negated(truthOf(item, condition.part));
    case 'compare':
      return compares(item, condition);
    case 'in':
      return condition.values.some((value) => formOf(value) === (item[condition.field] ?? null));
    case 'text': {
      const value = textOf(item, condition);
      if (value === null) return null;
      const part = normalText(condition.value);
      if (condition.function === 'contains') return value.includes(part);
      return condition.function === 'startsWith' ? value.startsWith(part) : value.endsWith(part);
    }
    default:
      throw new Error('a set of the service has no collections');
  }
}

const formOf = <Value>(value: Value) => (typeof value === 'string' ? normalText(value) : value);

const negated = (truth: Truth): Truth => (truth === null ? null : !truth);

function every(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}

function textOf(item: Item, { field, isLowered }: { field: string; isLowered?: boolean }): string | null {
  const value = item[field] ?? null;
  return isLowered ? (value?.toLowerCase() ?? null) : value;
}

function compares(item: Item, condition: Compare): boolean {
  const { comparison } = condition;
  const value = formOf(condition.value);
  const own = textOf(item, condition);
  if (own === null || value === null) {
    const isSame = own === value;
    if (comparison === 'ne') return !isSame;
    return isSame && (comparison === 'eq' || comparison === 'ge' || comparison === 'le');
  }
  const difference = order(own, String(value));
  switch (comparison) {
    case 'eq':
      return difference === 0;
    case 'ne':
      return difference !== 0;
    case 'gt':
      return difference > 0;
    case 'ge':
      return difference >= 0;
    case 'lt':
      return difference < 0;
    case 'le':
      return difference <= 0;
  }
}

const time = /^\d{4}-\d\d-\d\dT/;

/** Times are compared as such, in any notation. */
function order(one: string, other: string): number {
  if (time.test(one) && time.test(other)) return Date.parse(one) - Date.parse(other);
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

import { invalidParameter, type RecordEventType, RecordId } from '@roster/api';
import type { ComparisonOperator, Expression, Literal } from '@roster/odata';
import type { ResourceDefinition } from '../definitions/definition.ts';

export interface EventSelection {
  after: string;
  last: number;
  /** Defaults to all sets. */
  types?: RecordEventType[];
  subject?: string;
}

export const eventFilters = {
  EntityEventSequence: 'SingleRange',
  ResourceName: 'SingleValue',
  ResourceRecordKey: 'SingleValue',
} as const;

/** A conjunction, because the log is read from a position. Throws `invalid_parameter` for others. */
export function eventSelection(
  filter: Expression | undefined,
  resources: ReadonlyMap<string, Pick<ResourceDefinition, 'eventTypes'>>,
): EventSelection {
  let first = 1;
  let last = Number.MAX_SAFE_INTEGER;
  const all = [...resources].flatMap(([name, { eventTypes }]) => (eventTypes.length > 0 ? [name] : []));
  let names = all;
  let subject: string | undefined;
  for (const { name, operator, value, at } of comparisonsOf(filter)) {
    if (name === 'EntityEventSequence' && value.kind === 'number' && operator !== 'ne') {
      const [from, to] = rangeOf(operator, value.value);
      first = Math.max(first, from);
      last = Math.min(last, to);
    } else if (name === 'ResourceName' && value.kind === 'text' && operator === 'eq') {
      names = names.filter((one) => one === value.value);
    } else if (name === 'ResourceRecordKey' && value.kind === 'text' && operator === 'eq') {
      const key = value.value.toLowerCase();
      if (!RecordId.safeParse(key).success || (subject !== undefined && subject !== key)) last = 0;
      subject = key;
    } else {
      throw unsupported(at);
    }
  }
  // Reads nothing, but rights are checked as for one set.
  const typesOf = (name = '') => resources.get(name)?.eventTypes ?? [];
  const [someName] = all;
  if (names.length === 0 || last < first) return { after: '0', last: 0, types: [...typesOf(someName)] };
  const known = subject !== undefined && RecordId.safeParse(subject).success ? { subject } : {};
  const isOfAll = names.length === all.length;
  const types = names.flatMap((name) => typesOf(name));
  return { after: String(first - 1), last, ...(!isOfAll && { types }), ...known };
}

interface Comparison {
  name: string;
  operator: ComparisonOperator;
  value: Literal;
  at: number;
}

function comparisonsOf(filter: Expression | undefined): Comparison[] {
  if (filter === undefined) return [];
  if (filter.kind === 'and') return filter.parts.flatMap(comparisonsOf);
  if (filter.kind !== 'compare' || filter.operand.isLowered) throw unsupported(filter.at);
  const { operand, operator, value, at } = filter;
  return [{ name: operand.path.name, operator, value, at }];
}

function rangeOf(operator: Exclude<ComparisonOperator, 'ne'>, value: number): [number, number] {
  const bounded = Math.min(Math.max(value, -1), Number.MAX_SAFE_INTEGER - 1);
  const [floor, ceiling] = [Math.floor(bounded), Math.ceil(bounded)];
  switch (operator) {
    case 'eq':
      return floor === ceiling ? [floor, ceiling] : [1, 0];
    case 'gt':
      return [floor + 1, Number.MAX_SAFE_INTEGER];
    case 'ge':
      return [ceiling, Number.MAX_SAFE_INTEGER];
    case 'lt':
      return [1, ceiling - 1];
    case 'le':
      return [1, floor];
  }
}

function unsupported(at: number) {
  const detail =
    'of EntityEvent may compare EntityEventSequence with numbers, and ResourceName and ResourceRecordKey with texts by eq, joined by and';
  return invalidParameter('$filter', 'not_supported', `${detail} (character ${at + 1})`);
}

import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { contracts, type ResourceName } from '../../../../api/contract/contracts.ts';
import { listValues, type SearchParams } from '../../../../ui/browser/search-params.ts';
import { endsOf, findRange, windowOf } from './filter-ranges.ts';

/** The ways in which a chip compares: by values or without them, or with a span of time. */
export type Operator = 'is' | 'isNot' | 'set' | 'unset' | 'next' | 'last' | 'ends';

const labels: Readonly<Record<Operator, MessageDescriptor>> = {
  is: msg({ message: 'is', context: 'filter' }),
  isNot: msg({ message: "isn't", context: 'filter' }),
  set: msg({ message: 'is set', context: 'filter' }),
  unset: msg({ message: "isn't set", context: 'filter' }),
  next: msg({ message: 'in the next', context: 'filter' }),
  last: msg({ message: 'in the last', context: 'filter' }),
  ends: msg({ message: 'between', context: 'filter' }),
};

const labelsOfList: Readonly<Partial<Record<Operator, MessageDescriptor>>> = {
  is: msg({ message: 'has', context: 'filter' }),
  isNot: msg({ message: "doesn't have", context: 'filter' }),
};

/** Says how a filter compares: a list, such as that of languages, has a value. */
export function operatorLabel(i18n: I18n, name: string, operator: Operator): string {
  return i18n._((name === 'language' ? labelsOfList[operator] : undefined) ?? labels[operator]);
}

const choicesOf = (resource: ResourceName, name: string): readonly string[] =>
  contracts[resource].filters.find((filter) => filter.name === name)?.choices ?? [];

/** The filters whose values are the names of fields or of other filters: they are said at the chip of the field. */
export const aboutOthers: readonly string[] = ['empty', 'notEmpty', 'not'];

export function operatorsOf(resource: ResourceName, name: string): Operator[] {
  const range = findRange(resource, name);
  if (range !== undefined) return range.isOpenEnded ? ['next', 'last', 'ends'] : ['last', 'ends'];
  if (!contracts[resource].filters.some((filter) => filter.name === name)) return ['unset', 'set'];
  return [
    'is',
    ...(choicesOf(resource, 'not').includes(name) ? (['isNot'] as const) : []),
    ...(choicesOf(resource, 'notEmpty').includes(name) ? (['set'] as const) : []),
    ...(choicesOf(resource, 'empty').includes(name) ? (['unset'] as const) : []),
  ];
}

export function operatorOf(resource: ResourceName, name: string, search: SearchParams): Operator {
  const range = findRange(resource, name);
  if (range !== undefined) return windowOf(range, endsOf(range, search))?.direction ?? 'ends';
  if (listValues(search, 'empty').includes(name)) return 'unset';
  if (listValues(search, 'notEmpty').includes(name)) return 'set';
  return listValues(search, 'not').includes(name) ? 'isNot' : 'is';
}

/** A parameter with a value more or less. */
function withValue(search: SearchParams, parameter: string, value: string, isIn: boolean): SearchParams {
  const others = listValues(search, parameter).filter((one) => one !== value);
  const values = isIn ? [...others, value] : others;
  return { [parameter]: values.length > 1 ? values : values[0] };
}

/** The parameters of a filter with other values, or another way to compare them. */
export function filterParams(
  search: SearchParams,
  name: string,
  { operator, values }: { operator: Operator; values: readonly string[] },
): SearchParams {
  const hasValues = operator === 'is' || operator === 'isNot';
  const kept = hasValues ? [...values] : [];
  return {
    [name]: kept.length > 1 ? kept : kept[0],
    ...withValue(search, 'empty', name, operator === 'unset'),
    ...withValue(search, 'notEmpty', name, operator === 'set'),
    ...withValue(search, 'not', name, operator === 'isNot' && kept.length > 0),
  };
}

/** The filters that are set, each once: by the name of the parameter, of the span of time, or of the field that is empty or not. */
export function setFilters(resource: ResourceName, search: SearchParams): string[] {
  const named = contracts[resource].filters
    .map(({ name }) => name)
    .filter((name) => !aboutOthers.includes(name) && search[name] !== undefined)
    .map((name) => {
      const range = findRange(resource, name);
      return range?.since?.name ?? range?.before?.name ?? name;
    });
  const bare = ['empty', 'notEmpty'].flatMap((name) => listValues(search, name));
  return [...new Set([...named, ...bare])];
}

/** The parameters without a filter. */
export function withoutFilter(resource: ResourceName, search: SearchParams, name: string): SearchParams {
  const range = findRange(resource, name);
  if (range === undefined) return filterParams(search, name, { operator: 'is', values: [] });
  return Object.fromEntries(
    [range.since, range.before].flatMap((end) => (end ? [[end.name, undefined]] : [])),
  );
}

import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { contracts, type ResourceName } from '../../../../api/contract/contracts.ts';
import type { FilterContract } from '../../../../api/contract/types.ts';
import { groupsOf } from '../../../../resources/index.ts';
import { filterLabel } from '../../../fields/filter-labels.ts';
import { aboutOthers } from './filter-operators.ts';
import { findRange } from './filter-ranges.ts';
import { rangeLabel } from './range-labels.ts';

export interface GroupedFilter {
  name: string;
  label: string;
  group?: string;
}

/** The filters that a list has most use for, in this order, and those that come after all others. */
const firstFilters = ['city', 'region', 'country', 'title', 'language', 'teamId', 'name'];
const lastFilters = ['sourceName', 'sourceKey'];

/** The field that a filter is about: the one of its name, the one that has a part of its name, or the one it begins with. */
function isAbout(resource: ResourceName, filter: string, field: string): boolean {
  if (filter === field) return true;
  const { parts = [] } = contracts[resource].fields.find(({ name }) => name === field) ?? {};
  return parts.some(({ name }) => name === filter) || filter.startsWith(field.replace(/s$/, ''));
}

export function groupFilters(i18n: I18n, resource: ResourceName): readonly GroupedFilter[] {
  const { filters } = contracts[resource];
  const left = new Set<FilterContract>(filters.filter(({ name }) => !aboutOthers.includes(name)));
  const named = new Set(filters.map(({ name }) => name));
  const bare = (filters.find(({ name }) => name === 'empty')?.choices ?? []).filter(
    (name) => !named.has(name),
  );
  const take = (label: string | undefined, isIn: (filter: FilterContract) => boolean) =>
    [...left].filter(isIn).flatMap((filter): GroupedFilter[] => {
      left.delete(filter);
      const { name } = filter;
      const range = findRange(resource, name);
      // Of a span of time the menu has one entry.
      if (range !== undefined && name !== (range.since ?? range.before)?.name) return [];
      const own = range === undefined ? filterLabel(i18n, resource, name) : rangeLabel(i18n, range);
      return [{ name, label: own, ...(label !== undefined && { group: label }) }];
    });
  const inOrder = (names: readonly string[]) =>
    names.flatMap((name) => take(undefined, (one) => one.name === name));
  const first = inOrder(firstFilters);
  const last = inOrder(lastFilters);
  const times = take(i18n._(msg`Times`), ({ kind }) => kind === 'time');
  const grouped = groupsOf(resource).flatMap(({ label, fields }) => [
    ...take(i18n._(label), ({ name }) => fields.some((field) => isAbout(resource, name, field))),
    ...bare
      .filter((name) => fields.includes(name.split('.', 1)[0] ?? ''))
      .map((name) => ({ name, label: filterLabel(i18n, resource, name), group: i18n._(label) })),
  ]);
  return [...first, ...take(undefined, () => true), ...grouped, ...times, ...last];
}

import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import type { ResourceName } from '../../../../api/contract/contracts.ts';
import type { FilterContract } from '../../../../api/contract/types.ts';
import { filterLabel, filterValue } from '../../../fields/filter-labels.ts';
import { type Ends, type FilterRange, findRange, windowOf } from './filter-ranges.ts';

const rangeLabels: Readonly<Record<string, MessageDescriptor>> = {
  created: msg`Created`,
  updated: msg`Changed`,
  deactivated: msg`Deactivated`,
  licenseExpires: msg`Licence expires`,
};

export function rangeLabel(i18n: I18n, { stem }: FilterRange): string {
  const label = rangeLabels[stem];
  return label === undefined ? stem : i18n._(label);
}

/** The label of a filter, or of the span of time of which it is one end. */
export function labelOfFilter(i18n: I18n, resource: ResourceName, name: string): string {
  const range = findRange(resource, name);
  return range === undefined ? filterLabel(i18n, resource, name) : rangeLabel(i18n, range);
}

export function rangeText(i18n: I18n, resource: ResourceName, range: FilterRange, ends: Ends): string {
  const { direction, days } = windowOf(range, ends) ?? {};
  if (direction === 'next')
    return i18n._(msg`${plural(days ?? 0, { one: 'within the next day', other: 'within the next # days' })}`);
  if (direction === 'last')
    return i18n._(msg`${plural(days ?? 0, { one: 'in the last day', other: 'in the last # days' })}`);
  const words = (filter: FilterContract | undefined, value = '') =>
    filter === undefined || value === '' ? '' : filterValue(i18n, resource, filter.name, value);
  const since = words(range.since, ends.since);
  const before = words(range.before, ends.before);
  if (before === '') return i18n._(msg`from ${since}`);
  if (since === '') return i18n._(msg`before ${before}`);
  return i18n._(msg`from ${since}, before ${before}`);
}

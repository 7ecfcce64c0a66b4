import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { contracts, type ResourceName } from '../../api/contract/contracts.ts';
import { resources } from '../../resources/index.ts';
import { dayText, timeText } from '../../ui/time.tsx';
import { displayName } from './display-name.ts';
import { durationText, isDuration } from './durations.ts';
import { choiceLabel, pathLabel } from './field-labels.ts';

const filterLabels: Readonly<Record<string, MessageDescriptor>> = {
  q: msg`Search`,
  ids: msg`Selected records`,
  all: msg`All records`,
  name: msg`Name`,
  language: msg`Languages`,
  teamId: msg`Team`,
  city: msg`City`,
  region: msg`Region`,
  postalCode: msg`Postal code`,
  country: msg`Country`,
  licenseNumber: msg`Licence number`,
  licenseRegion: msg`Licence region`,
  licenseExpiresSince: msg`Licence expires from`,
  licenseExpiresBefore: msg`Licence expires before`,
  sourceName: msg`Other system`,
  sourceKey: msg`ID in the other system`,
  createdSince: msg`Created since`,
  createdBefore: msg`Created before`,
  updatedSince: msg`Changed since`,
  updatedBefore: msg`Changed before`,
  deactivatedSince: msg`Deactivated since`,
  empty: msg`Missing`,
  notEmpty: msg`Has`,
  not: msg`Except by`,
};

export function filterLabel(i18n: I18n, resource: ResourceName, name: string): string {
  const label = filterLabels[name] ?? resources[resource].filterLabels?.[name]?.label;
  return label === undefined ? pathLabel(i18n, resource, name) : i18n._(label);
}

export function filterValue(i18n: I18n, resource: ResourceName, name: string, value: string): string {
  const { kind } = contracts[resource].filters.find((filter) => filter.name === name) ?? {};
  if (kind === 'date' || kind === 'time') {
    if (isDuration(value)) return durationText(i18n, value);
    // An address can have anything.
    if (Number.isNaN(Date.parse(value))) return value;
    return kind === 'date' ? dayText(i18n, value) : timeText(i18n, value);
  }
  if (name === 'empty' || name === 'notEmpty') return pathLabel(i18n, resource, value);
  if (name === 'not') return filterLabel(i18n, resource, value);
  if (name === 'language') return displayName('language', value, i18n.locale);
  if (name === 'country') return displayName('region', value.toUpperCase(), i18n.locale);
  const own = resources[resource].filterLabels?.[name]?.values[value];
  return own === undefined ? (choiceLabel(i18n, name, value) ?? value) : i18n._(own);
}

import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

const labels: Readonly<Record<string, MessageDescriptor>> = {
  relevance: msg`Best matches first`,
  lastName: msg`Last name, A to Z`,
  '-lastName': msg`Last name, Z to A`,
  firstName: msg`First name, A to Z`,
  '-firstName': msg`First name, Z to A`,
  city: msg`City, A to Z`,
  '-city': msg`City, Z to A`,
  name: msg`Name, A to Z`,
  '-name': msg`Name, Z to A`,
  createdAt: msg`Oldest first`,
  '-createdAt': msg`Newest first`,
  updatedAt: msg`Least recently changed first`,
  '-updatedAt': msg`Most recently changed first`,
  nextLicenseExpiresOn: msg`Earliest licence expiry first`,
  '-nextLicenseExpiresOn': msg`Latest licence expiry first`,
};

export function sortLabel(i18n: I18n, sort: string): string {
  const label = labels[sort];
  return label === undefined ? sort : i18n._(label);
}

export const isByName = (sort: string) => /name$|city$/i.test(sort);

/**
 * The beginning of a list for the beginning of a name, or for a day: its start, or its end if the latest come first, so that the
 * whole day is in the list.
 */
export function startAtOf(value: string, sort: string): string {
  if (isByName(sort)) return value.trim();
  if (/On$/.test(sort)) return value;
  const day = new Date(`${value}T00:00:00`);
  if (sort.startsWith('-')) day.setDate(day.getDate() + 1);
  return day.toISOString();
}

import type { ResourceName } from '../contract/contracts.ts';
import { contracts } from '../contract/contracts.ts';
import type { FilterContract } from '../contract/types.ts';
import { referredResource } from '../resources/index.ts';

/** The filters of a list, in the order in which they are offered. */
export const filtersOf = (resource: ResourceName): readonly FilterContract[] => contracts[resource].filters;

/** The orders of a list. */
export const sortsOf = (resource: ResourceName): readonly string[] => contracts[resource].sorts;

/** The resource that a filter by ids refers to; undefined if it takes no ids. */
export function referredBy(resource: ResourceName, { name, kind }: FilterContract): ResourceName | undefined {
  if (kind !== 'reference') return undefined;
  return name === 'ids' ? resource : referredResource(name);
}

/** A time of the API as a control of the browser has it, in the time zone of the browser, and back. */
export function localTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

export const timeOfLocal = (local: string) => (local === '' ? '' : new Date(local).toISOString());

/** The values of a filter in a URL. */
export const valuesOf = (value: string | string[] | undefined): string[] =>
  value === undefined ? [] : [value].flat();

import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { contracts, mapResources, resourceNames } from '../../../api/contract/contracts.ts';
import { partLabel, pathLabel } from '../../fields/field-labels.ts';

export const WIDTH_MIN = 60;
export const WIDTH_MAX = 800;

const counts: Readonly<Record<string, MessageDescriptor>> = {
  'counts.agents': msg`Active agents`,
  'counts.affiliatedAgents': msg`Affiliated agents`,
  'counts.branches': msg`Branches`,
};

export function columnLabel(i18n: I18n, resource: ResourceName, name: string): string {
  const counted = counts[name];
  if (counted !== undefined) return i18n._(counted);
  if (name === 'displayName') return i18n._(msg`Name`);
  if (name === 'nextLicenseExpiresOn') return i18n._(msg`Licence ends`);
  const [field = '', part] = name.split('.');
  // The parts of the address by themselves: their columns are the usual ones.
  return field === 'address' && part !== undefined
    ? partLabel(i18n, field, part)
    : pathLabel(i18n, resource, name);
}

const widths: Readonly<Record<string, number>> = {
  name: 264,
  displayName: 264,
  status: 96,
  officeId: 208,
  'address.city': 120,
  email: 240,
  phone: 168,
  nextLicenseExpiresOn: 120,
  'counts.agents': 120,
  updatedAt: 140,
  version: 80,
  id: 290,
};

/** The widths of columns that give way where there is less room, before one leaves. */
const leastWidths: Readonly<Record<string, number>> = { name: 216, displayName: 216, officeId: 192 };

const defaultWidth = (name: string) => widths[name] ?? 150;

/** The sort of the column that shows where a record is. */
const CITY = 'city';

const sortsOf = (resource: ResourceName): ReadonlyMap<string, string> => {
  const { nameField, nameSort, sorts } = contracts[resource];
  const own = sorts.filter((sort) => !sort.startsWith('-'));
  return new Map([
    ...own.map((sort) => [sort === CITY ? 'address.city' : sort, sort] as const),
    [nameField, nameSort],
  ]);
};

const sorts = mapResources(sortsOf);

const nameSorts: ReadonlyMap<string, readonly string[]> = new Map(
  resourceNames.flatMap((name) => {
    const { nameField, sorts: all } = contracts[name];
    const own = all.filter((sort) => /^[^-]*name$/i.test(sort));
    return own.length > 1 ? [[nameField, own] as const] : [];
  }),
);

/** The part of a name by which a list is sorted, if the column shows a name of several parts; undefined otherwise. */
export function sortedNamePart(name: string, current: string): string | undefined {
  return nameSorts.get(name)?.find((sort) => sort === current.replace('-', ''));
}

/** The value of `sort` that orders by a column, in a list that is sorted by `current`; undefined if the API has none. */
export const sortOf = (resource: ResourceName, name: string, current = ''): string | undefined =>
  sortedNamePart(name, current) ?? sorts[resource].get(name);

/** The sort after a press on a column: at first the latest times, but the earliest names and licences. */
export function nextSort(resource: ResourceName, name: string, current: string): string {
  const sort = sortOf(resource, name, current) ?? '';
  if (current === sort) return `-${sort}`;
  if (current === `-${sort}`) return sort;
  return name.endsWith('At') ? `-${sort}` : sort;
}

/** The width of the column of the boxes that select, in pixels: 24 from the edge, the box, and 8. */
const SELECT_PX = 48;

/** The columns that leave first where there is less room; then those at the end. */
const LEAVING = ['email', 'phone', 'address.city', 'updatedAt'];

/** The column that takes what is left. */
const GROWING = 'email';

type Widths = Readonly<Record<string, number>>;

const sizeOf = (name: string, widths: Widths) => widths[name] ?? defaultWidth(name);

const leastOf = (name: string, widths: Widths) => widths[name] ?? leastWidths[name] ?? defaultWidth(name);

const total = (columns: readonly string[], widths: Widths) =>
  columns.reduce((sum, name) => sum + leastOf(name, widths), SELECT_PX);

/** The columns that fit without scrolling; the first of all is always among them. */
export function fittingColumns(columns: readonly string[], widths: Widths, available: number): string[] {
  let fitting = [...columns];
  while (fitting.length > 1 && total(fitting, widths) > available) {
    const leaving = LEAVING.find((name) => fitting.indexOf(name) > 0) ?? fitting.at(-1);
    fitting = fitting.filter((name) => name !== leaving);
  }
  return fitting;
}

/** The columns of every row and their width together, as properties for styles. One of them grows, or all whose width nobody has set. */
export function rowSizes(columns: readonly string[], widths: Widths): Readonly<Record<string, string>> {
  const isGrown = columns.includes(GROWING) && widths[GROWING] === undefined;
  const hasUnset = columns.some((name) => widths[name] === undefined);
  const sizes = columns.map((name, at) => {
    const size = sizeOf(name, widths);
    const least = leastOf(name, widths);
    const grows = isGrown
      ? name === GROWING
      : hasUnset
        ? widths[name] === undefined
        : at === columns.length - 1;
    if (grows) return `minmax(${least}px,${size}fr)`;
    return least === size ? `${size}px` : `minmax(${least}px,${size}px)`;
  });
  return {
    '--columns': [`${SELECT_PX}px`, ...sizes].join(' '),
    '--row-width': `${total(columns, widths)}px`,
  };
}

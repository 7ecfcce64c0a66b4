import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { contracts, resourceNames } from '../../../api/contract/contracts.ts';
import { partLabel, pathLabel } from '../../fields/field-labels.ts';

export const WIDTH_MIN = 60;
export const WIDTH_MAX = 800;

const counts = {
  'counts.agents': msg`Active agents`,
  'counts.affiliatedAgents': msg`Affiliated agents`,
  'counts.branches': msg`Branches`,
};

export function columnLabel(i18n: I18n, resource: ResourceName, name: string): string {
  if (name in counts) return i18n._(counts[name as keyof typeof counts]);
  if (name === 'displayName') return i18n._(msg`Name`);
  const [field = '', part] = name.split('.');
  // The parts of the address by themselves: their columns are the usual ones.
  return field === 'address' && part !== undefined
    ? partLabel(i18n, field, part)
    : pathLabel(i18n, resource, name);
}

const widths: Readonly<Record<string, number>> = {
  name: 240,
  displayName: 250,
  status: 96,
  officeId: 200,
  email: 230,
  phone: 160,
  nextLicenseExpiresOn: 150,
  updatedAt: 140,
  version: 80,
  id: 290,
};

const defaultWidth = (name: string) => widths[name] ?? 150;

const sorts: ReadonlyMap<string, string> = new Map(
  resourceNames.flatMap((name) => {
    const { nameField, nameSort } = contracts[name];
    const own = contracts[name].sorts.filter((sort) => !sort.startsWith('-'));
    return [...own.map((sort) => [sort, sort] as const), [nameField, nameSort] as const];
  }),
);

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
export const sortOf = (name: string, current = ''): string | undefined =>
  sortedNamePart(name, current) ?? sorts.get(name);

/** The sort after a press on a column: at first the latest times, but the earliest names and licences. */
export function nextSort(name: string, current: string): string {
  const sort = sortOf(name, current) ?? '';
  if (current === sort) return `-${sort}`;
  if (current === `-${sort}`) return sort;
  return name.endsWith('At') ? `-${sort}` : sort;
}

/** The width of the column of the boxes that select, in pixels; the same as `start-10` of the column after it. */
const SELECT_PX = 40;

/** The part of its default width that a column keeps where there is less room. */
const SHRINK_MIN = 0.7;

type Widths = Readonly<Record<string, number>>;

const total = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, SELECT_PX);

function sizesOf(columns: readonly string[], widths: Widths, available: number): number[] {
  const set = total(columns.map((name) => widths[name] ?? 0));
  const flexible = total(columns.map((name) => (widths[name] === undefined ? defaultWidth(name) : 0)));
  const part = Math.min(1, Math.max(SHRINK_MIN, (available - set) / (flexible - SELECT_PX)));
  return columns.map((name) => widths[name] ?? Math.floor(defaultWidth(name) * part));
}

/** The first columns, as many as fit without scrolling; the first of all is always among them. */
export function fittingColumns(columns: readonly string[], widths: Widths, available: number): string[] {
  const fitting = [...columns];
  while (fitting.length > 1 && total(sizesOf(fitting, widths, available)) > available) fitting.pop();
  return fitting;
}

/**
 * The columns of every row and their width together, as properties for styles; the last column takes what is left.
 *
 * @param room.available how wide the list is, in pixels
 */
export function rowSizes(
  columns: readonly string[],
  widths: Widths,
  { isCard, available }: { isCard: boolean; available: number },
): Readonly<Record<string, string>> {
  if (isCard) {
    const template = `${SELECT_PX}px minmax(0,1fr)${columns.includes('status') ? ' 5.5rem' : ''}`;
    return { '--columns': template, '--row-width': '0' };
  }
  const sizes = sizesOf(columns, widths, available);
  const width = total(sizes);
  const last = sizes.pop() ?? 0;
  const template = [SELECT_PX, ...sizes].map((size) => `${size}px`).join(' ');
  return { '--columns': `${template} minmax(${last}px,1fr)`, '--row-width': `${width}px` };
}

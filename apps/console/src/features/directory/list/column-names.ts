import { contracts, type ResourceName } from '../../../api/contract/contracts.ts';
import { columnsOf, defaultColumnsOf } from '../../../resources/index.ts';
import type { SearchParams } from '../../../ui/browser/search-params.ts';
import { keep, readKept } from '../../../ui/browser/storage.ts';

export interface ColumnPreferences {
  names?: string[];
  /** In pixels. */
  widths?: Record<string, number>;
}

const storageKey = (resource: ResourceName) => `roster.columns.${resource}`;

export function columnPreferences(resource: ResourceName): ColumnPreferences {
  return readKept<ColumnPreferences>(storageKey(resource)) ?? {};
}

export function rememberColumns(resource: ResourceName, change: ColumnPreferences): void {
  keep(storageKey(resource), { ...columnPreferences(resource), ...change });
}

export function hasDefaultColumns(resource: ResourceName, { columns }: SearchParams): boolean {
  return columns === undefined && columnPreferences(resource).names === undefined;
}

/**
 * The visible columns in their order: those of the URL, otherwise those that the browser remembers, otherwise the default ones.
 * Names that the list does not have are left out. The column of the name is always there, as it opens the record.
 */
export function visibleColumns(resource: ResourceName, { columns }: SearchParams): string[] {
  const given = columns === undefined ? columnPreferences(resource).names : [columns].flat();
  const known = (given ?? []).filter((name) => columnsOf(resource).includes(name));
  if (known.length === 0) return [...defaultColumnsOf(resource)];
  const name = contracts[resource].nameField;
  return known.includes(name) ? [...new Set(known)] : [name, ...new Set(known)];
}

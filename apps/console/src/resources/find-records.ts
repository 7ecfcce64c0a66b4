import { contracts, embeddedParent, type ResourceName } from '../api/contract/contracts.ts';
import { resources } from './index.ts';
import { type DirectoryRecord, nameOf, valueAt } from './record.ts';
import { callsOf } from './record-calls.ts';

const FOUND_MAX = 10;

export function detailOf(resource: ResourceName, record: DirectoryRecord): string | undefined {
  const details = resources[resource].detailPaths.map((path) => valueAt(record, path));
  return details.filter((one) => typeof one === 'string').join(' · ') || undefined;
}

/**
 * Finds records for a combobox: the best matches of a text, or the first by name for none.
 * @param filter more parameters of the list, such as `{ status: 'active' }`
 */
export function findRecords(resource: ResourceName, filter: Readonly<Record<string, string>> = {}) {
  const parent = embeddedParent(resource);
  const expanded = parent === undefined ? {} : { expand: parent };
  return async (text: string, signal: AbortSignal) => {
    const order = text === '' ? { sort: contracts[resource].nameSort } : { q: text, sort: 'relevance' };
    const { items } = await callsOf(resource).list.query(
      { ...filter, ...expanded, ...order, limit: FOUND_MAX },
      { signal },
    );
    return items.map((record) => ({
      id: record.id,
      label: nameOf(record),
      detail: detailOf(resource, record),
    }));
  };
}

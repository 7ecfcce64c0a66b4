import type { ComboboxOption } from '../components/forms/combobox.tsx';
import { contracts, type ResourceName } from '../contract/contracts.ts';
import { type DirectoryRecord, nameOf } from '../resources/record.ts';
import { callsOf } from '../resources/record-calls.ts';

const FOUND_MAX = 10;

/** The detail that tells a record from others of its name: where an office is, how to write to an agent. */
function detailOf({ address, email, title, mlsId }: DirectoryRecord): string | undefined {
  const { city } = (address ?? {}) as { city?: string | null };
  const details = [title, city, mlsId ?? email].filter((one) => typeof one === 'string');
  return details.length === 0 ? undefined : details.join(' · ');
}

/**
 * Finds records for a combobox: the best matches of a text, or the first by name for none.
 * @param filter more parameters of the list, such as `{ status: 'active' }`
 */
export function findRecords(resource: ResourceName, filter: Readonly<Record<string, string>> = {}) {
  return async (text: string, signal: AbortSignal): Promise<readonly ComboboxOption[]> => {
    const order = text === '' ? { sort: contracts[resource].nameSort } : { q: text, sort: 'relevance' };
    const { items } = await callsOf(resource).list.query(
      { ...filter, ...order, limit: FOUND_MAX },
      { signal },
    );
    return items.map((record) => ({ id: record.id, label: nameOf(record), detail: detailOf(record) }));
  };
}

import { roster } from '../api/client.ts';
import type { ComboboxOption } from '../components/combobox.tsx';
import type { ResourceName } from '../list/queries.ts';

const FOUND_MAX = 10;

interface Found {
  id: string;
  name?: string;
  displayName?: string;
  email?: string | null;
  address?: { city?: string | null } | null;
}

/**
 * Finds active records for a combobox: the best matches of a text, or the first by name for none. What tells namesakes apart is
 * where an office is, and the e-mail address of an agent.
 */
export function findRecords(resource: ResourceName) {
  return async (text: string, signal: AbortSignal): Promise<ComboboxOption[]> => {
    const order = text === '' ? {} : { q: text, sort: 'relevance' as const };
    const input = { status: 'active' as const, limit: FOUND_MAX, ...order };
    const { items } =
      resource === 'offices'
        ? await roster.offices.list.query({ sort: 'name', ...input }, { signal })
        : await roster.agents.list.query({ sort: 'lastName', ...input }, { signal });
    return (items as Found[]).map(({ id, name, displayName, email, address }) => ({
      id,
      label: displayName ?? name ?? id,
      detail: (resource === 'offices' ? address?.city : email) ?? undefined,
    }));
  };
}

import type { ListedAgent, ListedOffice } from '@roster/client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { roster } from '../api/client.ts';
import type { SearchParams } from '../app/search-params.ts';

/** The records of one page of a list. */
const PAGE_SIZE = 100;

/** A page of either resource. */
export interface RecordPage {
  items: (ListedAgent | ListedOffice)[];
  nextCursor?: string;
  prevCursor?: string;
  total?: number;
}

export type ResourceName = 'offices' | 'agents';

/** A list with the filters and the order of its URL, in pages both ways. */
export function listQuery(resource: ResourceName, search: SearchParams) {
  const input = {
    ...search,
    limit: PAGE_SIZE,
    includeTotal: true,
    ...(resource === 'agents' && { expand: 'office' }),
  };
  return infiniteQueryOptions({
    queryKey: [resource, 'pages', input] as const,
    queryFn: ({ pageParam, signal }): Promise<RecordPage> => {
      const query = { ...input, ...(pageParam !== undefined && { cursor: pageParam }) } as object;
      return resource === 'offices'
        ? roster.offices.list.query(query, { signal })
        : roster.agents.list.query(query, { signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    getPreviousPageParam: (page) => page.prevCursor,
  });
}

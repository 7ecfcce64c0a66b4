import type { HistoryPage, RecordChange } from '@roster/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ResourceName } from '../contract/contracts.ts';
import { callsOf } from '../resources/record-calls.ts';

/** The changes of one page. */
const PAGE_SIZE = 50;

export interface RecordHistory {
  /** Those that are loaded, newest first. */
  changes: RecordChange[];
  error: unknown;
  isLoading: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  reload: () => void;
}

/** The changes of a record, page by page. A change by anyone is there at once. */
export function useHistory(resource: ResourceName, id: string): RecordHistory {
  const query = useInfiniteQuery({
    queryKey: [resource, 'history', { id }] as const,
    queryFn: ({ pageParam, signal }): Promise<HistoryPage> =>
      callsOf(resource).history.query({ id, limit: PAGE_SIZE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
  });
  return {
    changes: query.data?.pages.flatMap(({ items }) => items) ?? [],
    error: query.error,
    isLoading: query.isPending,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    reload: () => void query.refetch(),
  };
}

import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { calls, type Inputs, type Outputs } from './client.ts';

interface Page<Item> {
  items: Item[];
  nextCursor?: string | undefined;
}

type ItemOf<Output> = Output extends Page<infer Item> ? Item : never;

/** The parameters of an operation by their names. Their values are those of a URL, which the service checks. */
type Named<Input> = Readonly<Partial<Record<keyof NonNullable<Input>, unknown>>>;

interface PagesOptions<Item> {
  refetchMs?: number | false | ((rows: Item[], readCount: number) => number | false);
  isEnabled?: boolean;
}

interface PagesQuery<Item> extends PagesOptions<Item> {
  queryKey: QueryKey;
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>;
}

const firstCursor: string | undefined = undefined;

export function usePagesOf<Item>({ queryKey, read, refetchMs = false, isEnabled = true }: PagesQuery<Item>) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: firstCursor,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      typeof refetchMs === 'function'
        ? refetchMs(data?.pages.flatMap(({ items }) => items) ?? [], dataUpdateCount)
        : refetchMs,
    enabled: isEnabled,
  });
  return {
    rows: query.data?.pages.flatMap(({ items }) => items),
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}

export type Pages<Item> = ReturnType<typeof usePagesOf<Item>>;

/**
 * A list of an operation that is read page by page, for lists of some hundred rows. Its key is `[resource, procedure, input, 'pages']`.
 */
export function usePages<R extends keyof Outputs & string, P extends keyof Outputs[R] & string>(
  resource: R,
  procedure: P,
  input: P extends keyof Inputs[R] ? Named<Inputs[R][P]> : never,
  options: PagesOptions<ItemOf<Outputs[R][P]>> = {},
): Pages<ItemOf<Outputs[R][P]>> {
  return usePagesOf({
    queryKey: [resource, procedure, input, 'pages'],
    read: (cursor, signal) =>
      calls.query<Page<ItemOf<Outputs[R][P]>>>(
        `${resource}.${procedure}`,
        Object.assign({}, input, { cursor }),
        { signal },
      ),
    ...options,
  });
}

import type { RosterError } from '@roster/client';
import { expansionsOf } from '@roster/import/people';
import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { queryClient } from '../../../api/client.ts';
import { contracts, type ResourceName } from '../../../api/contract/contracts.ts';
import type { RecordPage } from '../../../resources/record.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import type { SearchParams } from '../../../ui/browser/search-params.ts';
import { visibleColumns } from './column-names.ts';

const PAGE_SIZE = 100;

const ownParameters = new Set(['view', 'columns']);

export interface ListRequest {
  resource: ResourceName;
  filter: Record<string, string | string[]>;
  sort: string;
  /** Added to each record: the office, the place of work, or counts. */
  expand: readonly string[];
}

function defaultSort(resource: ResourceName, q: unknown): string {
  if (q !== undefined) return 'relevance';
  return contracts[resource].nameSort;
}

export function unknownParameters(resource: ResourceName, search: SearchParams): string[] {
  const { filters, sorts } = contracts[resource];
  const known = new Set(['q', ...ownParameters, ...filters.map(({ name }) => name)]);
  return Object.entries(search)
    .filter(([name, value]) =>
      name === 'sort'
        ? value !== undefined && !sorts.includes(String(value))
        : value !== undefined && !known.has(name),
    )
    .map(([name]) => name);
}

/** The list that a URL shows, without what no list has. */
export function requestOf(resource: ResourceName, search: SearchParams): ListRequest {
  const unknown = unknownParameters(resource, search);
  const { sort, ...others } = Object.fromEntries(
    Object.entries(search).filter(([name]) => !unknown.includes(name)),
  );
  const filter: ListRequest['filter'] = {};
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined && !ownParameters.has(name)) filter[name] = value;
  }
  const isRanked = filter.q !== undefined;
  const given = typeof sort === 'string' && (isRanked || sort !== 'relevance') ? sort : undefined;
  return {
    resource,
    filter,
    sort: given ?? defaultSort(resource, filter.q),
    expand: expansionsOf(visibleColumns(resource, search), contracts[resource]),
  };
}

export function listInput({ filter, sort, expand }: ListRequest) {
  return {
    ...filter,
    sort,
    // A list of one is no value where there is one expansion alone.
    ...(expand.length > 0 && { expand: expand.length === 1 ? expand[0] : expand }),
    ...(filter.q !== undefined && { highlight: true }),
  };
}

/** The number of records that a list would have. */
export function countQuery(resource: ResourceName, search: SearchParams) {
  const { filter } = requestOf(resource, search);
  const input = { ...filter, limit: 1, includeTotal: true };
  return queryOptions({
    queryKey: [resource, 'list', 'count', input] as const,
    queryFn: ({ signal }) => callsOf(resource).list.query(input, { signal }),
  });
}

/** Pages in memory at most: beyond these, the one that is farthest away is dropped. */
const PAGES_MAX = 10;

/** The place of a page, and what was known when it was asked for. */
interface PagePlace {
  cursor?: string | undefined;
  /** The number of records before it, if that is known: not after a jump. */
  offset?: number | undefined;
  total?: number | undefined;
}

export type ListPages = InfiniteData<RecordPage, PagePlace>;

/** The pages of a list, in both directions from its start, or from a value of its sort to which someone has jumped. */
export function listQuery(request: ListRequest, startAt?: string) {
  const input = { ...listInput(request), limit: PAGE_SIZE, ...(startAt !== undefined && { startAt }) };
  const queryKey = [request.resource, 'list', input] as const;
  const start: PagePlace = startAt === undefined ? { offset: 0 } : {};
  return infiniteQueryOptions<RecordPage, RosterError, ListPages, typeof queryKey, PagePlace>({
    queryKey,
    queryFn: ({ pageParam: { cursor }, signal }) => {
      const known: ListPages | undefined = queryClient.getQueryData(queryKey);
      // Counted with the first page that is read, and with the first of those that are read again.
      const isCounted = cursor === known?.pageParams[0]?.cursor;
      const place = { ...(cursor !== undefined && { cursor }), ...(isCounted && { includeTotal: true }) };
      return callsOf(request.resource).list.query({ ...input, ...place }, { signal });
    },
    initialPageParam: start,
    getNextPageParam: ({ nextCursor, items, total }, _, place) =>
      nextCursor === undefined
        ? undefined
        : {
            cursor: nextCursor,
            offset: place.offset === undefined ? undefined : place.offset + items.length,
            total: total ?? place.total,
          },
    getPreviousPageParam: ({ prevCursor, total }, _, place) =>
      prevCursor === undefined
        ? undefined
        : {
            cursor: prevCursor,
            offset: place.offset === undefined ? undefined : Math.max(0, place.offset - PAGE_SIZE),
            total: total ?? place.total,
          },
    maxPages: PAGES_MAX,
  });
}

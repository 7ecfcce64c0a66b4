import type { RosterError } from '@roster/client';
import { queryOptions } from '@tanstack/react-query';
import { contracts, embeddedParent, type ResourceName } from '../contract/contracts.ts';
import type { SearchParams } from '../page/search-params.ts';
import type { RecordPage } from '../resources/record.ts';
import { callsOf } from '../resources/record-calls.ts';
import { visibleColumns } from './column-names.ts';

/** The records of one page of a list. */
export const PAGE_SIZE = 100;

/** The parameters in the URL of a list that are none of the API. */
const ownParameters = new Set(['view', 'columns']);

/** Which records a list shows, and in which order. */
export interface ListRequest {
  resource: ResourceName;
  /** The filters, as the API takes them. */
  filter: Record<string, string | string[]>;
  sort: string;
  /** The part that is embedded in each record. */
  expand: string | undefined;
}

/** The order of a list unless the URL has another one: the best matches of a search, otherwise by name. */
function defaultSort(resource: ResourceName, q: unknown): string {
  if (q !== undefined) return 'relevance';
  return contracts[resource].nameSort;
}

/** The parameters of a URL that the list of a resource does not have, and a sort that it does not know. */
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
  const showsCounts =
    contracts[resource].expansions.includes('counts') &&
    visibleColumns(resource, search).some((name) => name.startsWith('counts.'));
  return {
    resource,
    filter,
    sort: given ?? defaultSort(resource, filter.q),
    expand: embeddedParent(resource) ?? (showsCounts ? 'counts' : undefined),
  };
}

/** The input of a list's procedure without what says which page. */
export function listInput({ filter, sort, expand }: ListRequest) {
  return {
    ...filter,
    sort,
    ...(expand !== undefined && { expand }),
    ...(filter.q !== undefined && { highlight: true }),
  };
}

/** The first page of a list, with the number of all that match. */
export function firstPageQuery(request: ListRequest) {
  const input = { ...listInput(request), limit: PAGE_SIZE, includeTotal: true };
  return queryOptions<RecordPage, RosterError>({
    queryKey: [request.resource, 'list', input] as const,
    queryFn: ({ signal }) => callsOf(request.resource).list.query(input, { signal }),
    // While one types a search there are many of them.
    gcTime: 60_000,
  });
}

import type { RosterError } from '@roster/client';
import { queryOptions } from '@tanstack/react-query';
import { contracts, embeddedParent, type ResourceName } from '../../../api/contract/contracts.ts';
import type { RecordPage } from '../../../resources/record.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import type { SearchParams } from '../../../ui/browser/search-params.ts';
import { visibleColumns } from './column-names.ts';

export const PAGE_SIZE = 100;

const ownParameters = new Set(['view', 'columns']);

export interface ListRequest {
  resource: ResourceName;
  filter: Record<string, string | string[]>;
  sort: string;
  expand: string | undefined;
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

export function listInput({ filter, sort, expand }: ListRequest) {
  return {
    ...filter,
    sort,
    ...(expand !== undefined && { expand }),
    ...(filter.q !== undefined && { highlight: true }),
  };
}

export function firstPageQuery(request: ListRequest) {
  const input = { ...listInput(request), limit: PAGE_SIZE, includeTotal: true };
  return queryOptions<RecordPage, RosterError>({
    queryKey: [request.resource, 'list', input] as const,
    queryFn: ({ signal }) => callsOf(request.resource).list.query(input, { signal }),
    // While one types a search there are many of them.
    gcTime: 60_000,
  });
}

import type { ListedAgent, ListedOffice, RosterError } from '@roster/client';
import { queryOptions } from '@tanstack/react-query';
import { roster } from '../api/client.ts';
import type { ResourceName } from '../contract/contracts.ts';
import type { SearchParams } from '../page/search-params.ts';
import { visibleColumns } from './column-names.ts';

/** The records of one page of a list. */
export const PAGE_SIZE = 100;

/** What the URL of a list holds beside the parameters of the API. */
const ownParameters = new Set(['view', 'columns']);

/** A record of either list. */
export type ListedRecord = ListedAgent | ListedOffice;

/** A part of a field that the search has found. */
export interface Highlight {
  field: string;
  start: number;
  end: number;
}

/** A page of either list. */
export interface RecordPage {
  items: ListedRecord[];
  nextCursor?: string | undefined;
  prevCursor?: string | undefined;
  total?: number | undefined;
  isSimilar?: boolean | undefined;
  highlights?: Highlight[][] | undefined;
}

/** Which records a list shows, and in which order. */
export interface ListRequest {
  resource: ResourceName;
  /** The filters, as the API takes them. */
  filter: Record<string, string | string[]>;
  sort: string;
  /** What is embedded in each record. */
  expand: 'office' | 'counts' | undefined;
}

/** The order of a list unless the URL has another one: the best matches of a search, otherwise by name. */
function defaultSort(resource: ResourceName, q: unknown): string {
  if (q !== undefined) return 'relevance';
  return resource === 'agents' ? 'lastName' : 'name';
}

/** The list that a URL shows. */
export function requestOf(resource: ResourceName, search: SearchParams): ListRequest {
  const { sort, ...others } = search;
  const filter: ListRequest['filter'] = {};
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined && !ownParameters.has(name)) filter[name] = value;
  }
  const isRanked = filter.q !== undefined;
  const given = typeof sort === 'string' && (isRanked || sort !== 'relevance') ? sort : undefined;
  const hasCounts = visibleColumns(resource, search).some((name) => name.startsWith('counts.'));
  return {
    resource,
    filter,
    sort: given ?? defaultSort(resource, filter.q),
    expand: resource === 'agents' ? 'office' : hasCounts ? 'counts' : undefined,
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

/** Calls the list of a resource. Throws a {@link RosterError}. */
export function readPage(resource: ResourceName, input: object, signal?: AbortSignal): Promise<RecordPage> {
  const options = signal === undefined ? {} : { signal };
  return resource === 'offices'
    ? roster.offices.list.query(input, options)
    : roster.agents.list.query(input, options);
}

/** The first page of a list, with the number of all that match. */
export function firstPageQuery(request: ListRequest) {
  const input = { ...listInput(request), limit: PAGE_SIZE, includeTotal: true };
  return queryOptions<RecordPage, RosterError>({
    queryKey: [request.resource, 'list', input] as const,
    queryFn: ({ signal }) => readPage(request.resource, input, signal),
    // While one types a search there are many of them.
    gcTime: 60_000,
  });
}

/** The name of a record, as people say it. */
export function nameOf(record: ListedRecord): string {
  return 'displayName' in record ? record.displayName : record.name;
}

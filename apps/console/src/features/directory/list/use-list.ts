import { useQuery } from '@tanstack/react-query';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import type { RecordPage } from '../../../resources/record.ts';
import { recordCreated } from '../../../resources/record-calls.ts';
import { ListStore } from './list-store.ts';
import { firstPageQuery, type ListRequest } from './queries.ts';

/** The list that each resource showed last: it is there again when one comes back to it. */
const stores = new Map<ResourceName, ListStore>();

const keyOf = (request: ListRequest) => JSON.stringify(request);

const hasFirstRecords = (store: ListStore, page: RecordPage | undefined) =>
  store.state().total === 0 && page !== undefined && page.items.length > 0;

/** The store of a list; while its first page is read, that of the list before. */
function storeFor(request: ListRequest, page: RecordPage | undefined): ListStore | undefined {
  const known = stores.get(request.resource);
  const isKnown = known !== undefined && keyOf(known.request) === keyOf(request);
  if (isKnown && !hasFirstRecords(known, page)) return known;
  if (page === undefined) return known;
  known?.dispose();
  const store = new ListStore(request, page);
  stores.set(request.resource, store);
  return store;
}

/** Reads what the list of a resource shows again, because the page has added to it. If that fails, the list stays as it was. */
function refreshList(resource: ResourceName): void {
  void stores
    .get(resource)
    ?.refresh()
    .catch(() => undefined);
}

recordCreated.listen(refreshList);

export function useList(request: ListRequest) {
  const { data, error, refetch, isFetching } = useQuery(firstPageQuery(request));
  const store = storeFor(request, data);
  const isCurrent = store !== undefined && keyOf(store.request) === keyOf(request);
  return { store, firstPage: data, error: isCurrent ? null : error, refetch, isFetching, isCurrent };
}

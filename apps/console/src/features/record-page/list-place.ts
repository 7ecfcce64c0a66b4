import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ResourceName } from '../../api/contract/contracts.ts';
import type { SearchParams } from '../../ui/browser/search-params.ts';
import type { Place } from '../../ui/place-arrows.tsx';
import { listQuery, requestOf } from '../directory/list/queries.ts';
import { recordPath } from '../record/record-context.ts';

/** The place of a record's page in its list; undefined if it is not among the rows that the list has in memory. */
export function useListPlace(resource: ResourceName, id: string): Place | undefined {
  const navigate = useNavigate();
  const search: SearchParams = useSearch({ strict: false });
  // The list below the page reads it.
  const { data } = useInfiniteQuery({ ...listQuery(requestOf(resource, search)), enabled: false });
  const ids = data?.pages.flatMap(({ items }) => items.map((record) => record.id)) ?? [];
  const at = ids.indexOf(id);
  const [first] = data?.pages ?? [];
  const [place] = data?.pageParams ?? [];
  if (first === undefined || at < 0) return undefined;
  const offset = first.prevCursor === undefined ? 0 : place?.offset;
  const opening = (other: string | undefined) =>
    other === undefined
      ? undefined
      : () => void navigate({ to: `${recordPath(resource)}/page`, params: { id: other }, search: true });
  return {
    position: offset === undefined ? undefined : offset + at + 1,
    total: first.total ?? place?.total,
    onPrevious: opening(ids[at - 1]),
    onNext: opening(ids[at + 1]),
  };
}

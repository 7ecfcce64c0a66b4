import type { ResourceName } from '../../../api/contract/contracts.ts';
import type { SearchParams } from '../../../ui/browser/search-params.ts';
import type { ListRequest } from './queries.ts';
import type { List } from './use-list.ts';

export interface ListView {
  resource: ResourceName;
  search: SearchParams;
  request: ListRequest;
  /** Undefined until the first page was read. */
  list: List | undefined;
  /** Goes to the first record from a value of the sort on. */
  jumpTo: (startAt: string) => void;
  columns: readonly string[];
  /** In pixels; others have their default width. */
  widths: Readonly<Record<string, number>>;
  /** Changes parameters of the URL; undefined removes one. */
  change: (changed: SearchParams) => void;
  replace: (search: SearchParams) => void;
  setColumns: (names: string[], widths?: Record<string, number>) => void;
  readWidths: () => void;
}

export function withoutFilters({ sort, columns }: SearchParams): SearchParams {
  return {
    ...(sort !== undefined && sort !== 'relevance' && { sort }),
    ...(columns !== undefined && { columns }),
  };
}

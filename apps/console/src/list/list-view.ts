import type { ResourceName } from '../contract/contracts.ts';
import type { SearchParams } from '../page/search-params.ts';
import type { ListStore } from './list-store.ts';
import type { ListRequest } from './queries.ts';

/** A list as the parts of the page around the grid see and change it. */
export interface ListView {
  resource: ResourceName;
  /** The parameters of the URL. */
  search: SearchParams;
  request: ListRequest;
  /** Undefined until the first page was read. */
  store: ListStore | undefined;
  /** The visible columns in their order. */
  columns: readonly string[];
  /** In pixels; others have their default width. */
  widths: Readonly<Record<string, number>>;
  /** Changes parameters of the URL; undefined removes one. */
  change: (changed: SearchParams) => void;
  /** Replaces all parameters of the URL. */
  replace: (search: SearchParams) => void;
  /** Shows columns, and remembers them in this browser. */
  setColumns: (names: string[], widths?: Record<string, number>) => void;
  /** Takes over the widths that the browser remembers now. */
  readWidths: () => void;
}

/** The URL of a list without filters: what is left are the order, the columns and the view. */
export function withoutFilters({ sort, columns }: SearchParams): SearchParams {
  return {
    ...(sort !== undefined && sort !== 'relevance' && { sort }),
    ...(columns !== undefined && { columns }),
  };
}

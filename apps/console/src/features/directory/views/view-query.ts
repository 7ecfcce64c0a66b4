import type { View } from '@roster/client';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import type { SearchParams } from '../../../ui/browser/search-params.ts';
import { columnPreferences, rememberColumns } from '../list/column-names.ts';
import type { ListView } from '../list/list-view.ts';

type SavedQuery = View['query'];

/** The parameters of a URL that a view holds: all but the view itself, and the columns, which it holds apart. */
export function queryOf({ view: _, columns: _columns, ...search }: SearchParams): SavedQuery {
  const query: SavedQuery = {};
  for (const [name, value] of Object.entries(search)) if (value !== undefined) query[name] = value;
  return query;
}

export function columnsOf({ columns, widths }: Pick<ListView, 'columns' | 'widths'>): View['columns'] {
  return columns.map((name) => ({ name, ...(widths[name] !== undefined && { width: widths[name] }) }));
}

export function searchOf({ id, query, columns }: Pick<View, 'id' | 'query' | 'columns'>): SearchParams {
  const names = columns.filter(({ isHidden }) => isHidden !== true).map(({ name }) => name);
  return { ...query, ...(names.length > 0 && { columns: names }), view: id };
}

export function rememberWidths(resource: ResourceName, { columns }: Pick<View, 'columns'>): void {
  const widths = columns.flatMap(({ name, width }) => (width === undefined ? [] : [[name, width]]));
  const before = columnPreferences(resource).widths;
  rememberColumns(resource, { widths: { ...before, ...Object.fromEntries(widths) } });
}

const sorted = (query: SavedQuery) =>
  JSON.stringify(
    Object.entries(query)
      .map(([name, value]) => [name, [value].flat()])
      .toSorted(([one], [other]) => String(one).localeCompare(String(other))),
  );

/**
 * Whether a list shows something else than its view: other filters, another order, or other columns. Widths are no difference, as
 * they depend on the screen.
 */
export function isDirty(view: Pick<View, 'id' | 'query' | 'columns'>, search: SearchParams): boolean {
  const { columns: saved } = searchOf(view);
  const shown = search.columns === undefined ? undefined : [search.columns].flat();
  return sorted(queryOf(search)) !== sorted(view.query) || saved?.toString() !== shown?.toString();
}

/** The change of a saved query into another one, as a merge patch: what is no longer there is null. */
export function queryPatch(before: SavedQuery, after: SavedQuery): Record<string, string | string[] | null> {
  const gone = Object.keys(before).filter((name) => !(name in after));
  return { ...Object.fromEntries(gone.map((name) => [name, null])), ...after };
}

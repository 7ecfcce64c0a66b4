import { Trans, useLingui } from '@lingui/react/macro';
import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState, useSyncExternalStore } from 'react';
import { type SearchParams, stringifySearch } from '../app/search-params.ts';
import { ErrorBox } from '../components/error-text.tsx';
import { notify } from '../components/notices.tsx';
import { columnPreferences, rememberColumns, visibleColumns } from './column-names.ts';
import { nextSort } from './columns.ts';
import { ListGrid } from './grid.tsx';
import { type ResourceName, requestOf } from './queries.ts';
import { SearchBox } from './search-box.tsx';
import { allSelected, extend, nothingSelected, type Picked, toggle } from './selection.ts';
import { useList } from './use-list.ts';

const narrowWindow = matchMedia('(width < 64rem)');

function subscribeToWindow(listener: () => void): () => void {
  narrowWindow.addEventListener('change', listener);
  return () => narrowWindow.removeEventListener('change', listener);
}

/** Whether an open record covers the list. */
function useIsNarrowWindow(): boolean {
  return useSyncExternalStore(subscribeToWindow, () => narrowWindow.matches);
}

/** The list of a resource, as its URL says. */
function RecordList({ resource }: { resource: ResourceName }) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const search: SearchParams = useSearch({ strict: false });
  const { id: openId } = useParams({ strict: false });
  const request = requestOf(resource, search);
  const { store, error, refetch, isCurrent } = useList(request);
  const [selection, setSelection] = useState(nothingSelected);
  const [widths, setWidths] = useState(() => columnPreferences(resource).widths ?? {});
  const columns = visibleColumns(resource, search);
  const total = store?.state().total;

  const change = (changed: SearchParams, isReplaced = false) =>
    void navigate({
      to: '.',
      search: (before: SearchParams) => ({ ...before, ...changed }),
      replace: isReplaced,
    });
  const pick = ({ state, leftOut }: Picked) => {
    setSelection(state);
    if (leftOut > 0) notify({ text: t`At most 200 records can be selected one by one. Select all instead.` });
  };
  const setColumns = (names: string[]) => {
    rememberColumns(resource, { names });
    change({ columns: names }, true);
  };
  const query = stringifySearch(search);
  const isCovered = useIsNarrowWindow() && openId !== undefined;
  return (
    <div className="flex min-w-0 grow flex-col" inert={isCovered}>
      <header className="flex flex-wrap items-center gap-2 px-4 py-2">
        <h1 className="font-semibold text-lg">
          {resource === 'offices' ? <Trans>Offices</Trans> : <Trans>Agents</Trans>}
        </h1>
        <span role="status" className="text-muted text-sm tabular-nums">
          {isCurrent && total !== undefined ? i18n.number(total) : ''}
        </span>
        <SearchBox
          value={typeof search.q === 'string' ? search.q : ''}
          onChange={(q) => change({ q: q === '' ? undefined : q }, true)}
        />
      </header>
      {error !== null ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : store === undefined ? null : (
        <ListGrid
          store={store}
          label={resource === 'offices' ? t`Offices` : t`Agents`}
          columns={columns}
          widths={widths}
          selection={selection}
          openId={openId}
          marks={new Map()}
          isBusy={!isCurrent}
          hrefOf={(id) => `/console/${resource}/${id}${query}`}
          onOpen={(id) =>
            void navigate({
              to: `/${resource}/$id`,
              params: { id },
              search: (before: SearchParams) => before,
            })
          }
          onSort={(name) => change({ sort: nextSort(name, request.sort) })}
          onSelectAll={() => setSelection(selection.isAll ? nothingSelected : allSelected)}
          onToggle={(id) => pick(toggle(selection, id))}
          onExtend={(ids) => pick(extend(selection, ids))}
          onClearSelection={() => setSelection(nothingSelected)}
          onMove={(name, to) => {
            const others = columns.filter((one) => one !== name);
            const at = columns.indexOf(to);
            setColumns([...others.slice(0, at), name, ...others.slice(at)]);
          }}
          onResize={(name, width) => {
            const next = { ...widths, [name]: width };
            setWidths(next);
            rememberColumns(resource, { widths: next });
          }}
        />
      )}
    </div>
  );
}

function ListPage({ resource }: { resource: ResourceName }) {
  return (
    <div className="flex h-full">
      <RecordList key={resource} resource={resource} />
      <Outlet />
    </div>
  );
}

export const AgentsPage = () => <ListPage resource="agents" />;
export const OfficesPage = () => <ListPage resource="offices" />;

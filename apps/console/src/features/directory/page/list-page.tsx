import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { FollowedEvent } from '@roster/client';
import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { contracts, type ResourceName } from '../../../api/contract/contracts.ts';
import { useEvents } from '../../../api/live.ts';
import { resources } from '../../../resources/index.ts';
import { lazyComponent } from '../../../ui/browser/lazy-components.ts';
import { type SearchParams, stringifySearch } from '../../../ui/browser/search-params.ts';
import { useShortcuts } from '../../../ui/browser/shortcuts.ts';
import { Button } from '../../../ui/button.tsx';
import { isUnreachable } from '../../../ui/error-message.ts';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { notify } from '../../../ui/notices.tsx';
import { ViewHeading } from '../../../ui/view-heading.tsx';
import {
  columnPreferences,
  hasDefaultColumns,
  rememberColumns,
  visibleColumns,
} from '../list/column-names.ts';
import { nextSort } from '../list/columns.ts';
import { ListGrid } from '../list/grid/grid.tsx';
import { afterPaint } from '../list/grid/viewport.ts';
import { type ListView, withoutFilters } from '../list/list-view.ts';
import { type ListRequest, requestOf, unknownParameters } from '../list/queries.ts';
import { allSelected, extend, nothingSelected, type Picked, toggle } from '../list/selection.ts';
import { useList } from '../list/use-list.ts';
import { ListTools } from '../list-tools/list-tools.tsx';
import { NewRecordLink } from './new-record-link.tsx';
import { SearchBox } from './search-box.tsx';
import { useCellEditing } from './use-cell-editing.tsx';

const SelectionBar = lazyComponent(() => import('../list-tools/selection-bar.tsx'), 'SelectionBar');
const ListNotes = lazyComponent(() => import('../list-tools/list-notes.tsx'), 'ListNotes');

function useListView(resource: ResourceName) {
  const navigate = useNavigate();
  const search: SearchParams = useSearch({ strict: false });
  const request = requestOf(resource, search);
  const list = useList(request);
  const [widths, setWidths] = useState(() => columnPreferences(resource).widths ?? {});
  const replace = (next: SearchParams) => void navigate({ to: '.', search: next });
  const view: ListView = {
    resource,
    search,
    request,
    store: list.store,
    columns: visibleColumns(resource, search),
    widths,
    replace,
    change: (changed) => replace({ ...search, ...changed }),
    setColumns: (names, next = widths) => {
      setWidths(next);
      rememberColumns(resource, { names, widths: next });
      replace({ ...search, columns: names });
    },
    readWidths: () => setWidths(columnPreferences(resource).widths ?? {}),
  };
  const resize = (name: string, width: number) => {
    const next = { ...widths, [name]: width };
    setWidths(next);
    rememberColumns(resource, { widths: next });
  };
  return { view, list, resize };
}

/** Removes from the URL what no list of the resource has, such as a filter that was mistyped, and says so. */
function useKnownParameters({ resource, search }: ListView): void {
  const { t } = useLingui();
  const navigate = useNavigate();
  const unknown = unknownParameters(resource, search);
  const drop = useEffectEvent(() => {
    const names = unknown.join(', ');
    notify({
      text: t`Unknown parameters in the address were ignored: ${names}`,
    });
    const known = Object.fromEntries(Object.entries(search).filter(([name]) => !unknown.includes(name)));
    void navigate({ to: '.', search: known, replace: true });
  });
  const isKnown = unknown.length === 0;
  useEffect(() => {
    if (!isKnown) drop();
  }, [isKnown]);
}

/**
 * The events of a list since it is shown: of its records, and of those that its counts may count. What looks them up is loaded after
 * its first rows.
 */
function useListEvents({ resource, expand }: ListRequest): FollowedEvent[] {
  const [events] = useState<FollowedEvent[]>([]);
  useEvents((event) => {
    if (expand === 'counts' || event.type.startsWith(`${contracts[resource].singular}.`)) events.push(event);
  });
  return events;
}

function RecordList({ resource }: { resource: ResourceName }) {
  'use no memo';
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const { id: openId } = useParams({ strict: false });
  const { view, list, resize } = useListView(resource);
  const { search, request, columns } = view;
  useKnownParameters(view);
  const { store, error, refetch, isCurrent } = list;
  const [selection, setSelection] = useState(nothingSelected);
  const searchInput = useRef<HTMLInputElement>(null);
  const total = useSyncExternalStore(store?.subscribe ?? (() => () => undefined), () => store?.state().total);
  const title = t(resources[resource].labels.many);
  const query = stringifySearch(search);
  const pick = ({ state, leftOut }: Picked) => {
    setSelection(state);
    if (leftOut > 0) notify({ text: t`You can select up to 200 records individually. Select all instead.` });
  };
  const events = useListEvents(request);
  const { editor, ...cells } = useCellEditing(resource, store);
  useShortcuts([{ keys: '/', label: msg`Search`, group: 'list', run: () => searchInput.current?.focus() }]);
  // Another list has other records.
  const [selectedOf, setSelectedOf] = useState(request.filter);
  if (JSON.stringify(selectedOf) !== JSON.stringify(request.filter)) {
    setSelectedOf(request.filter);
    if (selection !== nothingSelected) setSelection(nothingSelected);
  }
  return (
    <div className="relative flex min-w-0 grow flex-col">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 pt-3 pb-2">
        <ViewHeading title={title} className="font-semibold text-lg">
          {title}{' '}
          <span className="font-normal text-muted text-sm tabular-nums">
            {isCurrent && total !== undefined && i18n.number(total)}
          </span>
        </ViewHeading>
        <SearchBox
          ref={searchInput}
          value={typeof search.q === 'string' ? search.q : ''}
          onChange={(q) =>
            void navigate({
              to: '.',
              search: (before: SearchParams) => ({ ...before, q: q === '' ? undefined : q }),
              replace: true,
            })
          }
        />
        <NewRecordLink resource={resource} />
        <div className="min-h-9 w-full sm:min-w-96">
          <ListTools view={view} />
        </div>
      </div>
      {error !== null && (store === undefined || !isUnreachable(error)) ? (
        <div className="grow overflow-auto">
          <ErrorBox error={error} onRetry={() => void refetch()} />
          {Object.keys(request.filter).length > 0 && (
            <Button className="mx-4" onClick={() => view.replace(withoutFilters(search))}>
              <Trans>Clear filters</Trans>
            </Button>
          )}
        </div>
      ) : store === undefined ? (
        <div aria-busy role="status" aria-label={t`Loading`} className="grow" />
      ) : (
        <>
          {error !== null && (
            <div className="flex flex-wrap items-center gap-3 px-4 pb-2 text-sm text-soon" role="status">
              <Trans>Couldn't load the list. Showing the previous records.</Trans>
              <Button onClick={() => void refetch()}>
                <Trans>Retry</Trans>
              </Button>
            </div>
          )}
          <Suspense>
            <ListNotes
              view={view}
              store={store}
              firstPage={list.firstPage}
              events={events}
              isCurrent={isCurrent}
            />
          </Suspense>
          <ListGrid
            store={store}
            label={title}
            columns={columns}
            widths={view.widths}
            selection={selection}
            openId={openId}
            isBusy={!isCurrent && error === null}
            mayHideColumns={hasDefaultColumns(resource, search)}
            hrefOf={(id) => `/console/${resource}/${id}${query}`}
            onOpen={(id) => {
              afterPaint(() => void navigate({ to: `/${resource}/$id`, params: { id }, search }));
            }}
            {...cells}
            onSort={(name) => view.change({ sort: nextSort(name, request.sort) })}
            onSelectAll={() => setSelection(selection.isAll || total === 0 ? nothingSelected : allSelected)}
            onToggle={(id) => pick(toggle(selection, id))}
            onExtend={(ids) => pick(extend(selection, ids))}
            onClearSelection={() => setSelection(nothingSelected)}
            onMove={(name, to) => {
              const others = columns.filter((one) => one !== name);
              const at = columns.indexOf(to);
              view.setColumns([...others.slice(0, at), name, ...others.slice(at)]);
            }}
            onResize={resize}
          />
          <Suspense>
            {editor}
            {(selection.isAll || selection.ids.size > 0) && (
              <SelectionBar view={view} selection={selection} total={total ?? 0} onChange={setSelection} />
            )}
          </Suspense>
        </>
      )}
    </div>
  );
}

export function ListPage({ resource }: { resource: ResourceName }) {
  return (
    <div className="flex h-full">
      <RecordList key={resource} resource={resource} />
      <Outlet />
    </div>
  );
}

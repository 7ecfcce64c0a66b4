import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { FollowedEvent } from '@roster/client';
import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type RefObject, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { contracts, type ResourceName } from '../../../api/contract/contracts.ts';
import { useEvents } from '../../../api/live.ts';
import { resources } from '../../../resources/index.ts';
import { copyText } from '../../../ui/browser/clipboard.ts';
import { lazyComponent } from '../../../ui/browser/lazy-components.ts';
import { type SearchParams, stringifySearch } from '../../../ui/browser/search-params.ts';
import { useShortcuts } from '../../../ui/browser/shortcuts.ts';
import { Button } from '../../../ui/button.tsx';
import { isUnreachable } from '../../../ui/error-message.ts';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { notify } from '../../../ui/notices.tsx';
import {
  columnPreferences,
  hasDefaultColumns,
  rememberColumns,
  visibleColumns,
} from '../list/column-names.ts';
import { nextSort } from '../list/columns.ts';
import { type GridHandle, ListGrid, type Mark } from '../list/grid/grid.tsx';
import { type ListView, withoutFilters } from '../list/list-view.ts';
import { type ListRequest, requestOf, unknownParameters } from '../list/queries.ts';
import { allSelected, extend, nothingSelected, type Picked, toggle } from '../list/selection.ts';
import { useList } from '../list/use-list.ts';
import { ListNotes } from '../list-tools/list-notes.tsx';
import { ListTools } from '../list-tools/list-tools.tsx';
import { useCellEditing } from './use-cell-editing.tsx';

const SelectionBar = lazyComponent(() => import('../list-tools/selection-bar.tsx'), 'SelectionBar');

function useListView(resource: ResourceName) {
  const navigate = useNavigate();
  const search: SearchParams = useSearch({ strict: false });
  const request = requestOf(resource, search);
  const [jump, setJump] = useState<{ of: string; startAt: string }>();
  const of = JSON.stringify(request);
  const { list, ...state } = useList(request, jump?.of === of ? jump.startAt : undefined);
  const [widths, setWidths] = useState(() => columnPreferences(resource).widths ?? {});
  const replace = (next: SearchParams) => void navigate({ to: '.', search: next });
  const view: ListView = {
    resource,
    search,
    request,
    list,
    jumpTo: (startAt) => setJump({ of, startAt }),
    columns: visibleColumns(resource, search),
    widths,
    replace,
    change: (changed) => void navigate({ to: '.', search: (now: SearchParams) => ({ ...now, ...changed }) }),
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
  return { view, list, resize, jump, ...state };
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
    if (expand.includes('counts') || event.type.startsWith(`${contracts[resource].singular}.`))
      events.push(event);
  });
  return events;
}

/** The keys of the grid, which it has itself as long as it has the focus: from elsewhere they lead to it. */
function useGridShortcuts(grid: RefObject<GridHandle | null>, mayEdit: boolean): void {
  const lead = () => grid.current?.focus();
  useShortcuts([
    { keys: 'j', label: msg`Next record`, group: 'list', run: lead },
    { keys: 'k', label: msg`Previous record`, group: 'list', run: lead },
    { keys: 'x', label: msg`Select the record`, group: 'list', run: lead },
    { keys: 'Enter', label: msg`Open the record`, group: 'list' },
    ...(mayEdit
      ? [{ keys: 'F2', label: msg`Edit the cell (also E)`, group: 'list' as const, run: lead }]
      : []),
  ]);
}

/** Leads from the search, and from a jump, into the list, as soon as that has what they ask for. */
function useLeadIn(grid: RefObject<GridHandle | null>, jump: object | undefined, hasRows: boolean) {
  const [isAwaited, setAwaited] = useState(false);
  useEffect(() => {
    if (!isAwaited || !hasRows || document.querySelector('[data-modal]') !== null) return;
    grid.current?.focus('first');
    setAwaited(false);
  });
  const [jumped, setJumped] = useState(jump);
  if (jumped !== jump) {
    setJumped(jump);
    setAwaited(jump !== undefined);
  }
  return () => setAwaited(true);
}

/** The selection of a list, which is empty again once it has other filters. */
function useSelection({ request }: ListView) {
  const { t } = useLingui();
  const [selection, setSelection] = useState(nothingSelected);
  const [selectedOf, setSelectedOf] = useState(request.filter);
  if (JSON.stringify(selectedOf) !== JSON.stringify(request.filter)) {
    setSelectedOf(request.filter);
    if (selection !== nothingSelected) setSelection(nothingSelected);
  }
  const pick = ({ state, leftOut }: Picked) => {
    setSelection(state);
    if (leftOut > 0) notify({ text: t`You can select up to 200 records individually. Select all instead.` });
  };
  return { selection, setSelection, pick };
}

function RecordList({ resource }: { resource: ResourceName }) {
  'use no memo';
  const { t } = useLingui();
  const navigate = useNavigate();
  const { id: openId } = useParams({ strict: false });
  const { view, list, error, retry, isCurrent, resize, jump } = useListView(resource);
  const { search, request, columns } = view;
  useKnownParameters(view);
  const { selection, setSelection, pick } = useSelection(view);
  const [marks, setMarks] = useState<ReadonlyMap<string, Mark>>(new Map());
  const searchInput = useRef<HTMLInputElement>(null);
  const grid = useRef<GridHandle>(null);
  const title = t(resources[resource].labels.many);
  const query = stringifySearch(search);
  const events = useListEvents(request);
  const { editor, ...cells } = useCellEditing(resource, list);
  useShortcuts([{ keys: '/', label: msg`Search`, group: 'list', run: () => searchInput.current?.focus() }]);
  useGridShortcuts(grid, !cells.isReadOnly);
  const total = isCurrent ? list?.total : undefined;
  const onLeaveSearch = useLeadIn(grid, jump, isCurrent && list !== undefined && list.rows.length > 0);
  const isUnread = error !== null && (list === undefined || !isUnreachable(error));
  return (
    <div className="@container/list relative flex min-w-0 grow flex-col">
      <ListTools
        view={view}
        searchRef={searchInput}
        total={total}
        onSearch={(q) =>
          void navigate({
            to: '.',
            search: (before: SearchParams) => ({ ...before, q: q === '' ? undefined : q }),
            replace: true,
          })
        }
        onLeaveSearch={onLeaveSearch}
      />
      {isUnread ? (
        <div className="grow overflow-auto">
          <ErrorBox error={error} onRetry={retry} />
          {Object.keys(request.filter).length > 0 && (
            <Button className="mx-4" onClick={() => view.replace(withoutFilters(search))}>
              <Trans>Clear filters</Trans>
            </Button>
          )}
        </div>
      ) : list === undefined ? (
        <div aria-busy role="status" aria-label={t`Loading`} className="grow" />
      ) : (
        <>
          {error !== null && (
            <div
              className="absolute inset-x-0 bottom-4 z-20 mx-auto flex w-fit max-w-[calc(100%-2rem)] flex-wrap items-center gap-3 rounded-md bg-raised py-1.5 ps-4 pe-2 text-sm shadow-md"
              role="status"
            >
              <Trans>Couldn't load the list. Showing the previous records.</Trans>
              <Button onClick={retry}>
                <Trans>Retry</Trans>
              </Button>
            </div>
          )}
          {(list.rows.length > 0 || !isCurrent || Object.keys(request.filter).length > 0) && (
            <ListGrid
              ref={grid}
              list={list}
              marks={marks}
              label={title}
              columns={columns}
              widths={view.widths}
              selection={selection}
              openId={openId}
              isBusy={!isCurrent && error === null}
              mayHideColumns={hasDefaultColumns(resource, search)}
              hrefOf={(id) => `/console/${resource}/${id}${query}`}
              onOpen={(id) => void navigate({ to: `/${resource}/$id`, params: { id }, search })}
              onFollow={(to) => void navigate({ to })}
              onCopy={(text) =>
                void copyText(text).then((isCopied) => isCopied && notify({ text: t`Copied: ${text}` }))
              }
              {...cells}
              onSort={(name) => view.change({ sort: nextSort(request.resource, name, request.sort) })}
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
          )}
          <Suspense>
            <ListNotes view={view} list={list} events={events} isCurrent={isCurrent} setMarks={setMarks} />
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

import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { View } from '@roster/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { type Ref, Suspense, useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import { contracts } from '../../../api/contract/contracts.ts';
import {
  ArrowDownUp,
  Columns3,
  Copy,
  Ellipsis,
  FileDown,
  ListFilter,
  Navigation,
  Pencil,
  Plus,
} from '../../../icons.tsx';
import { resources } from '../../../resources/index.ts';
import { lazyComponent } from '../../../ui/browser/lazy-components.ts';
import { useShortcuts } from '../../../ui/browser/shortcuts.ts';
import { buttonClasses, classNames } from '../../../ui/button.tsx';
import { Opening } from '../../../ui/popups/held-keys.ts';
import { Menu } from '../../../ui/popups/menu.tsx';
import { Popover } from '../../../ui/popups/popover.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { ViewHeading } from '../../../ui/view-heading.tsx';
import type { ListView } from '../list/list-view.ts';
import { useSavedViews, ViewTabs } from '../views/view-tabs.tsx';
import type { Opened, PartProps } from './chips-row.tsx';
import { groupFilters } from './filters/filter-groups.ts';
import { setFilters } from './filters/filter-operators.ts';
import { sortLabel } from './sorts.ts';

const ChipsRow = lazyComponent(() => import('./chips-row.tsx'), 'ChipsRow');
const ColumnsPopover = lazyComponent(() => import('./columns-popover.tsx'), 'ColumnsPopover');
const JumpDialog = lazyComponent(() => import('./jump-dialog.tsx'), 'JumpDialog');
const ExportDialog = lazyComponent(() => import('../export/export-dialog.tsx'), 'ExportDialog');
const EditViewDialog = lazyComponent(() => import('../views/edit-view-dialog.tsx'), 'EditViewDialog');

interface ListToolsProps {
  view: ListView;
  searchRef: Ref<HTMLInputElement>;
  /** Undefined until it is known. */
  total: number | undefined;
  onSearch: (q: string) => void;
  onLeaveSearch: () => void;
}

/** The words of a button that keeps only its icon where the list is narrow. */
const word = '@max-4xl/list:sr-only';
const square = '@max-4xl/list:w-8 @max-4xl/list:p-0! max-sm:w-11! max-sm:[&_svg]:size-5!';
/** The look of a button on a telephone: an icon without an edge, or filled with room around it. */
const phoneIcon = 'max-sm:border-transparent! max-sm:[&_svg]:text-text!';
const phoneFilled = 'max-sm:-me-1 max-sm:rounded-lg! max-sm:border-4! max-sm:bg-clip-padding';

function NewRecordLink({ view: { resource } }: Pick<ListToolsProps, 'view'>) {
  const { can } = useRights();
  const navigate = useNavigate();
  const { t } = useLingui();
  const to = `/${resource}/new` as const;
  const label = resources[resource].labels.create;
  const canCreate = can(`${resource}:write`);
  useShortcuts(
    canCreate ? [{ keys: 'n', label, group: 'list', run: () => void navigate({ to, search: true }) }] : [],
  );
  if (!canCreate) return null;
  return (
    <Link to={to} search={true} className={classNames(buttonClasses('primary'), square, phoneFilled)}>
      <Plus aria-hidden />
      <span className={word}>{t(label)}</span>
    </Link>
  );
}

function SortMenu({ view, onOpen }: PartProps) {
  const { t, i18n } = useLingui();
  const { resource, request, search } = view;
  const sorts = contracts[resource].sorts.filter((sort) => sort !== 'relevance' || search.q !== undefined);
  return (
    <Menu
      label={t`Sort`}
      className="w-8 p-0! max-sm:hidden"
      trigger={<ArrowDownUp aria-hidden />}
      items={[
        ...sorts.map((sort) => ({
          id: sort,
          label: sortLabel(i18n, sort),
          isChecked: request.sort === sort,
          onSelect: () => view.change({ sort }),
        })),
        {
          id: 'jump',
          label: t`Jump to…`,
          icon: <Navigation aria-hidden />,
          group: t`In this order`,
          isDisabled: request.sort === 'relevance',
          onSelect: () => onOpen('jump'),
        },
      ]}
    />
  );
}

function MoreMenu({ view, saved, onOpen }: PartProps & { saved: View | undefined }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { resource } = view;
  return (
    <Menu
      look="quiet"
      className={classNames('w-8 p-0!', square, phoneIcon)}
      label={t`More`}
      trigger={<Ellipsis aria-hidden />}
      items={[
        {
          id: 'export',
          label: t`Export…`,
          icon: <FileDown aria-hidden />,
          onSelect: () => onOpen('export'),
        },
        {
          id: 'duplicates',
          label: t`Duplicates`,
          icon: <Copy aria-hidden />,
          onSelect: () => void navigate({ to: `/duplicates/${resource}` }),
        },
        ...(saved === undefined
          ? []
          : [
              {
                id: 'edit-view',
                label: t`Rename, share or delete the view…`,
                icon: <Pencil aria-hidden />,
                onSelect: () => onOpen('edit-view'),
              },
            ]),
      ]}
    />
  );
}

/** The toolbar of a list: title, views, search, filters, order and columns; the filters that are set have a row of their own. */
export function ListTools({ view, searchRef, total, onSearch, onLeaveSearch }: ListToolsProps) {
  const { t, i18n } = useLingui();
  const [open, setOpen] = useState<Opened>();
  const [edited, setEdited] = useState<string>();
  const { resource, search } = view;
  const { labels } = resources[resource];
  const title = t(labels.many);
  const close = () => setOpen(undefined);
  const saved = useSavedViews(resource).find(({ id }) => id === search.view);
  const hasChips = setFilters(resource, search).length > 0 || edited !== undefined;
  const filters = groupFilters(i18n, resource).map(({ name, label, group }) => ({
    id: name,
    label,
    group,
    onSelect: () => setEdited(name),
  }));
  useShortcuts([
    {
      keys: 'f',
      label: msg`Add a filter`,
      group: 'list',
      run: () => document.querySelector<HTMLElement>('[data-add-filter]')?.click(),
    },
  ]);
  return (
    <>
      <header className="relative flex min-h-14 shrink-0 items-center gap-x-2 gap-y-1.5 border-line border-b px-4 max-sm:flex-wrap max-sm:gap-x-1 max-sm:pt-1.5 max-sm:pb-2 sm:px-6">
        <ViewHeading
          title={title}
          className="me-2 flex shrink-0 items-baseline gap-1.5 font-semibold max-sm:me-auto max-sm:gap-2 max-sm:text-xl sm:text-lg"
        >
          {title}{' '}
          <span className="font-normal text-muted text-sm tabular-nums">
            {total !== undefined && i18n.number(total)}
          </span>
        </ViewHeading>
        <ViewTabs view={view} onSave={() => setOpen('new-view')} />
        <SearchBox
          ref={searchRef}
          placeholder={t(labels.search)}
          value={typeof search.q === 'string' ? search.q : ''}
          onChange={onSearch}
          onLeave={onLeaveSearch}
        />
        <Menu
          label={t`Add a filter`}
          data-add-filter=""
          className={classNames(square, phoneIcon)}
          trigger={
            <>
              <ListFilter aria-hidden />
              <span className={word}>
                <Trans>Filter</Trans>
              </span>
            </>
          }
          isSearched
          items={filters}
        />
        <SortMenu view={view} onOpen={setOpen} />
        <Popover
          label={t`Columns`}
          className="w-8 p-0! @max-lg/list:hidden max-sm:hidden"
          trigger={<Columns3 aria-hidden />}
        >
          {() => <ColumnsPopover view={view} />}
        </Popover>
        <MoreMenu view={view} saved={saved} onOpen={setOpen} />
        <NewRecordLink view={view} />
      </header>
      {(hasChips || saved !== undefined) && (
        <Suspense fallback={hasChips ? <div className="h-11 shrink-0" /> : null}>
          <ChipsRow
            view={view}
            edited={edited}
            filters={filters}
            saved={saved}
            total={total}
            onEdit={setEdited}
            onOpen={setOpen}
          />
        </Suspense>
      )}
      <Suspense fallback={<Opening />}>
        {open === 'jump' && <JumpDialog view={view} onClose={close} />}
        {open === 'export' && <ExportDialog view={view} onClose={close} />}
        {open === 'new-view' && <EditViewDialog list={view} view={undefined} onClose={close} />}
        {open === 'edit-view' && <EditViewDialog list={view} view={saved} onClose={close} />}
      </Suspense>
    </>
  );
}

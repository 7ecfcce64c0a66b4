import { Trans, useLingui } from '@lingui/react/macro';
import { ArrowDownUp, Columns3, Ellipsis, FileDown, ListFilterPlus, Navigation } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button, IconButton } from '../components/button.tsx';
import { Menu } from '../components/menu.tsx';
import { contracts } from '../contract/contracts.ts';
import { filterLabel } from '../fields/filter-labels.ts';
import { type ListView, withoutFilters } from '../list/list-view.ts';
import { lazyComponent } from '../page/lazy-components.ts';
import { FilterChips } from './filter-chips.tsx';
import { FilterEditor } from './filter-editor.tsx';
import { sortLabel } from './sorts.ts';

const ColumnsDialog = lazyComponent(() => import('./columns-dialog.tsx'), 'ColumnsDialog');
const JumpDialog = lazyComponent(() => import('./jump-dialog.tsx'), 'JumpDialog');
const ExportDialog = lazyComponent(() => import('../export/export-dialog.tsx'), 'ExportDialog');
const ViewsMenu = lazyComponent(() => import('../views/views-menu.tsx'), 'ViewsMenu');

/** The tools of a list: saved views, filters, the order, the columns, and the actions on it. */
export function ListTools({ view }: { view: ListView }) {
  const { t, i18n } = useLingui();
  const [open, setOpen] = useState<'columns' | 'jump' | 'export'>();
  const [edited, setEdited] = useState<string>();
  const { resource, request, search } = view;
  const sorts = contracts[resource].sorts.filter((sort) => sort !== 'relevance' || search.q !== undefined);
  const close = () => setOpen(undefined);
  const hasFilters = Object.keys(request.filter).length > 0;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Suspense fallback={<div className="h-9 w-20" />}>
        <ViewsMenu view={view} />
      </Suspense>
      <Menu
        label={t`Add a filter`}
        trigger={
          <>
            <ListFilterPlus aria-hidden />
            <span className="max-sm:sr-only">
              <Trans>Filter</Trans>
            </span>
          </>
        }
        items={contracts[resource].filters.map(({ name }) => ({
          id: name,
          label: filterLabel(i18n, resource, name),
          onSelect: () => setEdited(name),
        }))}
      />
      <FilterChips view={view} onEdit={setEdited} />
      {hasFilters && (
        <Button look="quiet" onClick={() => view.replace(withoutFilters(search))}>
          <Trans>Clear all</Trans>
        </Button>
      )}
      <div className="ms-auto flex items-center gap-1">
        <Menu
          look="quiet"
          label={t`Sort`}
          trigger={<ArrowDownUp aria-hidden />}
          items={sorts.map((sort) => ({
            id: sort,
            label: sortLabel(i18n, sort),
            isChecked: request.sort === sort,
            onSelect: () => view.change({ sort }),
          }))}
        />
        <IconButton label={t`Columns`} onClick={() => setOpen('columns')}>
          <Columns3 aria-hidden />
        </IconButton>
        <Menu
          look="quiet"
          label={t`More`}
          trigger={<Ellipsis aria-hidden />}
          items={[
            {
              id: 'jump',
              label: t`Jump to…`,
              icon: <Navigation aria-hidden />,
              isDisabled: request.sort === 'relevance',
              onSelect: () => setOpen('jump'),
            },
            {
              id: 'export',
              label: t`Export…`,
              icon: <FileDown aria-hidden />,
              onSelect: () => setOpen('export'),
            },
          ]}
        />
      </div>
      {edited !== undefined && (
        <FilterEditor view={view} name={edited} onClose={() => setEdited(undefined)} />
      )}
      <Suspense>
        {open === 'columns' && <ColumnsDialog view={view} onClose={close} />}
        {open === 'jump' && <JumpDialog view={view} onClose={close} />}
        {open === 'export' && <ExportDialog view={view} onClose={close} />}
      </Suspense>
    </div>
  );
}

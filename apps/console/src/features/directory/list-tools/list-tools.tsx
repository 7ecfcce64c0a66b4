import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { contracts } from '../../../api/contract/contracts.ts';
import { lazyComponent } from '../../../ui/browser/lazy-components.ts';
import { Button } from '../../../ui/button.tsx';
import {
  ArrowDownUp,
  Bookmark,
  Columns3,
  Copy,
  Ellipsis,
  FileDown,
  ListFilterPlus,
  Navigation,
} from '../../../ui/icons.tsx';
import { Opening } from '../../../ui/popups/held-keys.ts';
import { Menu } from '../../../ui/popups/menu.tsx';
import { Popover } from '../../../ui/popups/popover.tsx';
import { type ListView, withoutFilters } from '../list/list-view.ts';
import { FilterChips } from './filters/filter-chips.tsx';
import { groupFilters } from './filters/filter-groups.ts';
import { sortLabel } from './sorts.ts';

const FilterEditor = lazyComponent(() => import('./filters/filter-editor.tsx'), 'FilterEditor');
const ColumnsPopover = lazyComponent(() => import('./columns-popover.tsx'), 'ColumnsPopover');
const JumpDialog = lazyComponent(() => import('./jump-dialog.tsx'), 'JumpDialog');
const ExportDialog = lazyComponent(() => import('../export/export-dialog.tsx'), 'ExportDialog');
const ViewsMenu = lazyComponent(() => import('../views/views-menu.tsx'), 'ViewsMenu');

function ViewsButton() {
  return (
    <Button aria-busy disabled>
      <Bookmark aria-hidden />
      <Trans>Views</Trans>
    </Button>
  );
}

export function ListTools({ view }: { view: ListView }) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'jump' | 'export'>();
  const [edited, setEdited] = useState<string>();
  const { resource, request, search } = view;
  const sorts = contracts[resource].sorts.filter((sort) => sort !== 'relevance' || search.q !== undefined);
  const close = () => setOpen(undefined);
  const hasFilters = Object.keys(request.filter).length > 0;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Suspense fallback={<ViewsButton />}>
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
        isSearched
        items={groupFilters(i18n, resource).map(({ name, label, group }) => ({
          id: name,
          label,
          group,
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
        <Popover look="quiet" label={t`Columns`} trigger={<Columns3 aria-hidden />}>
          {() => <ColumnsPopover view={view} />}
        </Popover>
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
            {
              id: 'duplicates',
              label: t`Duplicates`,
              icon: <Copy aria-hidden />,
              onSelect: () => void navigate({ to: `/duplicates/${resource}` }),
            },
          ]}
        />
      </div>
      <Suspense fallback={<Opening />}>
        {edited !== undefined && (
          <FilterEditor view={view} name={edited} onClose={() => setEdited(undefined)} />
        )}
        {open === 'jump' && <JumpDialog view={view} onClose={close} />}
        {open === 'export' && <ExportDialog view={view} onClose={close} />}
      </Suspense>
    </div>
  );
}

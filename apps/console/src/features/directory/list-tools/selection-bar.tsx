import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Suspense, useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import { Ellipsis, type Icon, Pencil, X } from '../../../icons.tsx';
import { ArrowLeftRight, CircleCheck, CircleSlash, Trash2 } from '../../../more-icons.tsx';
import { resources } from '../../../resources/index.ts';
import { lazyComponent } from '../../../ui/browser/lazy-components.ts';
import { Button, classNames, IconButton, linkClasses } from '../../../ui/button.tsx';
import { Opening } from '../../../ui/popups/held-keys.ts';
import { Menu } from '../../../ui/popups/menu.tsx';
import type { ChangeType } from '../bulk/bulk-change.ts';
import type { ListView } from '../list/list-view.ts';
import {
  allSelected,
  nothingSelected,
  type SelectionState,
  selectedCount,
  selectionOf,
} from '../list/selection.ts';

const BulkDialog = lazyComponent(() => import('../bulk/bulk-dialog.tsx'), 'BulkDialog');

interface SelectionBarProps {
  view: ListView;
  selection: SelectionState;
  total: number;
  onChange: (selection: SelectionState) => void;
}

export function SelectionBar({ view, selection, total, onChange }: SelectionBarProps) {
  const { t, i18n } = useLingui();
  const { canManage } = useRights();
  const [changing, setChanging] = useState<ChangeType>();
  const count = selectedCount(selection, total);
  const all = i18n.number(total);
  // A bulk change finds the words themselves, and not records that are like them.
  const isSimilar = view.list?.isSimilar === true;
  // Without the right to change many, a selection is for nothing.
  const mayChange = canManage(`${view.resource}:write`);
  const types: { type: ChangeType; label: string; icon: Icon }[] = [
    ...(resources[view.resource].actions?.includes('transfer')
      ? [{ type: 'transfer' as const, label: t`Transfer`, icon: ArrowLeftRight }]
      : []),
    { type: 'update', label: t`Change fields`, icon: Pencil },
    { type: 'deactivate', label: t`Deactivate`, icon: CircleSlash },
  ];
  const chosen = selectionOf(selection, view.request, total);
  return (
    <section
      aria-label={t`Selection`}
      className="absolute inset-x-0 bottom-4 z-20 mx-auto flex min-h-11 w-fit max-w-[calc(100%-2rem)] flex-wrap items-center gap-x-0.5 rounded-md bg-raised py-1 ps-4 pe-1.5 text-sm shadow-md"
    >
      <span role="status" className="me-3 font-semibold">
        <Plural value={count} one="# selected" other="# selected" />
      </span>
      {!mayChange && (
        <span className="text-muted">
          <Trans>You can't change many records at once.</Trans>
        </span>
      )}
      {mayChange && !selection.isAll && count < total && !isSimilar && (
        <button
          type="button"
          className={classNames(linkClasses, 'me-2 max-sm:min-h-11')}
          onClick={() => onChange(allSelected)}
        >
          <Trans>Select all {all}</Trans>
        </button>
      )}
      {mayChange && chosen !== undefined && !(selection.isAll && isSimilar) && (
        <>
          <span className="mx-1.5 h-5 w-px bg-line" />
          {types.map(({ type, label, icon: Icon }) => (
            <Button
              key={type}
              look="quiet"
              className={type === 'deactivate' ? 'text-danger! [&_svg]:text-danger!' : ''}
              onClick={() => setChanging(type)}
            >
              <Icon aria-hidden />
              {label}
            </Button>
          ))}
          <Menu
            look="quiet"
            label={t`More changes`}
            className="w-8 p-0!"
            trigger={<Ellipsis aria-hidden />}
            items={[
              {
                id: 'reactivate',
                label: t`Reactivate`,
                icon: <CircleCheck aria-hidden />,
                onSelect: () => setChanging('reactivate'),
              },
              {
                id: 'delete',
                label: t`Delete`,
                icon: <Trash2 aria-hidden />,
                isDanger: true,
                onSelect: () => setChanging('delete'),
              },
            ]}
          />
        </>
      )}
      <span className="mx-1.5 h-5 w-px bg-line" />
      <IconButton label={t`Clear selection`} onClick={() => onChange(nothingSelected)}>
        <X aria-hidden />
      </IconButton>
      <Suspense fallback={<Opening />}>
        {changing !== undefined && chosen !== undefined && (
          <BulkDialog
            resource={view.resource}
            selection={chosen}
            type={changing}
            onClose={() => setChanging(undefined)}
          />
        )}
      </Suspense>
    </section>
  );
}

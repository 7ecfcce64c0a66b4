import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Suspense, useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import { lazyComponent } from '../../../ui/browser/lazy-components.ts';
import { Button } from '../../../ui/button.tsx';
import { Opening } from '../../../ui/popups/held-keys.ts';
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
  const [isChanging, setChanging] = useState(false);
  const count = selectedCount(selection, total);
  const all = i18n.number(total);
  // A bulk change finds the words themselves, and not records that are like them.
  const isSimilar = view.store?.state().isSimilar === true;
  // Without the right to change many, a selection is for nothing.
  const mayChange = canManage(`${view.resource}:write`);
  const chosen = selectionOf(selection, view.request, total);
  return (
    <section
      aria-label={t`Selection`}
      className="flex flex-wrap items-center gap-2 border-line border-t bg-raised px-4 py-2 text-sm"
    >
      <span role="status" className="me-2 font-medium">
        <Plural value={count} one="# selected" other="# selected" />
      </span>
      {!mayChange && (
        <span className="text-muted">
          <Trans>You can't change many records at once.</Trans>
        </span>
      )}
      {mayChange && !selection.isAll && count < total && !isSimilar && (
        <Button onClick={() => onChange(allSelected)}>
          <Trans>Select all {all} matches</Trans>
        </Button>
      )}
      {mayChange && chosen !== undefined && !(selection.isAll && isSimilar) && (
        <Button look="primary" onClick={() => setChanging(true)}>
          <Trans>Change…</Trans>
        </Button>
      )}
      <Button look="quiet" className="ms-auto" onClick={() => onChange(nothingSelected)}>
        <Trans>Clear selection</Trans>
      </Button>
      <Suspense fallback={<Opening />}>
        {isChanging && chosen !== undefined && (
          <BulkDialog resource={view.resource} selection={chosen} onClose={() => setChanging(false)} />
        )}
      </Suspense>
    </section>
  );
}

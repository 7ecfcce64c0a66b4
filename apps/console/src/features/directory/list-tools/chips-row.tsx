import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { View } from '@roster/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRights } from '../../../api/caller.ts';
import { roster } from '../../../api/client.ts';
import { Plus } from '../../../icons.tsx';
import { Button } from '../../../ui/button.tsx';
import { notifyError } from '../../../ui/error-text.tsx';
import { notify } from '../../../ui/notices.tsx';
import { Menu } from '../../../ui/popups/menu.tsx';
import type { MenuItem } from '../../../ui/popups/menu-popup.tsx';
import { type ListView, withoutFilters } from '../list/list-view.ts';
import { countQuery } from '../list/queries.ts';
import { viewsChanged } from '../views/view-changes.ts';
import { columnsOf, isDirty, queryOf, queryPatch } from '../views/view-query.ts';
import { FilterChips } from './filters/filter-chips.tsx';
import { setFilters } from './filters/filter-operators.ts';

export type Opened = 'jump' | 'export' | 'new-view' | 'edit-view';

export interface PartProps {
  view: ListView;
  onOpen: (what: Opened) => void;
}

function useSaveView(view: ListView, saved: View | undefined) {
  const { t } = useLingui();
  const { caller } = useRights();
  const { search } = view;
  const save = useMutation({
    mutationFn: async () => {
      if (saved === undefined) return;
      const { id, version, query } = saved;
      await roster.views.update.mutate({
        id,
        ifVersion: version,
        query: queryPatch(query, queryOf(search)),
        columns: columnsOf(view),
      });
    },
    onSuccess: () => notify({ text: t`View saved` }),
    onError: notifyError,
    onSettled: viewsChanged,
  });
  const isChanged = saved !== undefined && saved.createdBy?.id === caller.id && isDirty(saved, search);
  return { isChanged, save: () => save.mutate() };
}

interface ChipsRowProps extends PartProps {
  edited: string | undefined;
  filters: readonly MenuItem[];
  saved: View | undefined;
  total: number | undefined;
  onEdit: (name: string | undefined) => void;
}

/** The filters that are set, how many match them, and what to do with them all. */
export function ChipsRow({ view, edited, filters, saved, total, onEdit, onOpen }: ChipsRowProps) {
  const { search, resource } = view;
  const { t, i18n } = useLingui();
  const hasChips = setFilters(resource, search).length > 0 || edited !== undefined;
  const { data } = useQuery({ ...countQuery(resource, withoutFilters(search)), enabled: hasChips });
  const all = data?.total === undefined ? undefined : i18n.number(data.total);
  const shown = total === undefined ? undefined : i18n.number(total);
  const { isChanged, save } = useSaveView(view, saved);
  if (!hasChips && !isChanged) return null;
  return (
    <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-2 border-line-soft border-b px-4 py-1.5 sm:px-6">
      <FilterChips view={view} edited={edited} onEdit={onEdit} />
      <Menu
        look="quiet"
        size="small"
        label={t`Add filter`}
        trigger={
          <>
            <Plus aria-hidden />
            <Trans>Add filter</Trans>
          </>
        }
        isSearched
        items={filters}
      />
      <span className="ms-auto flex items-center gap-2">
        <span role="status" className="text-muted tabular-nums">
          {total !== undefined &&
            (all === undefined ? (
              <Plural value={total} one="# matches" other="# match" />
            ) : (
              t`${shown} of ${all}`
            ))}
        </span>
        {hasChips && (
          <Button look="quiet" size="small" onClick={() => view.replace(withoutFilters(search))}>
            <Trans>Clear</Trans>
          </Button>
        )}
        {isChanged ? (
          <Button size="small" onClick={save}>
            <Trans>Save the changes</Trans>
          </Button>
        ) : (
          <Button size="small" onClick={() => onOpen('new-view')}>
            <Trans>Save as view</Trans>
          </Button>
        )}
      </span>
    </div>
  );
}

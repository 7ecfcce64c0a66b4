import { Trans, useLingui } from '@lingui/react/macro';
import type { View } from '@roster/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import { roster, rosterQuery } from '../../../api/client.ts';
import { notifyError } from '../../../ui/error-text.tsx';
import { Bookmark, Pencil, Save, Users } from '../../../ui/icons.tsx';
import { notify } from '../../../ui/notices.tsx';
import { Menu } from '../../../ui/popups/menu.tsx';
import type { MenuItem } from '../../../ui/popups/menu-popup.tsx';
import type { ListView } from '../list/list-view.ts';
import { EditViewDialog } from './edit-view-dialog.tsx';
import { useOtherTabsViews, viewsChanged } from './view-changes.ts';
import { columnsOf, isDirty, queryOf, queryPatch, rememberWidths, searchOf } from './view-query.ts';

const SHOWN_MAX = 200;

export function ViewsMenu({ view: list }: { view: ListView }) {
  const { t } = useLingui();
  const { caller } = useRights();
  const [dialog, setDialog] = useState<'new' | 'edit'>();
  const { resource, search } = list;
  useOtherTabsViews();
  const { data } = useQuery(rosterQuery('views', 'list', { resource, sort: 'name', limit: SHOWN_MAX }));
  const views = data?.items ?? [];
  const current = views.find(({ id }) => id === search.view);
  const isOwn = current?.createdBy?.id === caller.id;
  const isChanged = current !== undefined && isDirty(current, search);
  const choose = (chosen: View) => {
    rememberWidths(resource, chosen);
    list.readWidths();
    list.replace(searchOf(chosen));
  };
  const save = useMutation({
    mutationFn: ({ id, version, query }: View) =>
      roster.views.update.mutate({
        id,
        ifVersion: version,
        query: queryPatch(query, queryOf(search)),
        columns: columnsOf(list),
      }),
    onSuccess: () => notify({ text: t`View saved` }),
    onError: notifyError,
    onSettled: viewsChanged,
  });
  const items: MenuItem[] = views.map((one) => ({
    id: one.id,
    label: one.name,
    isChecked: one.id === current?.id,
    ...(one.isShared && { icon: <Users aria-label={t`shared`} /> }),
    onSelect: () => choose(one),
  }));
  if (isChanged && isOwn)
    items.push({
      id: 'save',
      label: t`Save the changes`,
      icon: <Save aria-hidden />,
      onSelect: () => save.mutate(current),
    });
  items.push({
    id: 'save-as',
    label: t`Save as a new view…`,
    icon: <Bookmark aria-hidden />,
    onSelect: () => setDialog('new'),
  });
  if (current !== undefined)
    items.push({
      id: 'edit',
      label: t`Rename, share or delete…`,
      icon: <Pencil aria-hidden />,
      onSelect: () => setDialog('edit'),
    });
  return (
    <>
      <Menu
        label={current === undefined ? t`Views` : t`View ${current.name}`}
        trigger={
          <>
            <Bookmark aria-hidden />
            <span className="max-w-40 truncate">{current?.name ?? <Trans>Views</Trans>}</span>
            {isChanged && (
              <span className="text-muted text-xs">
                <Trans>changed</Trans>
              </span>
            )}
          </>
        }
        items={items}
      />
      {dialog !== undefined && (
        <EditViewDialog
          list={list}
          view={dialog === 'edit' ? current : undefined}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}

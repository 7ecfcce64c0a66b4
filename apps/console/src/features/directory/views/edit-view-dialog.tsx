import { Trans, useLingui } from '@lingui/react/macro';
import type { View } from '@roster/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import { roster } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { CheckboxField, TextField } from '../../../ui/forms/field.tsx';
import type { ListView } from '../list/list-view.ts';
import { viewsChanged } from './view-changes.ts';
import { columnsOf, queryOf, searchOf } from './view-query.ts';

const NAME_MAX = 200;

export function EditViewDialog({
  list,
  view,
  onClose,
}: {
  list: ListView;
  view: View | undefined;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const { caller } = useRights();
  const [name, setName] = useState(view?.name ?? '');
  const [isShared, setShared] = useState(view?.isShared ?? false);
  const isOwn = view === undefined || view.createdBy?.id === caller.id;
  const save = useMutation({
    mutationFn: () =>
      view === undefined
        ? roster.views.create.mutate({
            name,
            isShared,
            resource: list.resource,
            query: queryOf(list.search),
            columns: columnsOf(list),
          })
        : roster.views.update.mutate({ id: view.id, ifVersion: view.version, name, isShared }),
    onSuccess: (saved) => {
      onClose();
      if (view === undefined) list.replace(searchOf(saved));
    },
    onSettled: viewsChanged,
  });
  const remove = useMutation({
    mutationFn: async () => {
      if (view !== undefined) await roster.views.delete.mutate({ id: view.id, ifVersion: view.version });
    },
    onSuccess: () => {
      onClose();
      list.change({ view: undefined });
    },
    onSettled: viewsChanged,
  });
  return (
    <FormDialog
      title={view === undefined ? t`Save as a new view` : t`View ${view.name}`}
      submitLabel={t`Save`}
      isDirty={name !== (view?.name ?? '') || isShared !== (view?.isShared ?? false)}
      isPending={save.isPending || remove.isPending}
      error={save.error ?? remove.error}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t`Name`}
        isRequired
        autoFocus
        maxLength={NAME_MAX}
        disabled={!isOwn}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <CheckboxField
        label={t`Shared with everyone who can read the list`}
        disabled={!isOwn}
        checked={isShared}
        onChange={({ target }) => setShared(target.checked)}
      />
      <p className="text-muted text-sm">
        <Trans>
          A view stores the filters, order and columns of a list. It doesn't give access to records.
        </Trans>
      </p>
      {view !== undefined && (
        <div>
          <Button look="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            <Trans>Delete the view</Trans>
          </Button>
        </div>
      )}
    </FormDialog>
  );
}

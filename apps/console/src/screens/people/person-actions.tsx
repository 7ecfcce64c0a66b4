import { Trans, useLingui } from '@lingui/react/macro';
import type { Person } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { roster } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { messageOf } from '../../components/error-text.tsx';
import { Menu } from '../../components/menu.tsx';
import { notify } from '../../components/notices.tsx';
import { useViewState } from '../../page/view-state.ts';
import { EditPersonDialog } from './person-form.tsx';

type Open = 'edit' | 'deactivate' | 'sessions' | 'delete' | undefined;

/** The actions on a person. Those that take rights away ask first. */
export function PersonActions({ item }: { item: Person }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [search] = useViewState();
  const [open, setOpen] = useState<Open>();
  const { id, name } = item;
  const close = () => setOpen(undefined);
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['people'] });
    void client.invalidateQueries({ queryKey: ['sessions'] });
  };
  const reactivate = useMutation({
    mutationFn: () => roster.people.reactivate.mutate({ id }),
    onSuccess: refresh,
  });
  const onError = (error: Error) => notify({ tone: 'danger', text: messageOf(error) });
  const remove = async () => {
    await roster.people.delete.mutate({ id });
    await navigate({ to: '/people', search });
    client.removeQueries({ queryKey: ['people', 'get', { id }] });
    refresh();
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => setOpen('edit')}>{t`Change`}</Button>
      {item.status === 'inactive' ? (
        <Button disabled={reactivate.isPending} onClick={() => reactivate.mutate(undefined, { onError })}>
          {t`Reactivate`}
        </Button>
      ) : (
        <Button onClick={() => setOpen('deactivate')}>{t`Deactivate`}</Button>
      )}
      <Menu
        label={t`More`}
        trigger={t`More`}
        items={[
          { id: 'sessions', label: t`End all sessions …`, onSelect: () => setOpen('sessions') },
          { id: 'delete', label: t`Delete …`, isDanger: true, onSelect: () => setOpen('delete') },
        ]}
      />
      {open === 'edit' && <EditPersonDialog item={item} onClose={close} />}
      {open === 'deactivate' && (
        <ConfirmDialog
          title={t`Deactivate ${name}?`}
          confirmLabel={t`Deactivate`}
          onConfirm={() => roster.people.deactivate.mutate({ id }).then(refresh)}
          onClose={close}
        >
          <p>
            <Trans>
              They can no longer sign in, and their sessions end within a second. The grants stay for a
              reactivation.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
      {open === 'sessions' && (
        <ConfirmDialog
          title={t`End all sessions of ${name}?`}
          confirmLabel={t`End all sessions`}
          onConfirm={() => roster.people.revokeSessions.mutate({ id }).then(refresh)}
          onClose={close}
        >
          <p>
            <Trans>They are signed out everywhere within a second, and can sign in again.</Trans>
          </p>
        </ConfirmDialog>
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={t`Delete ${name}?`}
          confirmLabel={t`Delete for good`}
          onConfirm={remove}
          onClose={close}
        >
          <p>
            <Trans>
              Their sessions end, and their name disappears from what they changed. This cannot be undone:
              deactivate them instead to keep the name.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

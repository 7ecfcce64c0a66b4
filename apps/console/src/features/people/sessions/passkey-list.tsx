import { Trans, useLingui } from '@lingui/react/macro';
import type { Passkey } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import { roster } from '../../../api/client.ts';
import { addPasskey } from '../../../api/passkeys.ts';
import { usePages } from '../../../api/use-pages.ts';
import { clientName } from '../../../ui/browser/client-name.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog, FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { usePasskeyMessage } from '../../../ui/error-text.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { type Column, PagedTable } from '../../../ui/paged-table.tsx';
import { RelativeTime } from '../../../ui/time.tsx';

function useColumns(actions: (passkey: Passkey) => ReactNode): Column<Passkey>[] {
  const { t } = useLingui();
  return [
    { id: 'name', label: t`Name`, cell: ({ name }) => <span className="break-words">{name}</span> },
    {
      id: 'isSynced',
      label: t`Kept`,
      width: 'wide',
      cell: ({ isSynced }) => (isSynced ? t`On several devices` : t`On one device`),
    },
    {
      id: 'createdAt',
      label: t`Set up`,
      width: 'wide',
      cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
    },
    {
      id: 'lastUsedAt',
      label: t`Last sign-in`,
      width: 'medium',
      cell: ({ lastUsedAt: time }) => (time === null ? t`Never` : <RelativeTime time={time} />),
    },
    { id: 'action', label: t`Action`, cell: actions },
  ];
}

function NameDialog({
  title,
  submitLabel,
  before,
  onSubmit,
  onClose,
}: {
  title: string;
  submitLabel: string;
  before: string;
  onSubmit: (name: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const passkeyMessage = usePasskeyMessage();
  const [name, setName] = useState(before);
  const save = useMutation({ mutationFn: () => onSubmit(name.trim()), onSuccess: onClose });
  return (
    <FormDialog
      title={title}
      submitLabel={submitLabel}
      isDirty={name !== before}
      isPending={save.isPending}
      error={save.error && new Error(passkeyMessage(save.error))}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t`Name of the passkey`}
        isRequired
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}

type Open = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey };

export function PasskeyList({ personId }: { personId: string }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const isOwn = useRights().caller.id === personId;
  const [open, setOpen] = useState<Open>();
  const pages = usePages('passkeys', 'list', { personId, sort: 'createdAt' });
  const close = () => setOpen(undefined);
  const refresh = () =>
    Promise.all(
      ['passkeys', 'people', 'sessions'].map((name) => client.invalidateQueries({ queryKey: [name] })),
    );
  const columns = useColumns((passkey) => (
    <div className="flex flex-wrap gap-1">
      <Button onClick={() => setOpen({ what: 'rename', passkey })}>{t`Rename`}</Button>
      <Button look="destructive" onClick={() => setOpen({ what: 'remove', passkey })}>{t`Remove`}</Button>
    </div>
  ));
  return (
    <>
      <PagedTable
        label={t`Passkeys`}
        pages={pages}
        columns={columns}
        defaultSort="createdAt"
        empty={<Trans>No passkeys yet.</Trans>}
      />
      {isOwn && (
        <div>
          <Button onClick={() => setOpen({ what: 'add' })}>
            <Trans>Add a passkey</Trans>
          </Button>
        </div>
      )}
      {open?.what === 'add' && (
        <NameDialog
          title={t`Add a passkey`}
          submitLabel={t`Set up`}
          before={clientName(navigator.userAgent).slice(0, 100)}
          onSubmit={(name) => addPasskey(name).then(refresh)}
          onClose={close}
        />
      )}
      {open?.what === 'rename' && (
        <NameDialog
          title={t`Rename the passkey`}
          submitLabel={t`Save`}
          before={open.passkey.name}
          onSubmit={(name) => roster.passkeys.update.mutate({ id: open.passkey.id, name }).then(refresh)}
          onClose={close}
        />
      )}
      {open?.what === 'remove' && (
        <ConfirmDialog
          title={t`Remove ${open.passkey.name}?`}
          confirmLabel={t`Remove the passkey`}
          onConfirm={() => roster.passkeys.delete.mutate({ id: open.passkey.id }).then(refresh)}
          onClose={close}
        >
          <p>
            <Trans>
              The passkey stops working, and sessions signed in with it end within a second. This can't be
              undone.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

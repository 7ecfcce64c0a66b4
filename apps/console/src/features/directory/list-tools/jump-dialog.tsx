import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import type { ListView } from '../list/list-view.ts';
import { isByName, sortLabel, startAtOf } from './sorts.ts';

export function JumpDialog({ view, onClose }: { view: ListView; onClose: () => void }) {
  const { t, i18n } = useLingui();
  const [value, setValue] = useState('');
  const { sort } = view.request;
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => view.store?.jumpTo(startAtOf(value, sort)),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={t`Jump to`}
      submitLabel={t`Jump`}
      isPending={isPending}
      error={error}
      onSubmit={() => (value === '' ? onClose() : mutate())}
      onClose={onClose}
    >
      <TextField
        label={isByName(sort) ? t`The beginning of a name` : t`Date`}
        type={isByName(sort) ? 'text' : 'date'}
        maxLength={100}
        autoFocus
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <p className="text-muted text-sm">
        <Trans>The list keeps its items and order: {sortLabel(i18n, sort)}.</Trans>
      </p>
    </FormDialog>
  );
}

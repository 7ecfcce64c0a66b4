import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { TextField } from '../components/field.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import type { ListView } from '../list/list-view.ts';
import { sortLabel } from './sort-label.ts';

/** Enters a list at the beginning of a name, or at a day, as it is sorted. */
export function JumpDialog({ view, onClose }: { view: ListView; onClose: () => void }) {
  const { t, i18n } = useLingui();
  const [value, setValue] = useState('');
  const { sort } = view.request;
  const isByName = /name$/i.test(sort);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => view.store?.jumpTo(startOf(value, sort)),
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
        label={isByName ? t`The beginning of a name` : t`A day`}
        type={isByName ? 'text' : 'date'}
        maxLength={100}
        autoFocus
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <p className="text-muted text-sm">
        <Trans>The list stays whole, in its order: {sortLabel(i18n, sort)}.</Trans>
      </p>
    </FormDialog>
  );
}

/** The value at which the list begins: a time is the end of the day if the latest come first, so that the day is in the list. */
function startOf(value: string, sort: string): string {
  if (/name$/i.test(sort)) return value.trim();
  if (/On$/.test(sort)) return value;
  const day = new Date(`${value}T00:00:00`);
  if (sort.startsWith('-')) day.setDate(day.getDate() + 1);
  return day.toISOString();
}

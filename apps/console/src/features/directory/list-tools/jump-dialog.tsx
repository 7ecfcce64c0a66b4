import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { DateField } from '../../../ui/forms/date-field.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import type { ListView } from '../list/list-view.ts';
import { isByName, sortLabel, startAtOf } from './sorts.ts';

export function JumpDialog({ view, onClose }: { view: ListView; onClose: () => void }) {
  const { t, i18n } = useLingui();
  const [value, setValue] = useState('');
  const { sort } = view.request;
  const jump = () => {
    onClose();
    if (value !== '') view.jumpTo(startAtOf(value, sort));
  };
  return (
    <FormDialog
      title={t`Jump to`}
      submitLabel={t`Jump`}
      isPending={false}
      error={null}
      onSubmit={jump}
      onClose={onClose}
    >
      {isByName(sort) ? (
        <TextField
          label={t`The beginning of a name`}
          maxLength={100}
          autoFocus
          value={value}
          onChange={({ target }) => setValue(target.value)}
        />
      ) : (
        <DateField label={t`Date`} autoFocus value={value} onChange={setValue} onWrong={() => setValue('')} />
      )}
      <p className="text-muted text-sm">
        <Trans>The list keeps its items and order: {sortLabel(i18n, sort)}.</Trans>
      </p>
    </FormDialog>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { calls, roster } from '../../../../api/client.ts';
import { type DirectoryRecord, nameOf } from '../../../../resources/record.ts';
import { recordChanged } from '../../../../resources/record-calls.ts';
import type { ComboboxOption } from '../../../../ui/forms/combobox.tsx';
import { whileUnchanged } from '../../../record/undo.ts';
import { cancelNew, useChange } from '../../../record/use-change.ts';
import { ChangeDialog, type WhyAndWhen } from '../change-dialog.tsx';
import { NewOfficeField } from './new-office-field.tsx';

interface TransferDialogProps {
  record: DirectoryRecord;
  onClose: () => void;
}

export function TransferDialog({ record, onClose }: TransferDialogProps) {
  const { t } = useLingui();
  const [office, setOffice] = useState<ComboboxOption | null>(null);
  const mutation = useChange({ resource: 'agents', record, onDone: onClose });
  const name = nameOf(record);
  const submit = (why: WhyAndWhen) => {
    if (office === null) return;
    const { id, version: ifVersion } = record;
    const target = office.label;
    const input = { id, ifVersion, officeId: office.id, ...why };
    mutation.mutate({
      call: () => calls.mutate<DirectoryRecord>('agents.transfer', input),
      text:
        why.effectiveOn === undefined
          ? t`${name} was transferred to ${target}`
          : t`The transfer of ${name} to ${target} is scheduled`,
      undo: async (changed) => {
        await cancelNew(record, changed);
        if (changed.officeId === record.officeId) return undefined;
        const input = { id, toVersion: changed.version - 1, keepChangesAfter: changed.version };
        const fields = ['officeId', 'affiliations'];
        const {
          changes: _,
          notReverted: __,
          ...back
        } = await whileUnchanged('agents', changed, ['officeId'], (ifVersion) =>
          roster.agents.revert.mutate({ ...input, fields, ifVersion }),
        );
        recordChanged('agents', back);
        return undefined;
      },
    });
  };
  return (
    <ChangeDialog
      resource="agents"
      title={t`Transfer ${name}`}
      submitLabel={<Trans>Transfer</Trans>}
      isComplete={office !== null}
      error={mutation.error}
      isPending={mutation.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <NewOfficeField value={office} onChange={setOffice} leaving={record.officeId} />
    </ChangeDialog>
  );
}

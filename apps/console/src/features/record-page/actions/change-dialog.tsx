import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { TextAreaField } from '../../../ui/forms/field.tsx';
import { givenReason, REASON_MAX } from '../../../ui/forms/reason-field.tsx';
import { WhenField } from '../../../ui/forms/when-field.tsx';

export interface WhyAndWhen {
  reason?: string | undefined;
  effectiveOn?: string;
}

interface ChangeDialogProps {
  resource: ResourceName;
  title: string;
  submitLabel: ReactNode;
  look?: 'primary' | 'danger';
  children?: ReactNode;
  isComplete?: boolean;
  error: Error | null;
  isPending: boolean;
  onSubmit: (why: WhyAndWhen) => void;
  onClose: () => void;
}

/** A dialog that asks why and, of those who may schedule, when a change happens. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { resource, children, isComplete = true, isPending, onSubmit, ...dialog } = props;
  const { t } = useLingui();
  const { canManage } = useRights();
  const [reason, setReason] = useState('');
  const [day, setDay] = useState<string | null>(null);
  const isTooLong = reason.trim().length > REASON_MAX;
  return (
    <FormDialog
      {...dialog}
      isValidated
      isPending={isPending || isTooLong || !isComplete || day === ''}
      onSubmit={() => onSubmit({ reason: givenReason(reason), ...(day !== null && { effectiveOn: day }) })}
    >
      {children}
      <TextAreaField
        label={t`Reason`}
        hint={t`Optional; stored in the history`}
        rows={2}
        value={reason}
        error={isTooLong ? t`At most ${REASON_MAX} characters` : undefined}
        onChange={(event) => setReason(event.target.value)}
      />
      {canManage(`${resource}:write`) && <WhenField value={day} onChange={setDay} />}
    </FormDialog>
  );
}

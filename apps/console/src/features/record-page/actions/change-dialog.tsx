import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Choice } from '../../../ui/forms/choice.tsx';
import { DateField } from '../../../ui/forms/date-field.tsx';
import { TextAreaField } from '../../../ui/forms/field.tsx';
import { givenReason, REASON_MAX } from '../../../ui/forms/reason-field.tsx';
import { localDayOf } from '../../fields/local-time.ts';

export interface WhyAndWhen {
  reason?: string | undefined;
  effectiveOn?: string;
}

const DAY_MS = 86_400_000;

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
  const [when, setWhen] = useState<'now' | 'later'>('now');
  const [day, setDay] = useState(() => localDayOf(Date.now() + DAY_MS));
  const isLater = when === 'later';
  const isTooLong = reason.trim().length > REASON_MAX;
  return (
    <FormDialog
      {...dialog}
      isValidated
      isPending={isPending || isTooLong || !isComplete || (isLater && day === '')}
      onSubmit={() => onSubmit({ reason: givenReason(reason), ...(isLater && { effectiveOn: day }) })}
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
      {canManage(`${resource}:write`) && (
        <Choice
          label={t`When`}
          value={when}
          options={[
            { value: 'now', label: t`Now` },
            { value: 'later', label: t`On a date` },
          ]}
          onChange={setWhen}
        />
      )}
      {isLater && (
        <DateField
          label={t`Date`}
          isRequired
          hint={t`At midnight, office time. You can cancel it until then.`}
          value={day}
          onChange={setDay}
          onWrong={() => setDay('')}
        />
      )}
    </FormDialog>
  );
}

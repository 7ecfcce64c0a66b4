import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import { Button, type ButtonProps } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { ErrorBox } from '../../../components/error-text.tsx';
import { TextAreaField, TextField } from '../../../components/forms/field.tsx';
import { REASON_MAX } from '../../../components/forms/reason-field.tsx';
import type { ResourceName } from '../../../contract/contracts.ts';

/** Why and when a change happens, as the service takes it. */
export interface WhyAndWhen {
  reason?: string;
  effectiveOn?: string;
}

/** Tomorrow, as a date field has it. */
function tomorrow(): string {
  const day = new Date(Date.now() + 86_400_000);
  const pad = (number: number) => String(number).padStart(2, '0');
  return `${day.getFullYear()}-${pad(day.getMonth() + 1)}-${pad(day.getDate())}`;
}

interface ChangeDialogProps {
  resource: ResourceName;
  title: ReactNode;
  submitLabel: ReactNode;
  look?: ButtonProps['look'];
  /** The questions before why and when. */
  children?: ReactNode;
  isComplete?: boolean;
  error: unknown;
  isPending: boolean;
  onSubmit: (why: WhyAndWhen) => void;
  onClose: () => void;
}

/** A dialog that asks why and, of those who may schedule, when a change happens. */
export function ChangeDialog({
  resource,
  title,
  submitLabel,
  look = 'primary',
  children,
  isComplete = true,
  error,
  isPending,
  onSubmit,
  onClose,
}: ChangeDialogProps) {
  const { t } = useLingui();
  const { canManage } = useRights();
  const formId = useId();
  const [reason, setReason] = useState('');
  const [isLater, setLater] = useState(false);
  const [day, setDay] = useState(tomorrow);
  const isTooLong = reason.trim().length > REASON_MAX;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending || isTooLong || !isComplete) return;
    onSubmit({
      ...(reason.trim() !== '' && { reason: reason.trim() }),
      ...(isLater && { effectiveOn: day }),
    });
  };
  return (
    <Dialog
      title={title}
      width="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            type="submit"
            form={formId}
            look={look}
            disabled={isPending || isTooLong || !isComplete || (isLater && day === '')}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={formId} className="flex flex-col gap-4" onSubmit={submit}>
        {children}
        <TextAreaField
          label={t`Reason`}
          hint={t`Optional; kept in the history`}
          rows={2}
          value={reason}
          error={isTooLong ? t`At most ${REASON_MAX} characters` : undefined}
          onChange={(event) => setReason(event.target.value)}
        />
        {canManage(`${resource}:write`) && (
          <fieldset className="flex flex-col gap-1">
            <legend className="font-medium text-sm">
              <Trans>When</Trans>
            </legend>
            <label className="flex min-h-9 items-center gap-2 text-sm">
              <input
                type="radio"
                name="when"
                className="size-4 accent-accent"
                checked={!isLater}
                onChange={() => setLater(false)}
              />
              <Trans>Now</Trans>
            </label>
            <label className="flex min-h-9 items-center gap-2 text-sm">
              <input
                type="radio"
                name="when"
                className="size-4 accent-accent"
                checked={isLater}
                onChange={() => setLater(true)}
              />
              <Trans>On a day</Trans>
            </label>
            {isLater && (
              <TextField
                label={t`Day`}
                type="date"
                isRequired
                hint={t`At 00:00 in the time zone of the office`}
                value={day}
                onChange={(event) => setDay(event.target.value)}
              />
            )}
          </fieldset>
        )}
        {error !== null && error !== undefined && <ErrorBox error={error} />}
      </form>
    </Dialog>
  );
}

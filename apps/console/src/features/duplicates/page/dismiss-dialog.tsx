import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { DuplicatePair } from '../../../resources/record.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { givenReason, ReasonField } from '../../../ui/forms/reason-field.tsx';
import type { useDismissal } from './use-decisions.tsx';

interface DismissDialogProps {
  pair: DuplicatePair;
  dismissal: ReturnType<typeof useDismissal>;
  onClose: () => void;
}

export function DismissDialog({ pair, dismissal, onClose }: DismissDialogProps) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={t`Keep both as separate records`}
      submitLabel={t`Not duplicates`}
      isPending={dismissal.isPending}
      error={dismissal.error}
      onSubmit={() => dismissal.mutate({ pair, reason: givenReason(reason) })}
      onClose={onClose}
    >
      <p className="text-sm">
        <Trans>The pair is no longer suggested. You can still find it under dismissed pairs.</Trans>
      </p>
      <ReasonField hint={t`Optional; stored in the history`} value={reason} onChange={setReason} />
    </FormDialog>
  );
}

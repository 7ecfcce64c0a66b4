import { Trans, useLingui } from '@lingui/react/macro';
import type { Webhook } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { roster } from '../api/client.ts';
import { SelectField, TextField } from '../components/field.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { formErrors } from '../components/form-errors.ts';
import { notify } from '../components/notices.tsx';

/** Delivers again what a webhook has received: from the beginning of the log, or from a position on. */
export function ReplayDialog({
  item,
  from,
  onClose,
}: {
  item: Webhook;
  /** The position of the first event to deliver again, if one was pointed at. */
  from?: number;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [isAll, setAll] = useState(from === undefined);
  const [position, setPosition] = useState(String(from ?? item.readTo));
  const replay = useMutation({
    mutationFn: () => {
      const after = isAll ? '0' : String(Math.max(0, Number(position) - 1));
      return roster.webhooks.replay.mutate({ id: item.id, after });
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['webhooks'] });
      notify({ text: t`The events are delivered again.` });
      onClose();
    },
  });
  const errors = formErrors(replay.error, ['after'], { cursor_expired: 'after' });
  return (
    <FormDialog
      title={t`Replay events`}
      submitLabel={t`Replay`}
      isPending={replay.isPending}
      error={replay.error}
      errors={errors}
      onSubmit={() => replay.mutate()}
      onClose={onClose}
    >
      <p className="text-sm">
        <Trans>
          The receiver gets these events again, in their order and with the same message ids, by which it can
          recognise them.
        </Trans>
      </p>
      <SelectField
        label={t`What`}
        value={isAll ? 'all' : 'from'}
        error={isAll ? errors.at('after') : undefined}
        onChange={(event) => setAll(event.target.value === 'all')}
      >
        <option value="all">{t`Everything that the log keeps`}</option>
        <option value="from">{t`Everything from a position on`}</option>
      </SelectField>
      {!isAll && (
        <TextField
          label={t`First position`}
          type="number"
          min={1}
          hint={t`The position of the first event to deliver again; the webhook has read to ${item.readTo}`}
          value={position}
          error={errors.at('after')}
          onChange={(event) => setPosition(event.target.value)}
        />
      )}
    </FormDialog>
  );
}

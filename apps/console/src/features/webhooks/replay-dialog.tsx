import { Trans, useLingui } from '@lingui/react/macro';
import { RosterError, type Webhook } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { roster } from '../../api/client.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { formErrors } from '../../ui/dialogs/form-errors.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { notify } from '../../ui/notices.tsx';
import { positionBefore } from './position-at.ts';

type From = 'all' | 'time' | 'position';

/** The first event after a position; null where the log is compacted. */
async function firstAfter(position: number) {
  try {
    const { items } = await roster.events.list.query({ after: String(position), limit: 1 });
    return items[0];
  } catch (error) {
    if (error instanceof RosterError && error.code === 'cursor_expired') return null;
    throw error;
  }
}

export function ReplayDialog({
  item,
  first,
  onClose,
}: {
  item: Webhook;
  first?: number;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [from, setFrom] = useState<From>(first === undefined ? 'time' : 'position');
  const [position, setPosition] = useState(String(first ?? item.readTo));
  const [time, setTime] = useState('');
  const [isTimeMissing, setTimeMissing] = useState(false);
  const replay = useMutation({
    mutationFn: async () => {
      const afterOf = {
        all: () => 0,
        position: () => Math.max(0, Number(position) - 1),
        time: () => positionBefore(new Date(time), { end: item.readTo, firstAfter }),
      };
      return roster.webhooks.replay.mutate({ id: item.id, after: String(await afterOf[from]()) });
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['webhooks'] });
      notify({ text: t`The events are delivered again.` });
      onClose();
    },
  });
  const errors = formErrors(replay.error, ['after'], { cursor_expired: 'after' });
  const submit = () => {
    const isMissing = from === 'time' && time === '';
    setTimeMissing(isMissing);
    if (!isMissing) replay.mutate();
  };
  return (
    <FormDialog
      title={t`Replay events`}
      submitLabel={t`Replay`}
      isPending={replay.isPending}
      error={replay.error}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-sm">
        <Trans>The receiver gets these events again, in order, with the same message IDs.</Trans>
      </p>
      <SelectField
        label={t`Events to resend`}
        value={from}
        error={from === 'all' ? errors.at('after') : undefined}
        onChange={(chosen) => setFrom(chosen)}
        options={[
          ['time', t`Everything since a time`],
          ['position', t`Everything from a position on`],
          ['all', t`All events still available`],
        ]}
      />
      {from === 'time' && (
        <TextField
          label={t`Since`}
          type="datetime-local"
          isRequired
          hint={t`Up to a minute of earlier events is included, so nothing is missed.`}
          value={time}
          error={isTimeMissing ? t`Enter a date and a time.` : errors.at('after')}
          onChange={(event) => setTime(event.target.value)}
        />
      )}
      {from === 'position' && (
        <TextField
          label={t`First position`}
          type="number"
          min={1}
          hint={t`Position of the first event to resend; the webhook has read to ${item.readTo}`}
          value={position}
          error={errors.at('after')}
          onChange={(event) => setPosition(event.target.value)}
        />
      )}
    </FormDialog>
  );
}

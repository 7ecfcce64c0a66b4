import { Trans, useLingui } from '@lingui/react/macro';
import type { Job } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ban, Undo2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { roster } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { ErrorBox } from '../../components/error-text.tsx';
import { TextField } from '../../components/forms/field.tsx';
import { isEnded } from './job-labels.tsx';

const REASON_MAX = 500;

/** Asks for the reason, and undoes a job. The undo is a job of its own, which is opened. */
function UndoDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const undo = useMutation({
    mutationFn: () =>
      roster.jobs.undo.mutate({ id: job.id, ...(reason.trim() !== '' && { reason: reason.trim() }) }),
    onSuccess: async (undoing) => {
      client.setQueryData(['jobs', 'get', { id: undoing.id }], undoing);
      void client.invalidateQueries({ queryKey: ['jobs', 'list'] });
      onClose();
      await navigate({ to: '/jobs/$id', params: { id: undoing.id } });
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    undo.mutate();
  };
  return (
    <Dialog
      title={t`Undo this job?`}
      width="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>
            <Trans>Keep the changes</Trans>
          </Button>
          <Button look="primary" type="submit" form="undo-job" disabled={undo.isPending}>
            <Trans>Undo all</Trans>
          </Button>
        </>
      }
    >
      <form id="undo-job" className="flex flex-col gap-4" onSubmit={onSubmit}>
        <p className="text-sm">
          <Trans>
            Every record that this job has changed gets its previous values. A record that was changed since
            stays as it is, and is listed.
          </Trans>
        </p>
        <TextField
          label={t`Reason`}
          hint={t`Kept in the history of every record.`}
          maxLength={REASON_MAX}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {undo.isError && <ErrorBox error={undo.error} />}
      </form>
    </Dialog>
  );
}

/** The actions on a job: cancel it while it runs, undo it afterwards. */
export function JobActions({ job }: { job: Job }) {
  const { canManage } = useRights();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const cancel = useMutation({
    mutationFn: () => roster.jobs.cancel.mutate({ id: job.id }),
    onSuccess: (cancelled) => {
      client.setQueryData(['jobs', 'get', { id: job.id }], cancelled);
    },
  });
  if (!canManage(`${job.resource}:write`)) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {!isEnded(job) && (
        <Button disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          <Ban aria-hidden />
          <Trans>Cancel</Trans>
        </Button>
      )}
      {isEnded(job) && job.changed > 0 && (
        <Button look="primary" onClick={() => setAsking(true)}>
          <Undo2 aria-hidden />
          <Trans>Undo all</Trans>
        </Button>
      )}
      {cancel.isError && <ErrorBox error={cancel.error} />}
      {isAsking && <UndoDialog job={job} onClose={() => setAsking(false)} />}
    </div>
  );
}

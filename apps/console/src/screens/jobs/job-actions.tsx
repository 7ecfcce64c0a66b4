import { Trans, useLingui } from '@lingui/react/macro';
import type { Job } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ban, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { roster } from '../../api/client.ts';
import { isEnded } from '../../api/job-progress.ts';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-text.tsx';
import { UndoDialog, UndoPreview } from '../../record/undo-dialog.tsx';

/** Shows what the undo of a job would do, and undoes it. The undo is a job of its own, which is opened. */
function UndoJobDialog({ job: { id, resource }, onClose }: { job: Job; onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const client = useQueryClient();
  const undo = async (reason: { reason?: string }) => {
    const undoing = await roster.jobs.undo.mutate({ id, ...reason });
    client.setQueryData(['jobs', 'get', { id: undoing.id }], undoing);
    void client.invalidateQueries({ queryKey: ['jobs', 'list'] });
    await navigate({ to: '/jobs/$id', params: { id: undoing.id } });
  };
  return (
    <UndoDialog
      title={t`Undo this job?`}
      submitLabel={t`Undo all`}
      queryKey={['jobs', 'get', { id }]}
      preview={(signal) => roster.jobs.previewUndo.mutate({ id }, { signal })}
      undo={undo}
      onClose={onClose}
    >
      {(preview) => (
        <>
          <p className="text-sm">
            <Trans>
              Every record that this job has changed gets its previous values. Records that have been changed
              since then stay as they are, and are listed.
            </Trans>
          </p>
          <UndoPreview resource={resource} preview={preview} />
        </>
      )}
    </UndoDialog>
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
        <Button look="destructive" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
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
      {isAsking && <UndoJobDialog job={job} onClose={() => setAsking(false)} />}
    </div>
  );
}

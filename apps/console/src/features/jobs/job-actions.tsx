import { Trans, useLingui } from '@lingui/react/macro';
import type { Job } from '@roster/client';
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { roster, rosterQuery } from '../../api/client.ts';
import { isEnded } from '../../api/jobs.ts';
import { Ban, Undo2 } from '../../more-icons.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { UndoJobDialog } from '../record/undo-job-dialog.tsx';
import { isScheduling } from './job-labels.tsx';

/** Whether a job has changed something that nothing undoes: an undo that was cancelled or has failed can be started again. */
function useIsUndoable(job: Job): boolean {
  const { undoneBy } = job;
  const query = rosterQuery('jobs', 'get', { id: undoneBy ?? '' });
  const { data: undo } = useQuery(undoneBy === null ? { ...query, queryFn: skipToken } : query);
  const isUndone = undoneBy !== null && undo?.status !== 'cancelled' && undo?.status !== 'failed';
  return isEnded(job) && job.changed > 0 && !isUndone;
}

export function JobActions({ job }: { job: Job }) {
  const { t } = useLingui();
  const { canManage } = useRights();
  const client = useQueryClient();
  const isUndoable = useIsUndoable(job);
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
      {isUndoable && (
        <Button look="primary" onClick={() => setAsking(true)}>
          <Undo2 aria-hidden />
          {isScheduling(job) ? <Trans>Cancel all of them</Trans> : <Trans>Undo all</Trans>}
        </Button>
      )}
      {cancel.isError && <ErrorBox error={cancel.error} />}
      {isAsking && (
        <UndoJobDialog
          job={job}
          title={isScheduling(job) ? t`Cancel what this job has scheduled?` : t`Undo this job?`}
          undo={(input) => roster.jobs.undo.mutate(input)}
          changed={['jobs']}
          onClose={() => setAsking(false)}
        >
          {isScheduling(job) ? (
            <Trans>Scheduled changes that haven't happened yet are cancelled.</Trans>
          ) : (
            <Trans>
              This restores the values from before this job. Fields changed since are kept and listed.
            </Trans>
          )}
        </UndoJobDialog>
      )}
    </div>
  );
}

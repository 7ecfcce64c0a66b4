import { useLingui } from '@lingui/react/macro';
import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { roster } from '../../api/client.ts';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { useOpenJob } from '../../api/jobs.ts';
import { restoresAny, UndoDialog, UndoPreview } from './undo-dialog.tsx';

interface UndoJobDialogProps {
  job: { id: string; resource: ResourceName };
  title: string;
  undo: (input: { id: string; reason?: string | undefined }) => Promise<{ id: string }>;
  changed: QueryKey;
  children: ReactNode;
  onClose: () => void;
}

/** Shows what the undo of a job would do, and undoes it. The undo is a job of its own, which is opened. */
export function UndoJobDialog(props: UndoJobDialogProps) {
  const { job, title, children, onClose } = props;
  const { id, resource } = job;
  const { t } = useLingui();
  const openJob = useOpenJob(props.changed);
  const undo = async (reason: { reason?: string | undefined }) =>
    openJob(await props.undo({ id, ...reason }));
  return (
    <UndoDialog
      title={title}
      submitLabel={t`Undo all`}
      queryKey={['jobs', 'get', { id }]}
      preview={(signal) => roster.jobs.previewUndo.mutate({ id }, { signal })}
      isPossible={restoresAny}
      undo={undo}
      onClose={onClose}
    >
      {(preview) => (
        <>
          <p className="text-sm">{children}</p>
          <UndoPreview resource={resource} preview={preview} />
        </>
      )}
    </UndoDialog>
  );
}

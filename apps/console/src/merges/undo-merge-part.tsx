import { Trans, useLingui } from '@lingui/react/macro';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { queryClient } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialogs/confirm-dialog.tsx';
import { notify } from '../components/notices.tsx';
import { RecordLink } from '../components/record-name.tsx';
import type { ResourceName } from '../contract/contracts.ts';
import { useRecordName } from '../resources/referred-records.ts';
import { undoMerge } from './undo-merge.ts';

interface UndoMergeProps {
  resource: ResourceName;
  /** The record that was merged into the one that is shown. */
  duplicateId: string;
  /** Whether the caller may undo it. */
  canUndo: boolean;
}

/** Below a merge in the history of the survivor: the way to undo it, or to the record that is there again. */
export function UndoMerge({ resource, duplicateId, canUndo }: UndoMergeProps) {
  const { t, i18n } = useLingui();
  const [isAsking, setAsking] = useState(false);
  const name = useRecordName(resource, duplicateId);
  if (name === undefined) return null;
  if (name !== null)
    return (
      <p className="text-sm">
        <Trans>
          The merge was undone: <RecordLink resource={resource} id={duplicateId} /> is there again.
        </Trans>
      </p>
    );
  if (!canUndo) return null;
  const undo = async () => {
    const notice = await undoMerge(i18n, resource, duplicateId);
    void queryClient.invalidateQueries();
    notify(notice ?? { text: t`The merge is undone.` });
  };
  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)}>
        <Undo2 aria-hidden />
        <Trans>Undo the merge …</Trans>
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t`Undo the merge?`}
          confirmLabel={t`Undo the merge`}
          onConfirm={undo}
          onClose={() => setAsking(false)}
        >
          <p>
            <Trans>
              The other record is there again as it was, with all that referred to it. What was changed since
              stays as it is, and is named.
            </Trans>
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

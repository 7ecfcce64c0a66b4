import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { Undo2 } from '../../icons.tsx';
import { useRecordName } from '../../resources/referred-records.ts';
import { Button } from '../../ui/button.tsx';
import { RecordLink } from '../../ui/record-name.tsx';
import { UndoMergeDialog } from './undo-merge-dialog.tsx';

interface UndoMergeProps {
  resource: ResourceName;
  duplicateId: string;
  canUndo: boolean;
}

/** Below a merge in the history of the survivor: the way to undo it, or to the record that is there again. */
export function UndoMerge({ resource, duplicateId, canUndo }: UndoMergeProps) {
  const [isAsking, setAsking] = useState(false);
  const name = useRecordName(resource, duplicateId);
  if (name === undefined) return null;
  if (name !== null)
    return (
      <p className="text-sm">
        <Trans>
          Merge undone. <RecordLink resource={resource} id={duplicateId} /> was restored.
        </Trans>
      </p>
    );
  if (!canUndo) return null;
  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)}>
        <Undo2 aria-hidden />
        <Trans>Undo the merge …</Trans>
      </Button>
      {isAsking && (
        <UndoMergeDialog resource={resource} duplicateId={duplicateId} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { queryClient } from '../../api/client.ts';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { Undo2 } from '../../more-icons.tsx';
import { nameOf, type UnmergedRecord } from '../../resources/record.ts';
import { callsOf } from '../../resources/record-calls.ts';
import { useRecordName } from '../../resources/referred-records.ts';
import { Button } from '../../ui/button.tsx';
import { notify } from '../../ui/notices.tsx';
import { RecordLink } from '../../ui/record-name.tsx';
import { LeftRecords } from '../record/change-preview.tsx';
import { UndoDialog } from '../record/undo-dialog.tsx';
import { leftByUndo, undoMerge } from './undo-merge.ts';

function UndonePreview({ preview }: { preview: UnmergedRecord }) {
  const { i18n } = useLingui();
  const left = leftByUndo(i18n, preview);
  const more = left === undefined ? 0 : left.count - left.records.length;
  return (
    <>
      <p className="text-sm">
        <Trans>
          This restores {nameOf(preview)} and everything linked to it, and undoes the merge in this record.
        </Trans>
      </p>
      {left !== undefined && (
        <section aria-labelledby="undo-left" className="flex flex-col gap-2 text-sm">
          <h3 id="undo-left" className="font-semibold">
            <Trans>Kept because it has changed since</Trans>
          </h3>
          <LeftRecords records={left.records} />
          {more > 0 && (
            <p className="text-muted">
              <Plural value={more} one="and # more" other="and # more" />
            </p>
          )}
          {left.others.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </section>
      )}
    </>
  );
}

interface UndoMergeDialogProps {
  resource: ResourceName;
  duplicateId: string;
  onClose: () => void;
}

export function UndoMergeDialog({ resource, duplicateId, onClose }: UndoMergeDialogProps) {
  const { t, i18n } = useLingui();
  const undo = async (why: { reason?: string | undefined }) => {
    const notice = await undoMerge(i18n, resource, { id: duplicateId, ...why });
    void queryClient.invalidateQueries();
    notify(notice ?? { text: t`Merge undone` });
  };
  return (
    <UndoDialog
      title={t`Undo the merge?`}
      submitLabel={t`Undo the merge`}
      queryKey={[resource, 'merge', duplicateId]}
      preview={(signal) => callsOf(resource).unmerge.mutate({ id: duplicateId, dryRun: true }, { signal })}
      undo={undo}
      onClose={onClose}
    >
      {(preview) => <UndonePreview preview={preview} />}
    </UndoDialog>
  );
}

interface UndoMergeProps {
  resource: ResourceName;
  duplicateId: string;
  canUndo: boolean;
}

/** A button below a merge in the survivor's history that undoes it, or a link to the record that an undo restored. */
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

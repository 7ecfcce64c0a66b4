import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { queryClient } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { notify } from '../components/notices.tsx';
import { RecordLink } from '../components/record-name.tsx';
import type { ResourceName } from '../contract/contracts.ts';
import { LeftRecords } from '../record/change-preview.tsx';
import { UndoDialog } from '../record/undo-dialog.tsx';
import { nameOf, type UnmergedRecord } from '../resources/record.ts';
import { callsOf } from '../resources/record-calls.ts';
import { useRecordName } from '../resources/referred-records.ts';
import { leftByUndo, undoMerge } from './undo-merge.ts';

/** Says which record would be there again, and what would stay as it is. */
function UndonePreview({ preview }: { preview: UnmergedRecord }) {
  const { i18n } = useLingui();
  const left = leftByUndo(i18n, preview);
  const more = left === undefined ? 0 : left.count - left.records.length;
  return (
    <>
      <p className="text-sm">
        <Trans>
          {nameOf(preview)} would be there again as it was, with all that referred to it, and this record as
          it was before.
        </Trans>
      </p>
      {left !== undefined && (
        <section aria-labelledby="undo-left" className="flex flex-col gap-2 text-sm">
          <h3 id="undo-left" className="font-semibold">
            <Trans>What stays as it is, because it was changed since</Trans>
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
  const calls = callsOf(resource);
  const undo = async (why: { reason?: string | undefined }) => {
    const notice = await undoMerge(i18n, resource, { id: duplicateId, ...why });
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
        <UndoDialog
          title={t`Undo the merge?`}
          submitLabel={t`Undo the merge`}
          queryKey={[resource, 'merge', duplicateId]}
          preview={(signal) => calls.unmerge.mutate({ id: duplicateId, dryRun: true }, { signal })}
          undo={undo}
          onClose={() => setAsking(false)}
        >
          {(preview) => <UndonePreview preview={preview} />}
        </UndoDialog>
      )}
    </>
  );
}

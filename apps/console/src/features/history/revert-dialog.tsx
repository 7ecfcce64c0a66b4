import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { type DirectoryRecord, nameOf } from '../../resources/record.ts';
import { callsOf, type Reverted, recordChanged, rereadIfChanged } from '../../resources/record-calls.ts';
import { KeptFields } from '../record/changed-fields.tsx';
import { offerUndo, undoUpdate } from '../record/undo.ts';
import { UndoDialog } from '../record/undo-dialog.tsx';
import { FieldChanges } from './field-changes.tsx';

/** To which version, and which fields; without fields all that can be written. */
export interface RevertRequest {
  toVersion: number;
  fields?: string[];
  /** The version of the change that is undone: what has changed since is kept. */
  keepChangesAfter?: number;
}

interface RevertDialogProps {
  resource: ResourceName;
  record: DirectoryRecord;
  request: RevertRequest;
  onClose: () => void;
}

const keptOf = (notReverted: Reverted['notReverted']) =>
  notReverted
    .filter(({ field }) => field !== 'status' && field !== 'scheduledChanges')
    .map(({ field, before: current }) => ({ field, current }));

export function RevertDialog({ resource, record, request, onClose }: RevertDialogProps) {
  const { t, i18n } = useLingui();
  const { id, version: ifVersion } = record;
  const { toVersion, fields } = request;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const calls = callsOf(resource);
  const input = { id, ifVersion, ...request };
  const chosenOf = (changes: readonly { field: string }[]) =>
    changes.map(({ field }) => field).filter((field) => !left.has(field));
  const revert = async (why: { reason?: string | undefined }, { changes }: Reverted) => {
    const chosen = chosenOf(changes);
    const isAll = chosen.length === changes.length;
    const reverted = await calls.revert.mutate({ ...input, ...(isAll ? {} : { fields: chosen }), ...why });
    const { changes: made, notReverted: _, ...saved } = reverted;
    recordChanged(resource, saved);
    const text = t`Change to ${nameOf(saved)} undone`;
    const taken = isAll && fields === undefined ? undefined : made.map(({ field }) => field);
    const undo = () => undoUpdate(i18n, resource, saved, taken);
    if (made.length > 0) offerUndo(i18n, { text, undo });
  };
  const choose = (field: string, isChosen: boolean) => {
    const next = new Set(left);
    if (isChosen) next.delete(field);
    else next.add(field);
    setLeft(next);
  };
  return (
    <UndoDialog
      title={fields === undefined ? t`Go back to version ${toVersion}` : t`Undo this change`}
      submitLabel={t`Revert`}
      queryKey={[resource, 'revert', input]}
      preview={(signal) => calls.revert.mutate({ ...input, dryRun: true }, { signal })}
      isPossible={({ changes }) => changes.length > 0}
      isChosen={({ changes }) => chosenOf(changes).length > 0}
      undo={(why, shown) =>
        revert(why, shown).catch((error: unknown) => {
          rereadIfChanged(resource, id, error);
          throw error;
        })
      }
      onClose={onClose}
    >
      {({ changes, notReverted }) => (
        <>
          {changes.length === 0 && (
            <p className="text-sm">
              {keptOf(notReverted).length === 0 ? (
                <Trans>No changes: the record already has these values.</Trans>
              ) : (
                <Trans>Nothing can be undone, because everything has changed since.</Trans>
              )}
            </p>
          )}
          {changes.length > 0 && (
            <fieldset>
              <legend className="mb-2 text-sm">
                <Trans>These fields will change. Clear the checkboxes of fields you want to keep.</Trans>
              </legend>
              <FieldChanges
                resource={resource}
                changes={changes}
                chosen={new Set(chosenOf(changes))}
                onChoose={choose}
              />
            </fieldset>
          )}
          {keptOf(notReverted).length > 0 && (
            <p className="text-sm">
              <Trans>Kept because they've changed since:</Trans>{' '}
              <KeptFields resource={resource} fields={keptOf(notReverted)} />
            </p>
          )}
          {notReverted.some(({ field }) => field === 'status') && (
            <p className="text-muted text-sm">
              <Trans>The status doesn't change. To change it, deactivate or reactivate the record.</Trans>
            </p>
          )}
          {notReverted.some(({ field }) => field === 'scheduledChanges') && (
            <p className="text-muted text-sm">
              <Trans>Scheduled changes aren't affected. You can cancel them in the record.</Trans>
            </p>
          )}
        </>
      )}
    </UndoDialog>
  );
}

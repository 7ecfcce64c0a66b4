import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useRights } from '../api/caller.ts';
import { CheckboxField } from '../components/field.tsx';
import type { ResourceName } from '../list/queries.ts';
import { ChangeDialog, type WhyAndWhen } from './change-dialog.tsx';
import { callsOf, type DirectoryRecord, nameOf } from './record-calls.ts';
import { cancelNew, reverseStatus, useChange } from './use-change.ts';

interface StatusDialogProps {
  change: 'deactivate' | 'reactivate';
  resource: ResourceName;
  record: DirectoryRecord;
  onClose: () => void;
}

/** Asks why and when a record is deactivated or reactivated; of an office also whether its agents are. */
export function StatusDialog({ change, resource, record, onClose }: StatusDialogProps) {
  const { t } = useLingui();
  const { can } = useRights();
  const [cascade, setCascade] = useState(false);
  const mutation = useChange({ resource, record, onDone: onClose });
  const name = nameOf(record);
  const isDeactivation = change === 'deactivate';
  const submit = (why: WhyAndWhen) => {
    const input = { id: record.id, ifVersion: record.version, ...why };
    const calls = callsOf(resource);
    const texts = isDeactivation
      ? { now: t`${name} is inactive now`, later: t`The deactivation of ${name} is scheduled` }
      : { now: t`${name} is active again`, later: t`The reactivation of ${name} is scheduled` };
    const isScheduled = why.effectiveOn !== undefined;
    mutation.mutate({
      call: () =>
        isDeactivation
          ? calls.deactivate.mutate({ ...input, ...(cascade && { cascade }) })
          : calls.reactivate.mutate(input),
      text: isScheduled ? texts.later : texts.now,
      // A day that has begun means now, whatever was asked.
      undo: async (changed) => {
        await cancelNew(record, changed);
        if (changed.status !== record.status) await reverseStatus(resource, changed);
      },
    });
  };
  return (
    <ChangeDialog
      title={isDeactivation ? t`Deactivate ${name}` : t`Reactivate ${name}`}
      submitLabel={isDeactivation ? <Trans>Deactivate</Trans> : <Trans>Reactivate</Trans>}
      error={mutation.error}
      isPending={mutation.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      {isDeactivation && resource === 'offices' && can('agents:write') && (
        <div>
          <CheckboxField
            label={t`Deactivate its active agents too`}
            checked={cascade}
            onChange={(event) => setCascade(event.target.checked)}
          />
          {cascade && (
            <p className="text-muted text-sm">
              <Trans>
                Affiliations of other agents with it end, too. Undo reactivates the office alone; its agents
                are reactivated one by one.
              </Trans>
            </p>
          )}
        </div>
      )}
    </ChangeDialog>
  );
}

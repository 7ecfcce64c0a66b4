import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { roster } from '../../../api/client.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { resources } from '../../../resources/index.ts';
import { type DirectoryRecord, nameOf } from '../../../resources/record.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import { openDialog } from '../../../ui/browser/overlays.ts';
import type { Notice } from '../../../ui/notice-list.tsx';
import { cancelNew, reverseStatus, useChange } from '../../record/use-change.ts';
import { ChangeDialog, type WhyAndWhen } from './change-dialog.tsx';
import {
  CascadeField,
  CascadeLabel,
  type Deactivated,
  deactivatedText,
  hasChangedOthers,
  takeCascadeBack,
  UndoCascadeDialog,
} from './offices/cascade.tsx';

interface StatusDialogProps {
  change: 'deactivate' | 'reactivate';
  resource: ResourceName;
  record: DirectoryRecord;
  onClose: () => void;
}

function useStatusChange({ change, resource, record, onClose }: StatusDialogProps, cascade: boolean) {
  const { t, i18n } = useLingui();
  const mutation = useChange({ resource, record, onDone: onClose });
  const name = nameOf(record);
  const isDeactivation = change === 'deactivate';
  const submit = (why: WhyAndWhen) => {
    const input = { id: record.id, ifVersion: record.version, ...why };
    const calls = callsOf(resource);
    const texts = isDeactivation
      ? { now: t`${name} was deactivated`, later: t`The deactivation of ${name} is scheduled` }
      : { now: t`${name} was reactivated`, later: t`The reactivation of ${name} is scheduled` };
    const text = why.effectiveOn === undefined ? texts.now : texts.later;
    let cascaded: Deactivated | undefined;
    let takenBack: Notice | undefined;
    const make = async () => {
      if (!cascade) return calls[change].mutate(input);
      if (!isDeactivation) {
        const { record: changed, notice } = await takeCascadeBack(i18n, input);
        takenBack = notice;
        return changed;
      }
      const { cascaded: others, ...changed } = await roster.offices.deactivate.mutate({ ...input, cascade });
      cascaded = others;
      return changed;
    };
    // A day that has begun means now, whatever was asked.
    const undo = async (changed: DirectoryRecord) => {
      await cancelNew(record, changed);
      if (changed.status !== record.status) await reverseStatus(resource, record, changed);
      return undefined;
    };
    mutation.mutate({
      call: make,
      text: () => (cascaded === undefined ? text : deactivatedText(i18n, name, cascaded)),
      notice: () => takenBack,
      // That some agents are back is not taken back as a whole: others were active before.
      undo: !isDeactivation && cascade ? undefined : undo,
      undoDialog: (changed) => {
        const hasOthers = cascaded !== undefined && hasChangedOthers(cascaded);
        return hasOthers ? () => openDialog(<UndoCascadeDialog office={changed} />) : undefined;
      },
    });
  };
  return { mutation, submit, name, isDeactivation };
}

export function StatusDialog(props: StatusDialogProps) {
  const { resource, record, onClose } = props;
  const { t } = useLingui();
  const [cascade, setCascade] = useState(false);
  const { mutation, submit, name, isDeactivation } = useStatusChange(props, cascade);
  return (
    <ChangeDialog
      resource={resource}
      title={isDeactivation ? t`Deactivate ${name}` : t`Reactivate ${name}`}
      look={isDeactivation ? 'danger' : 'primary'}
      submitLabel={
        !isDeactivation ? (
          <Trans>Reactivate</Trans>
        ) : cascade ? (
          <CascadeLabel officeId={record.id} />
        ) : (
          <Trans>Deactivate</Trans>
        )
      }
      error={mutation.error}
      isPending={mutation.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      {resources[resource].cascades && (
        <CascadeField
          id={record.id}
          isDeactivation={isDeactivation}
          isChosen={cascade}
          onChange={setCascade}
        />
      )}
    </ChangeDialog>
  );
}
